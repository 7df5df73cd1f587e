import { expect, it } from 'vitest';
import { readSigned } from '../testing/marketplace/read-signed.ts';
import { createTestMarketplace } from '../testing/marketplace/workers-harness.ts';

const market = createTestMarketplace();

async function browse(query: string, headers: Record<string, string> = {}) {
  const response = await market.request('GET', `/marketplace/listings${query}`, { headers });
  return { status: response.status, ...(await readSigned(response)) };
}

it('adds live depth to class=COMMERCE, of the vertical that is browsed, for the rail that is named', async () => {
  market.depth.live = 3;
  const { body } = await browse('?class=COMMERCE&vertical=market-data&rail=X402');
  expect(body.depth).toEqual({
    catalog_cardinality_is_not_depth: true,
    class: 'COMMERCE',
    classification: 'SPARSE',
    counted: 'both',
    founding_open: false,
    freshness_max_age_s: 120,
    live_counterparties: 3,
    rail: 'X402',
    vertical: 'market-data',
  });
  expect(market.depth.queries.at(-1)).toEqual({
    intentClass: 'COMMERCE',
    side: null,
    vertical: 'market-data',
  });
  expect(body).not.toHaveProperty('depth_notice');
  const byHeader = await browse('', { 'X-MKT-Class': 'COMMERCE' });
  expect(byHeader.body.depth).toMatchObject({ live_counterparties: 3, vertical: null });
});

it('lists without it while the door is down, and says so', async () => {
  market.depth.live = null;
  const { status, body } = await browse('?class=COMMERCE');
  expect([status, body.depth]).toEqual([200, null]);
  expect(body.depth_notice).toMatch(/cannot tell/);
  expect(body).toHaveProperty('total');
});

it('asks the door for COMMERCE only, and never takes more round trips for it', async () => {
  market.depth.queries.length = 0;
  for (const query of ['', '?class=RESEARCH', '?class=GUEST']) {
    expect((await browse(query)).body).not.toHaveProperty('depth');
  }
  expect(market.depth.queries).toEqual([]);
  // Nothing is for sale here: what may be suggested is tried, and at last all of it together.
  for (const [query, roundTrips] of [
    ['?class=COMMERCE', 3],
    ['?class=COMMERCE&samples=include', 2],
    ['?samples=include', 1],
  ] as const) {
    market.search.reset();
    await browse(query);
    expect([market.search.count, market.market.count]).toEqual([roundTrips, 0]);
  }
});
