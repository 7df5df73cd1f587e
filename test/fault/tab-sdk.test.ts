import { replied, sellerOf } from '@agent-marketplace/core/testing/doubles/fake-seller-endpoint.ts';
import {
  createMarketplaceClient,
  openTab,
  type PendingVoucher,
  PrepaidTab,
  resumeTab,
  SpendingLimit,
  type TabPayer,
} from '@agent-marketplace/sdk';
import { describe, expect, it } from 'vitest';
import { CENT, createTabWorld, PAYER_UNITS } from './tab-world.ts';

// The SDK pays for a tab once, asks each query with one voucher, and checks what it is answered.

const { x402, shop, rowOf, salesOf, minutes } = createTabWorld();
const { market } = x402;
const BASE_URL = 'http://localhost/api';
const PRICE = { maxPriceMicros: 500 };
type Change = (response: Response, path: string) => Response | Promise<Response>;

/** A client whose answers may be changed or lost on their way. */
function clientOf(change: Change = (response) => response) {
  const asked: string[] = [];
  const client = createMarketplaceClient({
    baseUrl: BASE_URL,
    retries: 0,
    now: () => market.clock.now(),
    fetch: async (input, init) => {
      const request = new Request(input as string, init as RequestInit);
      const path = request.url.slice(BASE_URL.length);
      asked.push(`${request.method} ${path.replace(/[0-9a-f-]{36}/, ':id')}`);
      const body = await request.text();
      const headers = Object.fromEntries(request.headers);
      return change(await market.request(request.method, path, { headers, ...(body && { body }) }), path);
    },
  });
  return { client, asked };
}

const patience = { now: () => market.clock.now(), sleep: async (ms: number) => market.clock.advance(ms) };

/** Loses the answer of one call. */
function losing(part: string): Change {
  let isLost = false;
  return (response, path) => {
    if (isLost || !path.includes(part)) return response;
    isLost = true;
    return new Response('Bad gateway', { status: 502 });
  };
}

describe('a tab of the SDK', () => {
  it('is paid once, answers, and is closed', async () => {
    const { id, payer, balance } = await shop();
    const { client, asked } = clientOf();
    const limit = new SpendingLimit(100);
    const tab = await openTab(client, { listingId: id, amountCents: 100 }, payer as TabPayer, {
      limit,
      ...patience,
    });
    const answers = await Promise.all(['Brest', 'Lisbon'].map((city) => tab.query({ city }, PRICE)));
    expect(answers.map(({ content, priceMicros }) => [content, priceMicros])).toEqual([
      [{ answer: 42 }, 500],
      [{ answer: 42 }, 500],
    ]);
    expect(tab.remainingMicros).toBe(100 * CENT - 1000);
    expect(asked.filter((one) => one.startsWith('GET /x402'))).toEqual([]);
    expect(await tab.close()).toMatchObject({ chargedMicros: 1000, restCents: 99 });
    await minutes();
    expect([limit.usedCents, balance()]).toEqual([100, PAYER_UNITS - 2 * CENT]);
    expect(await salesOf(id)).toEqual([{ status: 'held', amount_cents: 1 }]);
  });

  it('is charged for the units used, and counts on no more than what is said of them', async () => {
    const seller = await x402.sales.seller();
    const meter = { unit: 'thousand_tokens', unitPriceMicros: 500, maxUnits: 100 };
    const { id } = await x402.sales.listing({ priceCents: 5, meter }, seller);
    const payer = x402.newPayer(BigInt(PAYER_UNITS));
    let isLying = false;
    const { client } = clientOf(async (response, path) => {
      if (!isLying || !path.endsWith('/queries')) return response;
      const body = (await response.json()) as object;
      return Response.json({ ...body, units: 8 }, { status: response.status, headers: response.headers });
    });
    const order = { listingId: id, amountCents: 100 };
    const tab = await openTab(client, order, payer as TabPayer, patience);
    market.sellerEndpoint.script = () => replied({ data: { answer: 42 }, units: 7 });
    const most = { maxPriceMicros: 50_000 };
    expect(await tab.query({ city: 'Brest' }, most)).toMatchObject({ priceMicros: 3500, units: 7 });
    expect(tab.remainingMicros).toBe(100 * CENT - 3500);
    isLying = true;
    await expect(tab.query({ city: 'Ghent' }, most)).rejects.toThrow();
    isLying = false;
    expect(await tab.close()).toMatchObject({ chargedMicros: 7000 });
  });

  it('is charged once for a query whose program ended, by the voucher that was kept', async () => {
    const { id, payer } = await shop();
    const account = payer as TabPayer;
    const { client } = clientOf((response, path) =>
      path.endsWith('/queries') ? new Response('Bad gateway', { status: 502 }) : response,
    );
    const tab = await openTab(client, { listingId: id, amountCents: 100 }, account, patience);
    const kept: string[] = [];
    const onSigned = (voucher: PendingVoucher) => void kept.push(JSON.stringify(voucher));
    await expect(tab.query({ city: 'Brest' }, { ...PRICE, onSigned })).rejects.toMatchObject({ status: 502 });
    expect(kept).toEqual([JSON.stringify(tab.unresolvedVoucher)]);

    const { client: next } = clientOf();
    const state = await next.getTab({ tabId: tab.tabId });
    const later = new PrepaidTab(next, account, tab.payment, state, patience);
    const again = await later.resumeQuery(JSON.parse(kept[0] as string));
    expect([again.content, later.unresolvedVoucher]).toEqual([{ answer: 42 }, null]);
    expect(await rowOf(tab.tabId)).toMatchObject({ charged_micros: 500, reserved_micros: 0 });
  });

  it('sends nothing where its voucher could not be kept', async () => {
    const { id, payer } = await shop();
    const { client, asked } = clientOf();
    const order = { listingId: id, amountCents: 100 };
    const tab = await openTab(client, order, payer as TabPayer, patience);
    const onSigned = () => Promise.reject(new Error('The disk is full.'));
    await expect(tab.query({ city: 'Brest' }, { ...PRICE, onSigned })).rejects.toThrow('The disk is full.');
    expect([asked.filter((one) => one.endsWith('/queries')), tab.unresolvedVoucher]).toEqual([[], null]);
  });

  it('is opened and asked once although each answer is lost', async () => {
    const { id, payer, balance } = await shop();
    const order = { listingId: id, amountCents: 100 };
    const opening = clientOf(losing('/x402/tabs'));
    // The first answer is that with the terms.
    await expect(openTab(opening.client, order, payer as TabPayer, patience)).rejects.toMatchObject({
      status: 502,
    });
    let calls = 0;
    const lossy = clientOf((response, path) => {
      calls += 1;
      const isLost = path === '/x402/tabs' ? calls < 4 : path.endsWith('/queries') && calls % 2 === 0;
      return isLost && response.status === 200 ? new Response('Bad gateway', { status: 502 }) : response;
    });
    const tab = await openTab(lossy.client, order, payer as TabPayer, patience);
    expect(await tab.query({ city: 'Brest' }, PRICE)).toMatchObject({ priceMicros: 500 });
    expect(await tab.query({ city: 'Lisbon' }, PRICE)).toMatchObject({ priceMicros: 500 });
    expect(await rowOf(tab.tabId)).toMatchObject({ charged_micros: 1000, reserved_micros: 0 });
    expect(balance()).toBe(PAYER_UNITS - 100 * CENT);

    const resumed = await resumeTab(clientOf().client, tab.payment, payer as TabPayer, patience);
    expect(resumed.tabId).toBe(tab.tabId);
    expect(await resumed.query({ city: 'Porto' }, PRICE)).toMatchObject({ priceMicros: 500 });
    expect(balance()).toBe(PAYER_UNITS - 100 * CENT);
  });

  it('sends the same voucher again for the same query, where the connection broke', async () => {
    const { id, payer } = await shop();
    let isBroken = true;
    const { client } = clientOf((response, path) => {
      if (isBroken && path.endsWith('/queries')) throw new TypeError('fetch failed');
      return response;
    });
    const tab = await openTab(client, { listingId: id, amountCents: 100 }, payer as TabPayer, patience);
    await expect(tab.query({ city: 'Brest' }, PRICE)).rejects.toThrow();
    expect(await rowOf(tab.tabId)).toMatchObject({ charged_micros: 500 });
    isBroken = false;
    expect(await tab.query({ city: 'Brest' }, PRICE)).toMatchObject({ content: { answer: 42 } });
    expect(await rowOf(tab.tabId)).toMatchObject({ charged_micros: 500 });
    await tab.query({ city: 'Lisbon' }, PRICE);
    expect(await rowOf(tab.tabId)).toMatchObject({ charged_micros: 1000 });
  });

  it('asks beside a query of it that is still out elsewhere', async () => {
    const { id, payer } = await shop();
    const { client } = clientOf();
    const tab = await openTab(client, { listingId: id, amountCents: 100 }, payer as TabPayer, patience);
    const other: Promise<unknown>[] = [];
    market.sellerEndpoint.script = async (request) => {
      market.sellerEndpoint.script = sellerOf({ answer: 42 });
      const resumed = await resumeTab(clientOf().client, tab.payment, payer as TabPayer, patience);
      other.push(resumed.query({ city: 'Lisbon' }, PRICE));
      await other[0];
      return sellerOf({ answer: 42 })(request);
    };
    expect(await tab.query({ city: 'Brest' }, PRICE)).toMatchObject({ priceMicros: 500 });
    expect(await other[0]).toMatchObject({ priceMicros: 500 });
    expect(await rowOf(tab.tabId)).toMatchObject({ charged_micros: 1000, reserved_micros: 0 });
  });

  it('goes on after a query that was refused', async () => {
    const { id, payer } = await shop();
    const { client } = clientOf();
    const tab = await openTab(client, { listingId: id, amountCents: 100 }, payer as TabPayer, patience);
    market.sellerEndpoint.script = () => replied('{"available":false}', 404);
    await expect(tab.query({ city: 'Brest' }, PRICE)).rejects.toMatchObject({ charged: false });
    market.sellerEndpoint.script = sellerOf({ answer: 42 });
    expect(await tab.query({ city: 'Brest' }, PRICE)).toMatchObject({ priceMicros: 500 });
    await expect(tab.query({ city: 'Brest' }, { maxPriceMicros: 0.5 })).rejects.toThrow(TypeError);
    const withoutLimit = tab.query as (query: object) => Promise<unknown>;
    await expect(withoutLimit.call(tab, { city: 'Brest' })).rejects.toThrow(
      /tab\.query\(query, \{ maxPriceMicros \}\)/,
    );
  });

  it('holds the limit of a query although an earlier voucher, which was not charged, allows more', async () => {
    const { id, payer } = await shop();
    const { client } = clientOf();
    const tab = await openTab(client, { listingId: id, amountCents: 100 }, payer as TabPayer, patience);
    market.sellerEndpoint.script = () => replied('{"available":false}', 404);
    await expect(tab.query({ city: 'Brest' }, { maxPriceMicros: 5000 })).rejects.toMatchObject({
      charged: false,
    });
    market.sellerEndpoint.script = sellerOf({ answer: 42 });
    await expect(tab.query({ city: 'Brest' }, { maxPriceMicros: 499 })).rejects.toMatchObject({
      name: 'TooExpensiveError',
      askedCents: 0.05,
    });
    expect(await client.getTab({ tabId: tab.tabId })).toMatchObject({ chargedMicros: 0 });
    expect(await tab.query({ city: 'Brest' }, PRICE)).toMatchObject({ priceMicros: 500 });
  });

  it('holds it although the price rises while its voucher is on its way', async () => {
    const { id, payer } = await shop();
    const { client } = clientOf();
    let price = 500;
    const signTypedData = async (message: Parameters<typeof payer.signTypedData>[0]) => {
      await x402.sales.rows('UPDATE listings SET price_micros = ? WHERE id = ?', price, id);
      return payer.signTypedData(message);
    };
    const account = { ...payer, signTypedData } as TabPayer;
    const tab = await openTab(client, { listingId: id, amountCents: 100 }, account, patience);
    market.sellerEndpoint.script = () => replied('{"available":false}', 404);
    await expect(tab.query({ city: 'Brest' }, { maxPriceMicros: 5000 })).rejects.toMatchObject({
      charged: false,
    });
    market.sellerEndpoint.script = sellerOf({ answer: 42 });
    price = 4000;
    const dear = { name: 'TooExpensiveError', askedCents: 0.4 };
    await expect(tab.query({ city: 'Brest' }, PRICE)).rejects.toMatchObject(dear);
    expect(await client.getTab({ tabId: tab.tabId })).toMatchObject({ chargedMicros: 0 });
  });

  it('tells of content that its receipt does not bind', async () => {
    const { id, payer } = await shop();
    const { client } = clientOf();
    const forged = {
      ...client,
      queryTab: async (...args: Parameters<typeof client.queryTab>) => ({
        ...(await client.queryTab(...args)),
        content: { answer: 43 },
      }),
    };
    const tab = await openTab(forged, { listingId: id, amountCents: 100 }, payer as TabPayer, patience);
    await expect(tab.query({ city: 'Brest' }, PRICE)).rejects.toMatchObject({ reason: 'content_mismatch' });
  });
});
