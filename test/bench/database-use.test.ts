import { publishPlatformListings } from '@agent-marketplace/core/platform/index.ts';
import { createQueryMarketplace } from '@agent-marketplace/core/testing/marketplace/query-marketplace.ts';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { DATABASE_USE, type DatabaseUse } from './database-use.data.ts';
import { PURCHASED, PURCHASED_QUERY } from './purchased.ts';

// What the probes of the bench repeat is what the product asks.

const { sales, market } = createQueryMarketplace();
let apiKey = '';
let priced = '';
/** How many round trips there were as the seller was asked; null: it was not. */
let askedAfter: number | null = null;

beforeAll(async () => {
  await publishPlatformListings(market.newPorts());
  priced = (await sales.listing({ priceCents: 1 })).id;
  const buyer = await sales.newAgent();
  await sales.fund(buyer, 2000);
  apiKey = buyer.apiKey;
  const { script } = market.sellerEndpoint;
  market.sellerEndpoint.script = (request) => {
    askedAfter = market.market.count;
    return script(request);
  };
});

beforeEach(async () => {
  await market.background.settled();
  market.market.reset();
  askedAfter = null;
});

async function useOf(method: string, path: string, body?: object): Promise<DatabaseUse> {
  const { status } = await market.request(method, path, body ? { apiKey, body } : {});
  expect(status).toBe(200);
  await market.background.settled();
  const roundTrips = market.market.roundTrips.map((sql) => {
    const read = body === undefined ? ('near' as const) : ('read' as const);
    return { kind: sql.every(isRead) ? read : ('commit' as const), statements: sql.length };
  });
  // Nothing is answered before the last commit, and nothing is read between it and the answer.
  const answered = roundTrips.findLastIndex(({ kind }) => kind === 'commit') + 1 || roundTrips.length;
  const delivered = askedAfter ?? answered;
  return {
    beforeDelivery: roundTrips.slice(0, delivered),
    afterDelivery: roundTrips.slice(delivered, answered),
    inBackground: roundTrips.slice(answered),
  };
}

const isRead = (sql: string) => /^\s*SELECT/i.test(sql);

it('a listing', async () => {
  expect(await useOf('GET', `/marketplace/listings/${priced}`)).toEqual(DATABASE_USE.detail);
});

it('a free purchase that the platform answers', async () => {
  const use = await useOf('POST', `/marketplace/listings/${PURCHASED}/purchase`, { query: PURCHASED_QUERY });
  expect(use).toEqual(DATABASE_USE.purchase);
});

it('a purchase from the wallet', async () => {
  const path = `/marketplace/listings/${priced}/purchase`;
  expect(await useOf('POST', path, { payment_method: 'wallet' })).toEqual(DATABASE_USE.wallet);
});
