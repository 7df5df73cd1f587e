import { runEveryMinute } from '@agent-marketplace/core/compose/jobs.ts';
import { openText } from '@agent-marketplace/core/kernel/sealed-text.ts';
import { DAY_MS, HOUR_MS } from '@agent-marketplace/core/kernel/time.ts';
import { createQueryMarketplace } from '@agent-marketplace/core/testing/marketplace/query-marketplace.ts';
import { sessionOf } from '@agent-marketplace/core/testing/marketplace/sales-marketplace.ts';
import { expect, it } from 'vitest';

// Whoever has no key can have much stored that nobody can ever read again. It is not kept; what was paid for is kept so
// that the holder of the link of its page alone can read it.

const x402 = createQueryMarketplace();
const { sales, market } = x402;
const { cards } = sales;
const QUERY = { text: 'x'.repeat(60_000) };
const MARK = 'zqkeyless';

async function storedBytes(): Promise<number> {
  const [row] = await sales.rows<{ n: number }>(
    'SELECT COALESCE(SUM(LENGTH(query)), 0) + COALESCE(SUM(LENGTH(sealed_query)), 0) AS n FROM purchases',
  );
  return row?.n ?? -1;
}

/** What the seller was asked for, of all requests since. */
function queriesSeen(): unknown[] {
  return market.sellerEndpoint.requests
    .splice(0)
    .map(({ body }) => (JSON.parse(body) as { query: unknown }).query);
}

const readBy = (purchaseId: string, token: string, more = '') =>
  sales.request('GET', `/marketplace/purchases/${purchaseId}?token=${token}${more}`, null);

const tokenOf = (url: unknown) => new URL(String(url)).searchParams.get('token') ?? '';

async function paidCheckout(query: object = QUERY) {
  const { id } = await sales.listing();
  const { body } = await sales.buy(id, null, { body: { payment_method: 'checkout', query } });
  const session = sessionOf(body.checkoutUrl);
  cards.payCheckout(session);
  const token = tokenOf(cards.returnUrlOf(session));
  return { id: body.id, token, read: (more = '') => readBy(body.id, token, more) };
}

/** All that is stored, as text. */
async function stored(): Promise<string> {
  const tables = await sales.rows<{ name: string }>("SELECT name FROM sqlite_master WHERE type = 'table'");
  const rows: unknown[] = [];
  for (const { name } of tables) rows.push(await sales.rows(`SELECT * FROM "${name}"`));
  return JSON.stringify(rows);
}

/** Every run of hexadecimal digits that a key could be cut from. */
function keysIn(text: string): Set<string> {
  const keys = new Set<string>();
  for (const [run] of text.matchAll(/[0-9a-f]{32,}/g))
    for (let at = 0; at + 32 <= run.length; at += 1) keys.add(run.slice(at, at + 32));
  return keys;
}

const SEALED: readonly (readonly [string, () => Promise<{ id: string; token: string }>])[] = [
  ['over x402', () => paidOverX402().then(({ id, token }) => ({ id, token }))],
  ['at a checkout', () => paidCheckout({ city: MARK })],
];

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
  expect(over.body).toMatchObject({ status: 'released', content: null, contentStatus: 'ended' });
  expect(over.body.receipt).not.toBeNull();
  // Its page offers nothing that is over.
  expect((await read('&content=omit')).body).toMatchObject({ contentStatus: 'ended' });
  expect(queriesSeen()).toEqual([]);
});

async function paidOverX402() {
  const { id: listingId } = await sales.listing({ priceCents: 500 });
  const parameters = `?city=${MARK}`;
  const headers = await x402.pay(x402.newPayer(), listingId, 2, { parameters });
  const resend = () => x402.query(listingId, headers, parameters);
  const { body } = await resend();
  return { id: body.id, token: tokenOf(body.purchaseUrl), resend };
}

it.each(SEALED)('what was paid for %s is read with its link alone, days later too', async (_, buy) => {
  // What was stored before is no key of a sale that begins now.
  const keysBefore = keysIn(await stored());
  const { id, token } = await buy();
  expect(await stored()).not.toContain(MARK);
  expect((await readBy(id, token)).body).toMatchObject({ status: 'held', query: { city: MARK } });
  market.clock.advance(3 * DAY_MS);
  queriesSeen();
  const again = await readBy(id, token);
  expect(again.body).toMatchObject({ query: { city: MARK }, contentMatchesReceipt: true });
  expect(queriesSeen()).toEqual([{ city: MARK }]);

  const everything = await stored();
  expect(everything).not.toContain(MARK);
  const [row] = await sales.rows<{ sealed: string }>(
    "SELECT sealed_query ->> 'text' AS sealed FROM purchases WHERE id = ?",
    id,
  );
  const context = `purchase_query\n${id}`;
  const key = token.split('.')[2] ?? '';
  expect(await openText(row?.sealed ?? '', key, context)).toContain(MARK);
  expect(everything).not.toContain(key);
  // What the marketplace can make of its own secrets is the rest of the link: that opens nothing.
  const [expiry, mac] = token.split('.');
  queriesSeen();
  for (const forged of [`${expiry}.${mac}`, `${expiry}.${mac}.${'0'.repeat(32)}`, `${expiry}.${mac}.${mac}`])
    expect((await readBy(id, forged)).status, forged).toBe(403);
  const keys = [...keysIn(everything)].filter((one) => !keysBefore.has(one));
  expect(keys.length).toBeGreaterThan(50);
  for (const one of keys) expect(await openText(row?.sealed ?? '', one, context)).toBeNull();
  expect(queriesSeen()).toEqual([]);
});

it('the same payment over x402 brings the data and a link that opens it, and ends with the query', async () => {
  const { id, resend } = await paidOverX402();
  market.clock.advance(HOUR_MS);
  queriesSeen();
  const { body } = await resend();
  expect(queriesSeen()).toEqual([{ city: MARK }]);
  const token = tokenOf(body.purchaseUrl);
  expect((await readBy(id, token)).body).toMatchObject({
    query: { city: MARK },
    contentMatchesReceipt: true,
  });
  expect(await stored()).not.toContain(MARK);
  // Its seller has no wallet to be paid to: in escrow it may be answered for a year.
  market.clock.advance(365 * DAY_MS);
  await runEveryMinute(market.newPorts());
  const [row] = await sales.rows<{ sealed: unknown }>(
    'SELECT sealed_query AS sealed FROM purchases WHERE id = ?',
    id,
  );
  expect(row?.sealed).toBeNull();
});
