import type { LocalChain } from '@agent-marketplace/devkit/chain/local-chain.ts';
import type { Marketplace } from '@agent-marketplace/devkit/marketplace.ts';
import { startTemporaryMarketplace } from '@agent-marketplace/devkit/temporary-marketplace.ts';
import { keySetOf, openTab, type TabPayer, verifyPurchaseReceipt } from '@agent-marketplace/sdk';
import { Client as McpClient, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { ExactEvmScheme } from '@x402/evm';
import {
  decodeSignedOffers,
  extractOffersFromPaymentRequired,
  extractReceiptFromResponse,
  verifyOfferSignatureJWS,
  verifyReceiptMatchesOffer,
  verifyReceiptSignatureJWS,
} from '@x402/extensions/offer-receipt';
import { wrapFetchWithPayment, x402Client } from '@x402/fetch';
import { Receipt } from 'mppx';
import { evm, Mppx } from 'mppx/client';
import type { PrivateKeyAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { wrapFetchWithPayment as wrapFetchOfVersion1 } from 'x402-fetch';
import {
  CONTENT,
  decoded,
  type Hex,
  openX402Shop,
  POCKET_UNITS,
  PRICE_UNITS,
  type X402Shop,
} from './x402-shop.ts';

// One listing, and whoever comes to pay for it: clients as npm has them, each in its own protocol, on a chain.

const ADMIN_SECRET = 'admin-secret-of-this-test-0123456789';
const MINUTE_MS = 60_000;

let place: Marketplace;
let chain: LocalChain;
let shop: X402Shop;

beforeAll(async () => {
  place = await startTemporaryMarketplace({ variables: { ADMIN_SECRET } });
  if (!place.chain) throw new Error('There is no local chain.');
  chain = place.chain;
  shop = await openX402Shop(place, chain);
});

afterAll(async () => {
  await shop?.close();
  await place?.close();
});

/** What a client was answered, as it came. */
interface Bought {
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every kind.
  readonly purchase: any;
  /** What was settled, in the words of the protocol. */
  readonly reference: unknown;
  /** The terms that a receipt of x402 can be held against, and the settlement with that receipt. */
  readonly x402?: { readonly required: unknown; readonly settled: Response };
}

const wallet = (account: PrivateKeyAccount) =>
  new x402Client().register('eip155:8453', new ExactEvmScheme(account));

async function overHttp(
  pay: (input: string) => Promise<Response>,
  referenceOf: (response: Response) => unknown,
  isX402: boolean,
): Promise<Bought> {
  const required = decoded((await fetch(shop.url)).headers.get('payment-required'));
  const response = await pay(shop.url);
  const purchase = await response.clone().json();
  expect(response.status, JSON.stringify(purchase)).toBe(200);
  const bought = { purchase, reference: referenceOf(response) };
  return isX402 ? { ...bought, x402: { required, settled: response } } : bought;
}

const settledBy = (header: string) => (response: Response) =>
  decoded(response.headers.get(header)).transaction;

const CLIENTS: Readonly<Record<string, (account: PrivateKeyAccount) => Promise<Bought>>> = {
  '@x402/fetch': (account) =>
    overHttp(wrapFetchWithPayment(fetch, wallet(account)), settledBy('payment-response'), true),
  'x402-fetch': (account) =>
    overHttp(
      wrapFetchOfVersion1(fetch, account as never, POCKET_UNITS),
      settledBy('x-payment-response'),
      true,
    ),
  mppx: (account) =>
    overHttp(
      Mppx.create({
        methods: [evm.charge({ account, currencies: [evm.assets.base.USDC] })],
        polyfill: false,
      }).fetch,
      (response) => Receipt.fromResponse(response).reference,
      false,
    ),
  'the client of MCP': async (account) => {
    const client = new McpClient({ name: 'payer', version: '1.0.0' });
    await client.connect(new StreamableHTTPClientTransport(new URL(`${place.baseUrl}/mcp`)));
    const call = { name: 'buy_data', arguments: { listing_id: shop.listingId, payment_method: 'usdc' } };
    const required = (await client.callTool(call)).structuredContent;
    const payment = await wallet(account).createPaymentPayload(required as never);
    const { structuredContent, _meta } = await client.callTool({
      ...call,
      _meta: { 'x402/payment': payment },
    });
    await client.close();
    const result = _meta?.['x402/payment-response'] as { transaction: string };
    const header = btoa(JSON.stringify(result));
    const settled = new Response(null, { headers: { 'PAYMENT-RESPONSE': header } });
    return { purchase: structuredContent, reference: result.transaction, x402: { required, settled } };
  },
};

/** Nothing can be asked of anybody. */
async function offline<T>(work: () => Promise<T>): Promise<T> {
  const { fetch: online } = globalThis;
  globalThis.fetch = () => Promise.reject(new Error('There is no network.'));
  try {
    return await work();
  } finally {
    globalThis.fetch = online;
  }
}

describe('one listing', () => {
  const transactions = new Set<unknown>();

  it.each(Object.keys(CLIENTS))('is paid by %s, whose receipt verifies without network', async (name) => {
    const keys = keySetOf(await shop.buyer.getSigningKey());
    const published = await fetch(`${new URL(place.baseUrl).origin}/.well-known/jwks.json`);
    const [key] = ((await published.json()) as { keys: Parameters<typeof verifyReceiptSignatureJWS>[1][] })
      .keys;
    const account = await shop.newPayer();
    const { purchase, reference, x402 } = await (CLIENTS[name] as (typeof CLIENTS)[string])(account);

    expect(purchase).toMatchObject({ listingId: shop.listingId, content: CONTENT, status: 'held' });
    expect([reference, purchase.payment.payer]).toEqual([
      purchase.payment.transaction,
      account.address.toLowerCase(),
    ]);
    expect(await chain.control.balanceOf(account.address)).toBe(POCKET_UNITS - PRICE_UNITS);
    transactions.add(reference);

    await offline(async () => {
      expect(await verifyPurchaseReceipt(purchase, keys)).toMatchObject({ valid: true, content: 'matches' });
      const other = { ...purchase, content: { low: '05:00' } };
      expect(await verifyPurchaseReceipt(other, keys)).toMatchObject({ reason: 'content_mismatch' });
      if (!x402) return;
      const [offer] = extractOffersFromPaymentRequired(x402.required as never);
      const receipt = extractReceiptFromResponse(x402.settled);
      if (offer?.format !== 'jws' || receipt?.format !== 'jws') throw new Error('They are no JWS.');
      expect(await verifyOfferSignatureJWS(offer, key)).toMatchObject({ amount: String(PRICE_UNITS) });
      expect(await verifyReceiptSignatureJWS(receipt, key)).toMatchObject({ transaction: reference });
      const [offered] = decodeSignedOffers([offer]);
      if (offered === undefined) throw new Error('It is no offer.');
      expect(verifyReceiptMatchesOffer(receipt, offered, [account.address])).toBe(true);
    });
  });

  it('was sold once to each of them', async () => {
    expect(transactions.size).toBe(Object.keys(CLIENTS).length);
    expect(shop.sellerCalls).toBe(transactions.size);
  });
});

describe('a thousand queries at half a thousandth of a dollar', () => {
  const QUERIES = 1000;
  const PRICE_MICROS = 500;
  const MICROS_PER_CENT = 10_000;

  /** Transfers of the token between two accounts. */
  async function transfersBetween(from: Hex, to: Hex) {
    const topic = (address: Hex) => `0x${address.slice(2).toLowerCase().padStart(64, '0')}`;
    const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
    const filter = { fromBlock: '0x0', topics: [TRANSFER, topic(from), topic(to)] };
    const [logs] = (await chain.control.rpc([['eth_getLogs', [filter]]])) as [
      { data: Hex; transactionHash: Hex }[],
    ];
    return logs.map(({ data, transactionHash }) => ({ units: BigInt(data), transactionHash }));
  }

  it('are one transfer to the platform and one back, and the books agree to the micro-unit', async () => {
    const { listing } = await shop.seller.createListing({
      title: 'Tide tables by harbour and minute',
      description: 'Height of the water, minute by minute.',
      preview: { harbours: ['Lisbon'] },
      priceCents: 1,
      priceMicros: PRICE_MICROS,
      consent: true,
    });
    const account = await shop.newPayer();
    const order = { listingId: listing.id, amountCents: 100 };
    const tab = await openTab(shop.buyer, order, account as TabPayer);
    let receiptedMicros = 0;
    for (let query = 0; query < QUERIES; query += 1) {
      // The SDK checks each receipt: its signature, its query, its price and what was answered.
      const answer = await tab.query({ minute: query }, { maxPriceMicros: PRICE_MICROS });
      receiptedMicros += answer.priceMicros;
    }
    const spentMicros = QUERIES * PRICE_MICROS;
    expect(receiptedMicros).toBe(spentMicros);
    expect(await tab.close()).toMatchObject({ chargedMicros: spentMicros, reservedMicros: 0, restCents: 50 });
    await place.advanceClock(MINUTE_MS);
    for (let runs = 0; runs < 3; runs += 1) await place.runScheduled();

    const [paid, back] = [
      await transfersBetween(account.address, chain.payTo),
      await transfersBetween(chain.payTo, account.address),
    ];
    expect(paid.map(({ units }) => units)).toEqual([1_000_000n]);
    const { returnTransaction } = await shop.buyer.getTab({ tabId: tab.tabId });
    expect(back.map(({ transactionHash }) => transactionHash)).toEqual([returnTransaction]);
    const returnedMicros = back[0]?.units ?? 0n;
    // What was paid was spent, went back, or was the gas of that, in whole cents.
    const gasMicros = 1_000_000n - BigInt(spentMicros) - returnedMicros;
    expect(gasMicros % BigInt(MICROS_PER_CENT)).toBe(0n);
    expect(gasMicros).toBeGreaterThan(0n);
    expect(await chain.control.balanceOf(account.address)).toBe(POCKET_UNITS - 1_000_000n + returnedMicros);

    const { sales } = await shop.seller.listSales();
    const sold = sales.filter((one) => one.listingId === listing.id);
    expect(sold).toMatchObject([
      { purchaseId: tab.tabId, amountCents: spentMicros / MICROS_PER_CENT, status: 'held' },
    ]);

    await place.advanceClock(10 * MINUTE_MS);
    await chain.control.mine(70);
    for (let runs = 0; runs < 3; runs += 1) await place.runScheduled();
    const response = await fetch(`${place.baseUrl}/admin/reconciliation`, {
      headers: { 'x-mkt-admin': ADMIN_SECRET },
    });
    expect(await response.json()).toMatchObject({
      findings: [],
      objects: { differs: [], onlyInLedger: [], onlyOutside: [] },
    });
  }, 300_000);
});
