import { afterEach, expect, it } from 'vitest';
import { keySetOf, verifyStatement } from '../../../sdk/src/index.ts';
import { recordPartyMark } from '../agents/index.ts';
import { DAY_MS, isoTime, MINUTE_MS } from '../kernel/time.ts';
import { sweepSearchOutbox } from '../listings/index.ts';
import { PLATFORM_LISTINGS, publishPlatformListings } from '../platform/index.ts';
import { replied, type ScriptedReply, sellerOf } from '../testing/doubles/fake-seller-endpoint.ts';
import type { RegisteredAgent } from '../testing/fixtures/new-seller.ts';
import { createQueryMarketplace } from '../testing/marketplace/query-marketplace.ts';
import { measureListings } from './measure-listings.ts';

// What is shown of a listing's deliveries comes from what its buyers were given, and nothing else moves it.

const x402 = createQueryMarketplace();
const { sales, market } = x402;
const good = sellerOf({ answer: 42 });

afterEach(() => {
  market.sellerEndpoint.script = good;
});

interface Detail {
  readonly listing: { readonly measured: Record<string, number | null> | null };
  readonly quality: { readonly statement: Record<string, unknown>; readonly digest: string } | null;
}

async function measure(): Promise<void> {
  await market.background.settled();
  market.clock.advance(11 * MINUTE_MS);
  await measureListings(market.newPorts());
}

async function detailOf(id: string): Promise<Detail> {
  await measure();
  const { body } = await sales.request('GET', `/marketplace/listings/${id}`, null);
  return body as unknown as Detail;
}

const measuredOf = async (id: string) => (await detailOf(id)).listing.measured;

async function buyers(count: number): Promise<RegisteredAgent[]> {
  return Promise.all(Array.from({ length: count }, () => sales.newAgent()));
}

/** The next requests are answered so, each after so long. */
function answers(...replies: readonly (readonly [latencyMs: number, reply: ScriptedReply | null])[]): void {
  const waiting = [...replies];
  market.sellerEndpoint.script = (request) => {
    const [latencyMs, reply] = waiting.shift() ?? [0, null];
    market.clock.advance(latencyMs);
    return reply ?? good(request);
  };
}

it('nothing is shown before five attempts; then each kind of outcome, on every rail, is', async () => {
  const seller = await sales.seller();
  const free = await sales.listing({ priceCents: 0 }, seller);
  const [ann, bob, cal] = (await buyers(3)) as [RegisteredAgent, RegisteredAgent, RegisteredAgent];
  answers([100, null], [200, null], [400, replied('', 404)], [0, { kind: 'timed_out' }]);
  for (const buyer of [ann, ann, bob, bob]) await sales.buy(free.id, buyer);
  expect(await measuredOf(free.id)).toBeNull();
  answers([50, replied('', 422)]);
  await sales.buy(free.id, cal);
  const shown = await detailOf(free.id);
  expect(shown.listing.measured).toEqual({
    buyers30d: 3,
    declinedRate: 0.2,
    measuredAt: expect.any(String),
    // The limits of the buckets that 100 and 200 ms are in.
    p50Ms: 108,
    p95Ms: 216,
    samples: 5,
    schemaValidRate: null,
    successRate: 0.15,
    uptime: 1,
  });

  const outputSchema = { type: 'object', properties: { answer: { type: 'integer' } }, required: ['answer'] };
  const priced = await sales.listing({ priceCents: 1000, outputSchema }, seller);
  await sales.fund(ann, 10_000);
  await sales.saveCard(bob);
  const payer = x402.newPayer();
  await sales.buy(priced.id, ann, { body: { payment_method: 'wallet' } });
  await sales.buy(priced.id, bob, { body: { payment_method: 'card' } });
  expect((await x402.query(priced.id, await x402.pay(payer, priced.id, 2))).status).toBe(200);
  market.sellerEndpoint.script = sellerOf({ answer: 'many' });
  await sales.buy(priced.id, ann, { body: { payment_method: 'wallet' } });
  market.sellerEndpoint.script = () => replied('', 500);
  expect((await x402.query(priced.id, await x402.pay(payer, priced.id, 2))).status).toBe(502);
  expect(await measuredOf(priced.id)).toMatchObject({
    buyers30d: 3,
    samples: 5,
    schemaValidRate: 0.75,
    successRate: 0.23,
  });
});

it('is a signed statement of its own, which the marketplace verifies, and browsing shows the same figures', async () => {
  const { id, seller } = await sales.listing({ priceCents: 0 });
  for (const buyer of await buyers(5)) await sales.buy(id, buyer);
  const { listing, quality } = await detailOf(id);
  expect(quality?.statement).toEqual({
    ...listing.measured,
    listingId: id,
    sellerId: seller.id,
    type: 'listing_quality',
  });
  const verified = async (statement: unknown) =>
    (
      await sales.request('POST', '/verify-receipt', null, {
        receipt: quality as never,
        payload: statement as never,
      })
    ).body;
  expect(await verified(quality?.statement)).toMatchObject({ valid: true });
  const keys = keySetOf((await sales.request('GET', '/signing-key', null)).body as never);
  expect(await verifyStatement(quality, keys, 'listing_quality')).toMatchObject({ valid: true });
  expect(await verified({ ...quality?.statement, successRate: 1 })).toMatchObject({ valid: false });
  await sweepSearchOutbox(market.newPorts());
  const { body } = await sales.request('GET', '/marketplace/listings?limit=100', null);
  const page = body as unknown as { listings: { id: string; measured: unknown }[] };
  expect(page.listings.find((one) => one.id === id)?.measured).toEqual(listing.measured);
});

it('a buyer counts 20 times a day at most, however often it fails or succeeds; so do all without a key together', async () => {
  const { id } = await sales.listing({ priceCents: 0 });
  const [foe, friend] = (await buyers(2)) as [RegisteredAgent, RegisteredAgent];
  market.sellerEndpoint.script = () => replied('', 500);
  for (let n = 0; n < 40; n += 1) await sales.buy(id, foe);
  for (let n = 0; n < 25; n += 1) await sales.buy(id, null);
  market.sellerEndpoint.script = good;
  for (let n = 0; n < 25; n += 1) await sales.buy(id, friend);
  expect(await measuredOf(id)).toMatchObject({ samples: 60, buyers30d: 2 });
  market.clock.advance(DAY_MS);
  await sales.buy(id, foe);
  expect(await measuredOf(id)).toMatchObject({ samples: 61, buyers30d: 2 });
});

it('what one party sells itself moves nothing, and neither does what the platform gives away', async () => {
  const seller = await sales.seller();
  const { id } = await sales.listing({ priceCents: 100 }, seller);
  const [own, ...others] = await buyers(6);
  if (!own) throw new Error('There is no buyer.');
  await market
    .newPorts()
    .market.commit([recordPartyMark(own.id, 'email', 'one'), recordPartyMark(seller.id, 'email', 'one')]);
  for (const buyer of [own, ...others]) await sales.fund(buyer, 2000);
  for (const buyer of others) await sales.buy(id, buyer);
  const before = await measuredOf(id);
  expect(before).toMatchObject({ samples: 5 });
  for (let n = 0; n < 10; n += 1) await sales.buy(id, own);
  market.clock.advance(2 * DAY_MS);
  expect({ ...(await measuredOf(id)), measuredAt: before?.measuredAt }).toEqual(before);

  await publishPlatformListings(market.newPorts());
  const [reference] = PLATFORM_LISTINGS.filter(({ exampleQuery }) => exampleQuery !== null);
  for (const buyer of [own, ...others])
    await sales.buy(reference?.id ?? '', buyer, { body: { query: reference?.exampleQuery } });
  const counted = await sales.rows('SELECT * FROM quality_days WHERE listing_id = ?', reference?.id ?? '');
  expect([counted, await measuredOf(reference?.id ?? '')]).toEqual([[], null]);
});

it('a failure of the marketplace itself counts for nothing', async () => {
  const { id } = await sales.listing({ priceCents: 0 });
  market.sellerEndpoint.script = () => ({ kind: 'relay_busy' });
  for (const buyer of await buyers(6)) await sales.buy(id, buyer);
  expect(await measuredOf(id)).toBeNull();
  expect(await sales.rows('SELECT * FROM quality_buyers WHERE listing_id = ?', id)).toEqual([]);
});

it('days leave the window one by one, and what left it is deleted', async () => {
  const { id } = await sales.listing({ priceCents: 0 });
  const [one] = (await buyers(1)) as [RegisteredAgent];
  for (let n = 0; n < 3; n += 1) await sales.buy(id, one);
  market.clock.advance(DAY_MS);
  for (let n = 0; n < 5; n += 1) await sales.buy(id, one);
  expect(await measuredOf(id)).toMatchObject({ samples: 8 });
  market.clock.advance(28 * DAY_MS);
  const midnight = market.clock.now() - (market.clock.now() % DAY_MS);
  market.clock.set(midnight + DAY_MS);
  expect(await measuredOf(id)).toMatchObject({ samples: 5 });
  market.clock.advance(DAY_MS);
  expect(await measuredOf(id)).toBeNull();
  const left = await sales.rows('SELECT day FROM quality_days WHERE listing_id = ?', id);
  expect(left, isoTime(market.clock.now())).toEqual([]);
  expect(await sales.rows('SELECT buyer FROM quality_buyers WHERE listing_id = ?', id)).toEqual([]);
});

it('is shown by day, at once, and not at all under five attempts', async () => {
  const { id } = await sales.listing({ priceCents: 0 });
  const [one, other] = (await buyers(2)) as [RegisteredAgent, RegisteredAgent];
  const read = async () => (await sales.request('GET', `/marketplace/listings/${id}/quality`, null)).body;
  for (let n = 0; n < 4; n += 1) await sales.buy(id, one);
  const first = isoTime(market.clock.now()).slice(0, 10);
  expect(await read()).toMatchObject({ days: [], listingId: id, until: first });
  market.clock.advance(2 * DAY_MS);
  answers([100, null], [400, null]);
  for (let n = 0; n < 2; n += 1) await sales.buy(id, one);
  market.sellerEndpoint.script = () => replied('', 500);
  await sales.buy(id, other);
  const until = isoTime(market.clock.now()).slice(0, 10);
  const { days, from } = (await read()) as unknown as { days: object[]; from: string };
  expect(days).toEqual([
    expect.objectContaining({ attempts: 4, day: first, delivered: 4, deliveredShare: 1 }),
    {
      attempts: 3,
      day: until,
      declined: 0,
      delivered: 2,
      deliveredShare: 0.666,
      p50Ms: 108,
      p95Ms: 431,
    },
  ]);
  expect(Date.parse(until) - Date.parse(from)).toBe(29 * DAY_MS);
  market.clock.advance(28 * DAY_MS);
  expect(await read(), 'the four have left the window').toMatchObject({ days: [] });
});

it('a listing that is bought all the time is measured and signed every ten minutes, not each minute', async () => {
  const { id } = await sales.listing({ priceCents: 0 });
  for (const buyer of await buyers(5)) await sales.buy(id, buyer);
  const first = await measuredOf(id);
  for (let minute = 0; minute < 9; minute += 1) {
    market.clock.advance(MINUTE_MS);
    await sales.buy(id, null);
    await market.background.settled();
    await measureListings(market.newPorts());
  }
  const [row] = await sales.rows<{ at: string }>(
    'SELECT measured_at AS at FROM listing_measures WHERE listing_id = ?',
    id,
  );
  expect(row?.at).toBe(first?.measuredAt);
  expect(await measuredOf(id)).toMatchObject({ samples: 14 });
});
