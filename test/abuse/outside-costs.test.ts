import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DAY_MS } from '@agent-marketplace/core/kernel/time.ts';
import {
  createQueryMarketplace,
  decodeHeader,
} from '@agent-marketplace/core/testing/marketplace/query-marketplace.ts';
import { testBindings } from '@agent-marketplace/core/testing/marketplace/workers-bindings.ts';
import { publicDocuments } from '@agent-marketplace/core/transport/documents/index.ts';
import { beforeAll, describe, expect, it } from 'vitest';

// What one request without a key makes others do: the card processor, the chain, the object that keeps payments apart.

const x402 = createQueryMarketplace();
const { sales, market, chain, claims } = x402;
const { cards } = sales;

type Ask = () => Promise<{ readonly status: number }>;
/** By what is asked: made ready, before it is counted. */
const REQUESTS: Readonly<Record<string, { readonly status: number; readonly prepare: () => Promise<Ask> }>> =
  {
    'a purchase on a payment page': {
      status: 200,
      prepare: async () => {
        const { id } = await sales.listing({ priceCents: 1000 });
        const body = { payment_method: 'checkout', email: 'stranger@example.com' };
        return () => sales.request('POST', `/marketplace/listings/${id}/purchase`, null, body);
      },
    },
    'terms of a paid query': {
      status: 402,
      prepare: async () => {
        const { id } = await sales.listing({ priceCents: 250 });
        return () => x402.query(id);
      },
    },
    'a paid query': { status: 200, prepare: () => paidQuery(1_000_000_000n) },
    'a paid query, of a payer without funds': { status: 402, prepare: () => paidQuery(0n) },
    'a paid query, signed by another': {
      status: 402,
      prepare: () => paidQuery(1_000_000_000n, { signer: x402.newPayer() }),
    },
    'a paid query, not answered by its seller': {
      status: 504,
      prepare: async () => {
        const ask = await paidQuery(1_000_000_000n);
        market.sellerEndpoint.script = () => ({ kind: 'timed_out' });
        return ask;
      },
    },
    'a proof by the account that paid': { status: 200, prepare: () => payerProof((payer) => payer) },
    'a proof of a payment, signed by another': {
      status: 422,
      prepare: () => payerProof(() => x402.newPayer()),
    },
    'a proof of a payment that nobody made': {
      status: 404,
      prepare: () => payerProof((payer) => payer, { paymentNonce: `0x${'7'.repeat(64)}` }),
    },
    'a message to the card webhook, unsigned': {
      status: 400,
      prepare: async () => () => market.request('POST', '/webhooks/card', { body: '{"id":"evt_1"}' }),
    },
  };

async function paidQuery(units: bigint, forged: Parameters<typeof x402.pay>[3] = {}): Promise<Ask> {
  const { id } = await sales.listing({ priceCents: 250 });
  const headers = await x402.pay(x402.newPayer(units), id, 2, forged);
  return () => x402.query(id, headers);
}

type Payer = ReturnType<typeof x402.newPayer>;

async function payerProof(signerOf: (payer: Payer) => Payer, more: object = {}): Promise<Ask> {
  const { id } = await sales.listing({ priceCents: 250 });
  const payer = x402.newPayer();
  const headers = await x402.pay(payer, id, 2);
  expect((await x402.query(id, headers)).status).toBe(200);
  const { payload } = decodeHeader({ headers: new Headers(headers) }, 'PAYMENT-SIGNATURE');
  const { nonce: paymentNonce } = payload.authorization;
  const purpose = { listingId: id, parameters: {}, payer: payer.address, paymentNonce, ...more };
  const path = '/marketplace/purchases/payer-';
  const challenge = await market.request('POST', `${path}challenge`, { body: purpose });
  const { message } = (await challenge.json()) as { message: string };
  const signature = await signerOf(payer).signMessage({ message });
  return () => sales.request('POST', `${path}proof`, null, { message, signature });
}

async function changes(): Promise<number> {
  const databases = [testBindings.DB, testBindings.SEARCH];
  const sums = await Promise.all(
    databases.map((db) => db.prepare('SELECT total_changes() AS n').first<number>('n')),
  );
  return sums.reduce<number>((sum, n) => sum + Number(n), 0);
}

interface Cost {
  readonly status: number;
  readonly statements: number;
  readonly rowsWritten: number;
  readonly sellerCalls: number;
  readonly processorCalls: number;
  readonly chainCalls: string;
  readonly objectCalls: number;
}

/** Of the request itself, with what it leaves to the background. */
async function costOf(ask: Ask): Promise<Cost> {
  await market.background.settled();
  market.market.reset();
  market.search.reset();
  const before = {
    changes: await changes(),
    sellers: market.sellerEndpoint.requests.length,
    cards: cards.calls.length,
    chain: chain.calls.length,
    claims: claims.calls,
  };
  const { status } = await ask();
  await market.background.settled();
  const methods = chain.calls.slice(before.chain).map(({ method }) => method);
  const sql = [...market.market.roundTrips, ...market.search.roundTrips].flat();
  return {
    status,
    statements: sql.length,
    rowsWritten: (await changes()) - before.changes,
    sellerCalls: market.sellerEndpoint.requests.length - before.sellers,
    processorCalls: cards.calls.length - before.cards,
    chainCalls: [...new Set(methods)]
      .map((method) => `${methods.filter((one) => one === method).length} \`${method}\``)
      .join(', '),
    objectCalls: claims.calls - before.claims,
  };
}

const costs = new Map<string, Cost>();
beforeAll(async () => {
  const { script } = market.sellerEndpoint;
  for (const [name, { prepare }] of Object.entries(REQUESTS)) {
    market.clock.advance(DAY_MS);
    costs.set(name, await costOf(await prepare()));
    market.sellerEndpoint.script = script;
  }
});
const cost = (name: string) => costs.get(name) as Cost;

describe('one request without a key', () => {
  it.each(Object.entries(REQUESTS))('%s: is answered as meant, and within bounds', (name, { status }) => {
    const found = cost(name);
    expect(found.status).toBe(status);
    expect(found.sellerCalls).toBeLessThanOrEqual(1);
    expect(found.processorCalls).toBeLessThanOrEqual(1);
    expect(found.objectCalls).toBeLessThanOrEqual(2);
    expect(found.statements).toBeLessThanOrEqual(40);
  });

  it.each(['a paid query, of a payer without funds', 'a paid query, signed by another'])(
    '%s: asks no seller, writes no row, and sends nothing to the chain',
    (name) => {
      const { sellerCalls, chainCalls } = cost(name);
      expect(sellerCalls).toBe(0);
      expect(chainCalls).not.toContain('settle');
    },
  );

  it('a message that the processor did not sign asks nobody', () => {
    const { statements, rowsWritten, processorCalls, chainCalls } = cost(
      'a message to the card webhook, unsigned',
    );
    expect([statements, rowsWritten, processorCalls, chainCalls]).toEqual([0, 0, 0, '']);
  });

  it.each(publicDocuments.map(({ path }) => path))('%s asks nobody', async (path) => {
    const { status: _, ...asked } = await costOf(() => market.request('GET', path));
    expect(asked).toEqual({
      statements: 0,
      rowsWritten: 0,
      sellerCalls: 0,
      processorCalls: 0,
      chainCalls: '',
      objectCalls: 0,
    });
  });
});

function table(): string {
  const rows = Object.keys(REQUESTS).map((name) => {
    const { statements, rowsWritten, sellerCalls, processorCalls, chainCalls, objectCalls } = cost(name);
    return `| ${name} | ${statements} | ${rowsWritten} | ${sellerCalls} | ${processorCalls} | ${chainCalls || '0'} | ${objectCalls} |`;
  });
  return [
    '| request | statements | rows written | sellers asked | processor calls | chain calls | object calls |',
    '|---|---|---|---|---|---|---|',
    ...rows,
  ].join('\n');
}

it('docs/security.md has the figures', () => {
  const security = readFileSync(join(import.meta.dirname, '../../docs/security.md'), 'utf8');
  expect(security, `Put this into docs/security.md:\n${table()}\n`).toContain(table());
});
