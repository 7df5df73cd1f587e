import { runEveryMinute, runMessage, runWakeUp } from '@agent-marketplace/core/compose/jobs.ts';
import type { EndpointRequest } from '@agent-marketplace/core/kernel/ports/seller-endpoint.ts';
import { replied, type ScriptedReply } from '@agent-marketplace/core/testing/doubles/fake-seller-endpoint.ts';
import type { RegisteredAgent } from '@agent-marketplace/core/testing/fixtures/new-seller.ts';
import {
  createSalesMarketplace,
  sessionOf,
} from '@agent-marketplace/core/testing/marketplace/sales-marketplace.ts';
import { beforeEach, describe, expect, it } from 'vitest';

// What is paid for on a page is collected by its buyer or for its callback: one rule says when the seller is asked again,
// and one payment buys one answer either way. The seller of these tests is a live feed, and may be down.

const sales = createSalesMarketplace();
const { market, cards } = sales;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const HOOK = 'https://buyer.example.com/hook';

let asked: number;
let outage: ScriptedReply | null;
let onCallback: (event: Event) => ScriptedReply | Promise<ScriptedReply>;
let received: Event[];

interface Event {
  readonly id: string;
  readonly type: string;
  readonly data: Record<string, unknown>;
}

beforeEach(() => {
  asked = 0;
  outage = null;
  received = [];
  onCallback = () => replied({});
  market.sellerEndpoint.script = async ({ url, body }: EndpointRequest) => {
    const message = JSON.parse(body);
    if (url === HOOK) {
      received.push(message);
      return onCallback(message);
    }
    if (message.type === 'verification_challenge') return replied({ nonce: message.nonce });
    asked += 1;
    return outage ?? replied({ data: { price: asked } });
  };
});

const paidOnPage = async (buyer: RegisteredAgent) => {
  const { id: listingId } = await sales.listing({ priceCents: 500 });
  const { body } = await sales.buy(listingId, buyer, { body: { payment_method: 'checkout' } });
  cards.payCheckout(sessionOf(body.checkoutUrl));
  await sales.read(body.id, buyer, 'omit');
  return body.id;
};
const withCallback = () => sales.newAgent({ name: 'Agent', callbackUrl: HOOK });
const statusOf = async (id: string, buyer: RegisteredAgent) =>
  (await sales.read(id, buyer, 'omit')).body.status;
const contents = () => received.filter(({ type, data }) => type === 'purchase.delivered' && data.content);

const OUTAGES: readonly [string, ScriptedReply][] = [
  ['times out', { kind: 'timed_out' }],
  ['breaks the connection', { kind: 'unreachable' }],
  ['answers 503', replied('', 503)],
  ['answers 429', replied('', 429)],
];
const ENDS: readonly [string, ScriptedReply][] = [
  ['has nothing', replied({ available: false })],
  ['refuses the query', replied('', 422)],
  ['sends what is no JSON', replied('no')],
];

describe('a paid checkout whose seller fails', () => {
  it.each(OUTAGES)('%s: may be collected again, by request and by push alike', async (_, reply) => {
    const [one, two] = [await sales.newAgent(), await withCallback()];
    outage = reply;
    const [first, second] = [await paidOnPage(one), await paidOnPage(two)];
    const failed = await sales.read(first, one);
    expect(failed.body).toMatchObject({ charged: false, retryable: true });
    await sales.finish();
    expect([await statusOf(first, one), await statusOf(second, two)]).toEqual(['authorized', 'authorized']);
    outage = null;
    expect((await sales.read(first, one)).body).toMatchObject({ status: 'held', contentStatus: 'delivered' });
    await sales.pass(5 * MINUTE_MS);
    expect(await statusOf(second, two)).toBe('held');
    await sales.audit();
  });

  it.each(ENDS)('%s: ends with the money back, by request and by push alike', async (_, reply) => {
    const [one, two] = [await sales.newAgent(), await withCallback()];
    outage = reply;
    const [first, second] = [await paidOnPage(one), await paidOnPage(two)];
    expect((await sales.read(first, one)).body).toMatchObject({ charged: false, retryable: false });
    await sales.finish();
    expect([await statusOf(first, one), await statusOf(second, two)]).toEqual(['failed', 'failed']);
    await sales.audit();
  });

  it('is asked at most 5 times an hour and 20 times in all; then the money goes back', async () => {
    const buyer = await sales.newAgent();
    outage = { kind: 'timed_out' };
    const id = await paidOnPage(buyer);
    const codes: unknown[] = [];
    for (let hour = 0; hour < 4; hour += 1) {
      for (let n = 0; n < 7; n += 1) codes.push((await sales.read(id, buyer)).body.code);
      expect(asked).toBe(5 * (hour + 1));
      market.clock.advance(HOUR_MS);
    }
    expect(codes.slice(0, 7)).toEqual([
      ...Array.from({ length: 5 }, () => 'delivery_timed_out'),
      ...Array.from({ length: 2 }, () => 'collections_limited'),
    ]);
    expect(await statusOf(id, buyer)).toBe('failed');
    await sales.audit();
  });
});

describe('a message for each purchase', () => {
  const messages = () =>
    market.jobs.sent.flatMap((message, index) =>
      message.kind === 'collect' ? [{ ...message, delayMs: market.jobs.delaysMs[index] }] : [],
    );

  it('collects it, goes back to the queue with a longer delay each time, and asks nobody when it comes early', async () => {
    market.jobs.sent.length = 0;
    market.jobs.delaysMs.length = 0;
    outage = { kind: 'timed_out' };
    const buyer = await withCallback();
    const purchaseId = await paidOnPage(buyer);
    const message = { kind: 'collect' as const, purchaseId };
    for (const delayMs of [0, MINUTE_MS, 2 * MINUTE_MS, 4 * MINUTE_MS]) {
      expect(messages().at(-1)).toEqual({ ...message, delayMs });
      market.clock.advance(delayMs);
      for (let n = 0; n < 5; n += 1) await runMessage(market.newPorts(), message);
      await market.background.settled();
    }
    expect(asked).toBe(4);
    outage = null;
    market.clock.advance(8 * MINUTE_MS);
    await Promise.all(Array.from({ length: 5 }, () => runMessage(market.newPorts(), message)));
    expect(contents()).toHaveLength(1);
    await sales.audit();
  });
});

describe('content for a callback', () => {
  it('is pushed with the event, and is the answer that the receipt names', async () => {
    const buyer = await withCallback();
    const id = await paidOnPage(buyer);
    await runWakeUp(market.newPorts());
    await runEveryMinute(market.newPorts());
    expect(contents()).toMatchObject([{ data: { purchaseId: id, content: { price: 1 }, status: 'held' } }]);
    // Nothing is left to be sent again.
    await sales.pass(10 * MINUTE_MS);
    await runEveryMinute(market.newPorts());
    expect(received.filter(({ type }) => type === 'purchase.delivered')).toHaveLength(1);
    const { body } = await sales.read(id, buyer);
    expect(body).toMatchObject({ content: null, contentStatus: 'changed', contentMatchesReceipt: false });
    expect(body.receipt).toEqual(contents()[0]?.data.receipt);
    const stored = await sales.rows<{ data: string }>('SELECT data FROM agent_events');
    expect(JSON.stringify(stored)).not.toContain('price');
  });

  it.each([204, 302, 400, 500])('is given, where the callback answers %i', async (status) => {
    onCallback = () => (status === 302 ? { kind: 'redirected', status } : replied('', status));
    const buyer = await withCallback();
    const id = await paidOnPage(buyer);
    await sales.finish();
    expect(contents()).toHaveLength(1);
    expect((await sales.read(id, buyer)).body.content).toBeNull();
  });

  it('is still owed once, where the connection broke three times; and no more is pushed for a day', async () => {
    onCallback = () => ({ kind: 'unreachable' });
    const buyer = await withCallback();
    const id = await paidOnPage(buyer);
    await sales.finish();
    expect(new Set(contents().map((event) => JSON.stringify(event))).size).toBe(1);
    expect(contents()).toHaveLength(3);
    expect((await sales.read(id, buyer)).body).toMatchObject({
      content: { price: 2 },
      redelivery: { statement: { type: 'purchase_redelivery' } },
    });
    expect((await sales.read(id, buyer)).body.content).toBeNull();

    received = [];
    const others = [await paidOnPage(buyer), await paidOnPage(buyer)];
    await sales.pass(20 * HOUR_MS);
    expect(contents()).toEqual([]);
    // What waits is its buyer's to collect, and is one answer too.
    const [next, last] = others as [string, string];
    expect((await sales.read(next, buyer)).body.content).not.toBeNull();
    expect((await sales.read(next, buyer)).body.content).toBeNull();
    onCallback = () => replied({});
    await sales.pass(8 * HOUR_MS);
    expect(contents()).toMatchObject([{ data: { purchaseId: last } }]);
    await sales.audit();
  });

  it('is one answer, though the callback asks for the purchase while it is being told', async () => {
    const buyer = await withCallback();
    const meanwhile: unknown[] = [];
    onCallback = async ({ type, data }) => {
      if (type === 'purchase.delivered')
        meanwhile.push((await sales.read(String(data.purchaseId), buyer)).body.content);
      return { kind: 'unreachable' };
    };
    await paidOnPage(buyer);
    await sales.finish();
    expect(meanwhile).toEqual([null, null, null]);
  });
});
