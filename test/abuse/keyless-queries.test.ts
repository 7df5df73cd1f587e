import { runEveryMinute } from '@agent-marketplace/core/compose/jobs.ts';
import { DAY_MS, HOUR_MS } from '@agent-marketplace/core/kernel/time.ts';
import { purchasePageOf } from '@agent-marketplace/core/sales/index.ts';
import { createSalesMarketplace, sessionOf } from '@agent-marketplace/core/testing/sales-marketplace.ts';
import { expect, it } from 'vitest';

// Whoever has no key can have much stored that nobody can ever read again. It is not kept.

const sales = createSalesMarketplace();
const { market, cards } = sales;
const QUERY = { text: 'x'.repeat(60_000) };

async function storedBytes(): Promise<number> {
  const [row] = await sales.rows<{ n: number }>('SELECT COALESCE(SUM(LENGTH(query)), 0) AS n FROM purchases');
  return row?.n ?? -1;
}

/** What the seller was asked for, of all requests since. */
function queriesSeen(): unknown[] {
  return market.sellerEndpoint.requests
    .splice(0)
    .map(({ body }) => (JSON.parse(body) as { query: unknown }).query);
}

async function paidCheckout() {
  const { id } = await sales.listing();
  const { body } = await sales.buy(id, null, { body: { payment_method: 'checkout', query: QUERY } });
  cards.payCheckout(sessionOf(body.checkoutUrl));
  const place = { baseUrl: 'http://localhost/api', siteUrl: null };
  const url = new URL((await purchasePageOf(market.newPorts(), place, body.id)).url);
  const read = () =>
    sales.request('GET', `/marketplace/purchases/${body.id}?token=${url.searchParams.get('token')}`, null);
  return { id: body.id, read };
}

it('a hundred free purchases with 60 KB each leave none of it', async () => {
  const { id } = await sales.listing({ priceCents: 0 });
  const before = await storedBytes();
  for (let n = 0; n < 100; n += 1) {
    const { status, body } = await sales.buy(id, null, { body: { query: QUERY } });
    expect([status, body.status]).toEqual([200, 'released']);
  }
  expect(await storedBytes()).toBe(before);
});

it('the same order sent again is answered for the same query, though it is not stored', async () => {
  const { id } = await sales.listing({ priceCents: 0 });
  const order = { idempotencyKey: 'keyless-1', body: { query: { city: 'Brest' } } };
  const first = await sales.buy(id, null, order);
  queriesSeen();
  const repeat = await sales.buy(id, null, order);
  expect(queriesSeen()).toEqual([{ city: 'Brest' }]);
  expect([repeat.body.id, repeat.body.contentMatchesReceipt]).toEqual([first.body.id, true]);
});

it('with a key it is kept: its buyer may have it answered again', async () => {
  const { id } = await sales.listing({ priceCents: 0 });
  const buyer = await sales.newAgent();
  const before = await storedBytes();
  const { body } = await sales.buy(id, buyer, { body: { query: QUERY } });
  expect(await storedBytes()).toBeGreaterThan(before);
  market.clock.advance(60 * DAY_MS);
  await runEveryMinute(market.newPorts());
  expect((await sales.read(body.id, buyer)).body).toMatchObject({ contentMatchesReceipt: true });
});

it('pages that nobody pays leave nothing once they are over', async () => {
  const { id } = await sales.listing();
  const before = await storedBytes();
  await sales.buy(id, null, { body: { payment_method: 'checkout', query: QUERY } });
  expect(await storedBytes()).toBeGreaterThan(before);
  for (let hour = 0; hour < 3; hour += 1) {
    market.clock.advance(HOUR_MS);
    await runEveryMinute(market.newPorts());
  }
  expect((await sales.purchases(id))[0]?.status).toBe('expired');
  expect(await storedBytes()).toBe(before);
});

it('what was paid for is answered again through its link for 30 days, and its query is deleted then', async () => {
  const before = await storedBytes();
  const { read } = await paidCheckout();
  expect((await read()).body).toMatchObject({ status: 'held', contentStatus: 'delivered' });
  await sales.pass(5 * DAY_MS);
  market.clock.advance(25 * DAY_MS - HOUR_MS);
  await runEveryMinute(market.newPorts());
  expect((await read()).body).toMatchObject({ status: 'released', contentMatchesReceipt: true });
  expect(await storedBytes()).toBeGreaterThan(before);

  market.clock.advance(HOUR_MS);
  await runEveryMinute(market.newPorts());
  expect(await storedBytes()).toBe(before);
  queriesSeen();
  const over = await read();
  expect(over.body).toMatchObject({ status: 'released', content: null, contentStatus: 'omitted' });
  expect(over.body.receipt).not.toBeNull();
  expect(queriesSeen()).toEqual([]);
});
