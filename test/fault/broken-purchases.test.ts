import { settleCheckout } from '@agent-marketplace/core/purchases/index.ts';
import { sellerOf } from '@agent-marketplace/core/testing/fake-seller-endpoint.ts';
import type { RegisteredAgent } from '@agent-marketplace/core/testing/new-seller.ts';
import {
  type Bought,
  createSalesMarketplace,
  sessionOf,
} from '@agent-marketplace/core/testing/sales-marketplace.ts';
import { afterEach, describe, expect, it } from 'vitest';

// Every step of a purchase is broken, one after the other: the request to the database or the card processor
// is lost, or its reply; after that all goes well, or the process is dead. Then the buyer comes back with
// the same Idempotency-Key, and the jobs run.

const sales = createSalesMarketplace();
const { market, cards } = sales;
const PRICE = 3000;
const MINUTE = 60_000;

market.sellerEndpoint.script = sellerOf({ answer: 42 });
afterEach(() => heal());

type Fault = 'lose_request' | 'lose_reply';
interface Schedule {
  /** Which call breaks, counted over the database and the card processor together. */
  readonly at: number;
  readonly fault: Fault;
  /** Nothing gets through after it: the process is dead. */
  readonly isDeath: boolean;
}

function schedules(calls: number): Schedule[] {
  return Array.from({ length: calls }, (_, at) => at).flatMap((at) =>
    (['lose_request', 'lose_reply'] as const).flatMap((fault) =>
      [false, true].map((isDeath) => ({ at, fault, isDeath })),
    ),
  );
}

function breakAt({ at, fault, isDeath }: Schedule): () => number {
  let calls = 0;
  const next = (): Fault | undefined => {
    const call = calls++;
    if (call === at) return fault;
    return isDeath && call > at ? 'lose_request' : undefined;
  };
  market.market.fault = next;
  cards.fault = next;
  return () => calls;
}

async function heal(): Promise<void> {
  await market.background.settled();
  market.market.fault = () => undefined;
  cards.fault = () => undefined;
}

/** What the processor kept of all payments of a listing. */
async function keptByProcessor(listingId: string): Promise<number> {
  const rows = await sales.rows<{ id: string }>(
    'SELECT payment_id AS id FROM payments JOIN purchases ON id = purchase_id WHERE listing_id = ? AND payment_id IS NOT NULL',
    listingId,
  );
  let cents = 0;
  for (const { id } of rows) {
    const payment = await cards.getPayment(id);
    expect(payment.status).not.toBe('authorized');
    cents += payment.capturedCents - payment.refundedCents;
  }
  return cents;
}

/** Whoever was shown the content has paid for it by then. */
async function expectPaidIfShown(body: Bought): Promise<void> {
  if (!body.content) return;
  const [row] = await sales.rows<{ status: string }>('SELECT status FROM purchases WHERE id = ?', body.id);
  expect(row?.status).toBe('held');
}

/** Ends what was begun: no purchase is left half-way, and one sale at most was made. */
async function expectOneSale(listingId: string): Promise<void> {
  const statuses = (await sales.purchases(listingId)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 'held')).toHaveLength(1);
  expect(statuses.filter((status) => status === 'authorized' || status === 'pending_payment')).toEqual([]);
  await sales.audit();
}

async function newBuyer(method: 'wallet' | 'card'): Promise<RegisteredAgent> {
  const buyer = await sales.newAgent();
  if (method === 'wallet') await sales.fund(buyer, PRICE);
  else await sales.saveCard(buyer);
  return buyer;
}

describe.each(['wallet', 'card'] as const)('a purchase by %s', (method) => {
  const calls = method === 'wallet' ? 8 : 12;

  it('makes no more calls than are broken below', async () => {
    const { id } = await sales.listing({ priceCents: PRICE });
    const buyer = await newBuyer(method);
    const made = breakAt({ at: Number.POSITIVE_INFINITY, fault: 'lose_request', isDeath: false });
    await sales.buy(id, buyer, { body: { payment_method: method }, idempotencyKey: crypto.randomUUID() });
    await market.background.settled();
    expect(made()).toBeLessThanOrEqual(calls);
  });

  it.each(schedules(calls))(
    'breaks at $at: $fault, dead after it: $isDeath (invariants 3 and 8)',
    async (schedule) => {
      const { id } = await sales.listing({ priceCents: PRICE, listingType: 'limited', maxCopies: 2 });
      const buyer = await newBuyer(method);
      const options = { body: { payment_method: method }, idempotencyKey: crypto.randomUUID() };
      breakAt(schedule);
      const broken = await sales.buy(id, buyer, options);
      await heal();
      await expectPaidIfShown(broken.body);
      await sales.audit();

      let answer = await sales.buy(id, buyer, options);
      await expectPaidIfShown(answer.body);
      for (let tries = 0; tries < 4 && answer.status !== 200; tries += 1) {
        await sales.pass(3 * MINUTE);
        answer = await sales.buy(id, buyer, options);
      }
      expect(answer.body, JSON.stringify(answer.body)).toMatchObject({
        status: 'held',
        content: { answer: 42 },
      });
      await sales.pass(10 * MINUTE);
      await expectOneSale(id);
      expect(await sales.sold(id)).toBe(1);
      if (method === 'wallet') expect(await sales.balanceOf(buyer)).toBe(0);
      else expect(await keptByProcessor(id)).toBe(PRICE);
    },
  );
});

describe('a purchase by checkout', () => {
  it.each(schedules(8))(
    'collecting breaks at $at: $fault, dead after it: $isDeath (invariant 8)',
    async (schedule) => {
      const { id } = await sales.listing({ priceCents: PRICE });
      const buyer = await sales.newAgent();
      const { body } = await sales.buy(id, buyer, { body: { payment_method: 'checkout' } });
      cards.payCheckout(sessionOf(body.checkoutUrl));
      breakAt(schedule);
      const broken = await sales.read(body.id, buyer);
      await heal();
      await expectPaidIfShown(broken.body);
      await sales.audit();

      let answer = await sales.read(body.id, buyer);
      await expectPaidIfShown(answer.body);
      for (let tries = 0; tries < 4 && answer.body.status !== 'held'; tries += 1) {
        market.clock.advance(MINUTE);
        answer = await sales.read(body.id, buyer);
      }
      expect(answer.body, JSON.stringify(answer.body)).toMatchObject({
        status: 'held',
        content: { answer: 42 },
      });
      await expectOneSale(id);
      expect(await keptByProcessor(id)).toBe(PRICE);
    },
  );

  it.each(schedules(8))(
    'collecting breaks at $at: $fault, dead after it: $isDeath, and nobody comes back',
    async (schedule) => {
      const { id } = await sales.listing({ priceCents: PRICE });
      const buyer = await sales.newAgent();
      const { body } = await sales.buy(id, buyer, { body: { payment_method: 'checkout' } });
      cards.payCheckout(sessionOf(body.checkoutUrl));
      breakAt(schedule);
      await sales.read(body.id, buyer);
      await heal();
      await sales.pass(8 * 24 * 60 * MINUTE, 12);
      await sales.audit();
      const [purchase] = await sales.purchases(id);
      const isSold = purchase?.status === 'held' || purchase?.status === 'released';
      if (!isSold) expect(['expired', 'refunded', 'failed']).toContain(purchase?.status);
      expect(await keptByProcessor(id)).toBe(isSold ? PRICE : 0);
    },
  );
});

describe('the page of a purchase by checkout', () => {
  it.each(schedules(6))(
    'opening breaks at $at: $fault, dead after it: $isDeath (invariant 3)',
    async (schedule) => {
      const { id } = await sales.listing({ priceCents: PRICE, listingType: 'limited', maxCopies: 2 });
      const buyer = await sales.newAgent();
      const options = { body: { payment_method: 'checkout' }, idempotencyKey: crypto.randomUUID() };
      breakAt(schedule);
      await sales.buy(id, buyer, options);
      await heal();
      let answer = await sales.buy(id, buyer, options);
      for (let tries = 0; tries < 3 && answer.status !== 200; tries += 1) {
        await sales.pass(3 * MINUTE);
        answer = await sales.buy(id, buyer, options);
      }
      cards.payCheckout(sessionOf(answer.body.checkoutUrl));
      expect((await sales.read(answer.body.id, buyer)).body).toMatchObject({ status: 'held' });
      await sales.pass(2 * 60 * MINUTE);
      await expectOneSale(id);
      expect(await keptByProcessor(id)).toBe(PRICE);
    },
  );

  it.each(schedules(6))(
    'its report breaks at $at: $fault, dead after it: $isDeath (invariant 9)',
    async (schedule) => {
      const { id } = await sales.listing({ priceCents: PRICE });
      const buyer = await sales.newAgent();
      const { body } = await sales.buy(id, buyer, { body: { payment_method: 'checkout' } });
      const sessionId = sessionOf(body.checkoutUrl);
      cards.payCheckout(sessionId);
      breakAt(schedule);
      await settleCheckout(market.newPorts(), { sessionId }).catch(() => {});
      await heal();
      expect(await settleCheckout(market.newPorts(), { sessionId })).toBe(true);
      expect((await sales.purchases(id))[0]?.status).toBe('authorized');
      await sales.audit();
    },
  );
});

describe('a bulk purchase', () => {
  it.each(schedules(7))('breaks at $at: $fault, dead after it: $isDeath (invariant 3)', async (schedule) => {
    const seller = await sales.seller();
    const ids: string[] = [];
    for (let index = 0; index < 2; index += 1)
      ids.push((await sales.listing({ priceCents: PRICE / 2 }, seller)).id);
    const buyer = await newBuyer('wallet');
    const headers = { 'idempotency-key': crypto.randomUUID() };
    const bulk = () =>
      sales.request('POST', '/marketplace/purchases/bulk', buyer.apiKey, { listing_ids: ids }, headers);
    breakAt(schedule);
    await bulk();
    await heal();
    let answer = await bulk();
    for (let tries = 0; tries < 3 && answer.status !== 200; tries += 1) {
      await sales.pass(3 * MINUTE);
      answer = await bulk();
    }
    const { items } = answer.body as unknown as { items: { purchaseId: string; code: string | null }[] };
    await sales.pass(3 * MINUTE);
    const isShort = items.some(({ code }) => code === 'wallet_insufficient');
    // What the broken request had set aside may be on its way back still: then less was reserved, never more.
    expect(items.every(({ code }) => code === null) || isShort).toBe(true);
    for (const { purchaseId } of items.filter(({ code }) => code === null))
      expect((await sales.read(purchaseId, buyer)).body.status).toBe('held');
    await sales.pass(7 * 24 * 60 * MINUTE, 8);
    await sales.audit();
    expect(await sales.balanceOf(buyer)).toBe((PRICE / 2) * items.filter(({ code }) => code !== null).length);
  });
});

describe('a request that outlives its minute', () => {
  it.each([
    ['wallet', undefined],
    ['card', undefined],
    ['card', 'lose_request'],
    ['card', 'lose_reply'],
  ] as const)(
    '%s, what the job asks of the processor: %s: shows nothing, charges nothing (invariant 8)',
    async (method, fault) => {
      const { id } = await sales.listing({ priceCents: PRICE });
      const buyer = await newBuyer(method);
      const good = market.sellerEndpoint.script;
      market.sellerEndpoint.script = async (request) => {
        market.clock.advance(2 * MINUTE);
        cards.fault = ({ method: called }) => (called === 'cancel' ? fault : undefined);
        await sales.finish();
        cards.fault = () => undefined;
        return good(request);
      };
      const { status, body } = await sales.buy(id, buyer, { body: { payment_method: method } });
      market.sellerEndpoint.script = good;
      expect([status, body.code, body.content]).toEqual([409, 'reservation_gone', undefined]);
      await sales.pass(10 * MINUTE);
      await sales.audit();
      expect((await sales.purchases(id))[0]?.status).toMatch(/^(expired|refunded)$/);
      if (method === 'wallet') expect(await sales.balanceOf(buyer)).toBe(PRICE);
      else expect(await keptByProcessor(id)).toBe(0);
    },
  );
});

describe('many at once', () => {
  it('100 requests on funds for 3: exactly 3 succeed (invariant 4)', async () => {
    const { id } = await sales.listing({ priceCents: 10_000 });
    const buyer = await sales.newAgent();
    await sales.fund(buyer, 35_000);
    const body = { payment_method: 'wallet' };
    const answers = await Promise.all(Array.from({ length: 100 }, () => sales.buy(id, buyer, { body })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
    for (const { status, body: refused } of answers.filter((answer) => answer.status !== 200)) {
      expect([status, refused.code, refused.charged]).toEqual([402, 'wallet_insufficient', false]);
    }
    expect(await sales.balanceOf(buyer)).toBe(5000);
    await sales.audit();
  });

  it.each([
    [{ listingType: 'limited', maxCopies: 3 }, 3],
    [{ listingType: 'exclusive' }, 1],
  ])('%j never settles more than %i (invariant 5)', async (fields, copies) => {
    const { id } = await sales.listing({ priceCents: 100, ...fields });
    const buyers = await Promise.all(Array.from({ length: 8 }, () => newBuyer('wallet')));
    const answers = await Promise.all(buyers.map((buyer) => sales.buy(id, buyer)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(copies);
    for (const { body } of answers.filter(({ status }) => status !== 200)) expect(body.code).toBe('sold_out');
    expect(await sales.sold(id)).toBe(copies);
    await sales.audit();
  });

  it('the same Idempotency-Key at once: one debit (invariant 2)', async () => {
    const { id } = await sales.listing({ priceCents: 1000 });
    const buyer = await newBuyer('wallet');
    const idempotencyKey = crypto.randomUUID();
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => sales.buy(id, buyer, { idempotencyKey })),
    );
    expect(answers.every(({ status }) => status === 200 || status === 409)).toBe(true);
    expect(await sales.balanceOf(buyer)).toBe(PRICE - 1000);
    const other = await sales.buy(id, buyer, { idempotencyKey, body: { query: { other: 1 } } });
    expect(other.status).toBe(422);
    await expectOneSale(id);
  });
});
