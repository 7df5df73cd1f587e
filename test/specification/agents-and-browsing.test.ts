import { beforeAll, describe, expect, it } from 'vitest';
import type { Client, Json } from './client.ts';
import { type Marketplace, startMarketplace } from './marketplace.ts';

let market: Marketplace;
let client: Client;
let sellerKey: string;

const LISTING = {
  title: 'Tide tables',
  description: 'High and low water.',
  preview: { rows: 2 },
  consent: true,
};

beforeAll(async () => {
  market = startMarketplace();
  ({ client } = market);
  await market.publishPlatformListings();
  const { body } = await client.post('/sell/register', { name: 'A seller' });
  sellerKey = body.apiKey;
  await client.post('/sell/callback', { api_key: sellerKey, callbackUrl: 'https://seller.example.com/hook' });
  for (const vertical of ['market-data', 'research-briefs']) {
    await client.post('/marketplace/listings', { ...LISTING, vertical, priceCents: 0, api_key: sellerKey });
  }
});

const total = async (query = ''): Promise<number> => {
  const { status, body, text } = await client.get(`/marketplace/listings${query}`);
  if (status !== 200) throw new Error(`${query}: ${text}`);
  return body.total;
};

describe('POST /agents/register', () => {
  it('takes every field of its table, and null for those that are optional', async () => {
    const { status, body } = await client.post('/agents/register', {
      name: 'A reader',
      email: null,
      referralSource: 'a friend',
      referrer: null,
      utm: { source: 'test' },
      displayName: null,
      callbackUrl: null,
    });
    expect([status, Object.keys(body)]).toEqual([
      201,
      expect.arrayContaining(['id', 'name', 'apiKey', 'createdAt', 'connect']),
    ]);
    expect(body.apiKey).toMatch(/^mkt_live_/);
  });
});

describe('GET /agents', () => {
  it('is {agents[], total} with a page', async () => {
    const { status, body } = await client.get('/agents?limit=1&offset=0');
    expect([status, body.agents.length, typeof body.total]).toEqual([200, 1, 'number']);
  });
});

describe('GET /marketplace/categories', () => {
  it('counts what browsing its category finds', async () => {
    const { body } = await client.get('/marketplace/categories');
    expect(body.categories).toHaveLength(13);
    for (const { slug, listingCount } of body.categories) {
      expect([slug, await total(`?category=${slug}`)]).toEqual([slug, listingCount]);
    }
  });
});

describe('GET /verticals', () => {
  it('counts what browsing each finds; the detail has the listings', async () => {
    const { body } = await client.get('/verticals');
    const counted = body.verticals.filter(({ listingCount }: Json) => listingCount > 0);
    expect(counted.length).toBeGreaterThan(1);
    for (const { slug, listingCount } of counted) {
      expect([slug, await total(`?vertical=${slug}`)]).toEqual([slug, listingCount]);
      const detail = await client.get(`/verticals/${slug}`);
      expect([slug, detail.body.listings.length]).toEqual([slug, listingCount]);
    }
  });
});

describe('GET /marketplace/listings', () => {
  it('takes every parameter of its table, by each value', async () => {
    for (const sort of ['recent', 'popular', 'price_asc', 'price_desc', 'quality', 'trust'])
      expect(await total(`?sort=${sort}`)).toBeGreaterThan(0);
    expect(await total('?q=tide&category=data&type=standard&price=free&samples=exclude')).toBeGreaterThan(0);
    expect(await total('?min_rating=1')).toBe(0);
    expect(await total('?minRating=1'), 'the other spelling').toBe(0);
    expect(await total('?rail=X402&class=GUEST')).toBe(await total());
  });

  it('answers values that it does not know, over MCP alike, and names their filters', async () => {
    const { body: plain } = await client.get('/marketplace/listings');
    for (const [filter, value] of [
      ['category', 'no-category'],
      ['vertical', 'no-vertical'],
      ['type', 'no-type'],
      ['sort', 'no-sort'],
    ] as const) {
      const found = filter === 'sort' ? plain.listings : [];
      const { status, body } = await client.get(`/marketplace/listings?${filter}=${value}`);
      expect([filter, status, body.listings]).toEqual([filter, 200, found]);
      const tool = await client.tool('browse_marketplace', { [filter]: value });
      const foundIds = found.slice(0, 10).map(({ id }: Json) => id);
      expect([filter, tool.isError, tool.listings.map(({ id }: Json) => id)]).toEqual([
        filter,
        false,
        foundIds,
      ]);
      for (const { notice } of [body, tool]) expect(notice).toContain(`\`${filter}\``);
    }
    for (const path of ['/health-data/listings?subcategory=x', '/x402/discovery/resources?type=x']) {
      const { status, body } = await client.get(path);
      expect([path, status, body.listings ?? body.items]).toEqual([path, 200, []]);
      expect(body.notice).toMatch(/`(subcategory|type)`/);
    }
  });

  it('class=COMMERCE leaves research briefs out and adds depth; class=RESEARCH searches the shelf', async () => {
    const { body } = await client.get('/marketplace/listings?class=COMMERCE');
    expect(body.listings.map((one: Json) => one.verticalSlug)).not.toContain('research-briefs');
    expect(typeof body.depth.founding_open).toBe('boolean');
    expect(['sell', 'buy', 'both']).toContain(body.depth.counted);
    expect(await total('?class=RESEARCH')).toBe(1);
  });

  it.each([
    ['?class=NOBODY', {}],
    ['?class=commerce', {}],
    ['', { 'x-mkt-class': 'NOBODY' }],
    ['?class=COMMERCE', { 'x-mkt-class': 'RESEARCH' }],
    ['?rail=PIGEON', {}],
    ['', { 'x-mkt-rail': 'PIGEON' }],
    ['?no_such_parameter=1', {}],
  ])('%s %j keeps public behaviour, and says so', async (query, headers) => {
    const { status, body } = await client.get(`/marketplace/listings${query}`, headers);
    expect([status, body.total, typeof body.notice]).toEqual([200, await total(), 'string']);
    expect(body).not.toHaveProperty('depth');
  });

  it('has a page of 50 unless told, and of 100 at most', async () => {
    expect((await client.get('/marketplace/listings')).body.limit).toBe(50);
    expect((await client.get('/marketplace/listings?limit=100000')).body.limit).toBe(100);
    const tool = await client.tool('browse_marketplace', { limit: 1000 });
    expect([tool.isError, tool.limit]).toEqual([false, await total()]);
    expect(tool.listings).toHaveLength(tool.limit);
  });
});

describe('other public reads', () => {
  it.each([
    '/agents?limit=9999',
    '/verticals?x=1',
    '/verticals/market-data?limit=9999&x=1',
    '/marketplace/categories?x=1',
    '/stats?x=1',
    '/marketplace/stats?x=1',
    '/meta?x=1',
    '/broadcast?x=1',
    '/signing-key?x=1',
    '/proof/demand?limit=99999&x=1',
    '/x402/discovery/resources?limit=9999&x=1',
  ])('GET %s is answered', async (path) => {
    const { status, text } = await client.get(path);
    expect(status, text).toBe(200);
  });
});
