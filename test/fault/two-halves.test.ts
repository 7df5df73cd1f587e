import { cardWebhook } from '@agent-marketplace/core/compose/card-webhook.ts';
import { runWakeUp } from '@agent-marketplace/core/compose/jobs.ts';
import {
  cancelSaleBestEffort,
  findSale,
  refundSale,
  reportCheckout,
  runEscrowClock,
} from '@agent-marketplace/core/sales/index.ts';
import { replied, sellerOf } from '@agent-marketplace/core/testing/doubles/fake-seller-endpoint.ts';
import type { RegisteredAgent } from '@agent-marketplace/core/testing/fixtures/new-seller.ts';
import { type Bought, sessionOf } from '@agent-marketplace/core/testing/marketplace/sales-marketplace.ts';
import { settleTopUp, sweepTopUps } from '@agent-marketplace/core/wallet/index.ts';
import { sha256Digest } from '@agent-marketplace/protocol/crypto/digest.ts';
import { utf8 } from '@agent-marketplace/protocol/crypto/encoding.ts';
import { describe, expect } from 'vitest';
import { createFaultWorld, HOLD_MS, METHODS, THE_CONTENT } from './fault-world.ts';
import { holdBothEverywhere, type Pair } from './hold-both-everywhere.ts';

// Two at once, and either may stop half-way: each is held inside each of its calls, and they go on in either order.

const world = await createFaultWorld();
const MINUTE_MS = 60_000;
const CENTS = 30_000;
const settled = () => world.market.background.settled();
const halves = {
  settled,
  recover: () => world.recover(),
  expectAllWell: () => world.expectAllWell(),
  renew: () => world.renew(),
};
const ports = () => world.market.newPorts();
const runClock = () => runEscrowClock(ports()).catch(() => {});
const pass = (ms: number) => () => world.market.clock.advance(ms);

interface Held {
  readonly purchaseId: string;
  readonly buyer: RegisteredAgent;
}

async function due(method: string): Promise<Held> {
  const sale = await world.newSale(method);
  world.market.clock.advance(HOLD_MS);
  return sale;
}

const transfersOf = ({ purchaseId }: Held) =>
  world.cards.transfers.filter((transfer) => transfer.purchaseId === purchaseId).length;

/** The money went one way. */
async function expectOneWay(sale: Held): Promise<void> {
  const status = await world.statusOf(sale.purchaseId);
  expect(status).toMatch(/^(released|refunded)$/);
  expect(transfersOf(sale)).toBe(status === 'released' ? 1 : 0);
}

describe('Two escrow clocks: at most one transfer', async () => {
  for (const method of METHODS) {
    const clocks: Pair<Held> = {
      name: `what was paid by ${method}`,
      prepare: () => due(method),
      first: runClock,
      second: runClock,
      async expectEnd(sale) {
        expect([await world.statusOf(sale.purchaseId), transfersOf(sale)]).toEqual(['released', 1]);
      },
    };
    await holdBothEverywhere(halves, clocks);
  }
});

describe('A refund and the escrow clock: the money goes one way', async () => {
  for (const method of METHODS) {
    await holdBothEverywhere<Held>(halves, {
      name: `the operator refunds what was paid by ${method}`,
      prepare: () => due(method),
      first: runClock,
      second: ({ purchaseId }) => refundSale(ports(), purchaseId, 'test').catch(() => {}),
      expectEnd: expectOneWay,
    });
  }
  await holdBothEverywhere<Held>(halves, {
    name: 'a dispute is decided for the buyer',
    async prepare() {
      const sale = await due('card');
      await world.dispute(sale.purchaseId, sale.buyer);
      return sale;
    },
    first: runClock,
    second: ({ purchaseId }) => world.decide(purchaseId, 'refund'),
    comeBack: ({ purchaseId }) => world.decide(purchaseId, 'refund'),
    async expectEnd(sale) {
      expect([await world.statusOf(sale.purchaseId), transfersOf(sale)]).toEqual(['refunded', 0]);
    },
  });
});

interface Paid extends Held {
  readonly sessionId: string;
}

/** Somebody paid on the page. */
async function paid(): Promise<Paid> {
  const { id } = await world.listing();
  const buyer = await world.newBuyer('checkout');
  const { body } = await world.buy(id, buyer, { body: { payment_method: 'checkout' } });
  const sessionId = sessionOf(body.checkoutUrl);
  world.cards.payCheckout(sessionId);
  return { purchaseId: body.id, sessionId, buyer };
}

async function authorized(): Promise<Paid> {
  const sale = await paid();
  await reportCheckout(ports(), { sessionId: sale.sessionId });
  await settled();
  return sale;
}

const collect = ({ purchaseId, buyer }: Paid) => world.read(purchaseId, buyer);

async function expectSoldOnce(sale: Paid): Promise<void> {
  expect([await world.statusOf(sale.purchaseId), transfersOf(sale)]).toEqual(['released', 1]);
}

describe('Two collect one purchase: one capture, one answer', async () => {
  const both: Pair<Paid> = {
    name: 'a GET and the push to the callback',
    prepare: authorized,
    first: collect,
    second: () => runWakeUp(ports()).catch(() => {}),
    expectEnd: expectSoldOnce,
  };
  await holdBothEverywhere(halves, both);
  await holdBothEverywhere(halves, {
    ...both,
    name: 'a GET and the push, after the lease of whoever began',
    meanwhile: pass(2 * MINUTE_MS),
  });
  await holdBothEverywhere(halves, {
    ...both,
    name: 'a GET and the report that the page was paid',
    prepare: paid,
    second: ({ sessionId }) => reportCheckout(ports(), { sessionId }).catch(() => {}),
  });
});

interface Feed extends Paid {
  /** What was shown, by whomever it was asked for. */
  readonly answers: Bought[];
}

describe('Two collect what is another answer each time: one is shown, the one of the receipt', async () => {
  const digestOf = (answer: number) => sha256Digest(utf8(JSON.stringify({ answer })));
  let deliveries = 0;
  async function ask(sale: Feed): Promise<void> {
    sale.answers.push((await collect(sale)).body);
  }
  await holdBothEverywhere<Feed>(halves, {
    name: 'two GETs, after the lease of whoever began',
    async prepare() {
      const sale = await authorized();
      deliveries = 0;
      world.market.sellerEndpoint.script = (request) => {
        if (JSON.parse(request.body).type !== 'delivery_request') return sellerOf(THE_CONTENT)(request);
        deliveries += 1;
        return replied({ data: { answer: deliveries } });
      };
      return { ...sale, answers: [] };
    },
    first: ask,
    second: ask,
    meanwhile: pass(2 * MINUTE_MS),
    async comeBack({ purchaseId }) {
      // From now on the feed stands still.
      const [row] = await world.rows<{ digest: string | null }>(
        'SELECT content_digest AS digest FROM purchases WHERE id = ?',
        purchaseId,
      );
      let answer = 1;
      while (row?.digest && row.digest !== (await digestOf(answer))) answer += 1;
      world.market.sellerEndpoint.script = sellerOf({ answer });
    },
    async expectEnd(sale) {
      await expectSoldOnce(sale);
      const shown = sale.answers.filter(({ content }) => content !== null && content !== undefined);
      for (const { content, contentDigest } of shown)
        expect(await sha256Digest(utf8(JSON.stringify(content))), 'what the receipt binds').toBe(
          contentDigest,
        );
      expect(new Set(shown.map(({ contentDigest }) => contentDigest)).size).toBeLessThanOrEqual(1);
    },
  });
});

describe('One collects what another cancels: captured and shown, or given back', async () => {
  const collecting: Pair<Paid> = {
    name: 'a GET and a cancellation',
    prepare: authorized,
    first: collect,
    async second({ purchaseId }) {
      const sale = await findSale(ports().market, purchaseId);
      if (sale?.status === 'authorized') await cancelSaleBestEffort(ports(), sale, 'failed', null);
    },
    async expectEnd(sale) {
      const status = await world.statusOf(sale.purchaseId);
      expect(status).toMatch(/^(released|failed|expired|refunded)$/);
      expect(transfersOf(sale)).toBe(status === 'released' ? 1 : 0);
    },
  };
  await holdBothEverywhere(halves, collecting);
  await holdBothEverywhere(halves, {
    ...collecting,
    name: 'a GET and a cancellation, after the lease of whoever began',
    meanwhile: pass(2 * MINUTE_MS),
  });
});

describe('The report of a top-up and the job that looks for it: one credit', async () => {
  interface Page {
    readonly agent: RegisteredAgent;
    readonly sessionId: string;
    readonly reports: readonly string[];
  }
  await holdBothEverywhere<Page>(halves, {
    name: 'of a page that was paid',
    async prepare() {
      const agent = await world.newAgent();
      const { body } = await world.request('POST', '/wallet/fund', agent.apiKey, { amount_cents: CENTS });
      const sessionId = sessionOf(body.checkoutUrl);
      await world.cards.takeWebhooks();
      world.cards.payCheckout(sessionId);
      const reports = (await world.cards.takeWebhooks()).map(({ rawBody }) => rawBody);
      world.market.clock.advance(30 * MINUTE_MS);
      return { agent, sessionId, reports };
    },
    async first({ reports }) {
      for (const report of reports) {
        const { rawBody, signatureHeader } = await world.cards.repeatWebhook(report);
        await cardWebhook.take(ports(), rawBody, signatureHeader).catch(() => {});
      }
    },
    second: () => sweepTopUps(ports()).catch(() => {}),
    comeBack: ({ sessionId }) => settleTopUp(ports(), { sessionId }),
    async expectEnd({ agent }) {
      const credits = await world.rows(
        "SELECT 1 FROM ledger_entries WHERE account = 'wallet:' || ? AND amount_cents > 0",
        agent.id,
      );
      expect([await world.balanceOf(agent), credits.length]).toEqual([CENTS, 1]);
    },
  });
});
