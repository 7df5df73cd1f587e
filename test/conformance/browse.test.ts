import { addViews } from '@agent-marketplace/core/listings/index.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { clause } from './clause.ts';
import { createService, DATE_TIME, type Party, pathsOf, SHA256, UUID } from './service.ts';

const service = createService();
let seller: Party;
const titles = async (query: string) => (await service.browse(query)).listings.map(({ title }) => title);

beforeAll(async () => {
  seller = await service.seller();
  await service.publishPlatformListings();
  const list = async (title: string, fields: object) => {
    service.market.clock.advance(1000);
    return service.list(seller, { title, vertical: 'market-data', ...fields });
  };
  await list('Alpha tides', { description: 'Water of Brest.' });
  await list('Beta brief', { vertical: 'research-briefs' });
  await list('Gamma rare', { listingType: 'limited', maxCopies: 3 });
  await list('Delta tidal café', { description: 'Springs and neaps.', listingType: 'exclusive' });
});

describe('GET /marketplace/listings', () => {
  clause('listing.list-response', 'listing.agent-notice', 'browse.response');
  it('response 200: listings[], total, offset, limit; limit default 50, offset default 0', async () => {
    const { status, body } = await service.get('/marketplace/listings');
    expect(status).toBe(200);
    const { total: withSamples } = await service.browse('?samples=include');
    const { total: samples } = await service.browse('?samples=only');
    expect(body).toMatchObject({ limit: 50, offset: 0, total: withSamples - samples });
    expect(body.listings).toHaveLength(withSamples - samples);
    expect(body.agent_notice).toEqual(expect.any(String));
  });

  it('a listing has every field of the table', async () => {
    const { listings } = await service.browse('?q=alpha');
    expect(listings[0]).toMatchObject({
      id: expect.stringMatching(UUID),
      sellerId: seller.id,
      sellerName: expect.stringMatching(/^seller-[0-9a-f]{6}$/),
      sellerReputation: expect.any(Number),
      ratingAvg: 0,
      ratingCount: 0,
      verticalSlug: 'market-data',
      verticalName: expect.any(String),
      verticalIcon: expect.any(String),
      verticalCategory: 'data',
      pricingType: 'fixed',
      title: 'Alpha tides',
      description: 'Water of Brest.',
      priceCents: 0,
      betaFree: expect.any(Boolean),
      betaNote: null,
      listingType: 'standard',
      maxCopies: null,
      soldCount: 0,
      purchaseCount: 0,
      viewCount: 0,
      active: true,
      exclusiveSold: false,
      fingerprint: expect.stringMatching(SHA256),
      images: [],
      isSample: false,
      createdAt: expect.stringMatching(DATE_TIME),
      version: 1,
      lastModified: null,
      modificationCount: 0,
      modificationHistoryUrl: expect.stringContaining('/history'),
      subcategory: null,
      dataDate: null,
      dataFormat: null,
      sellerState: null,
      demographics: null,
      contextTags: null,
      deidentificationLevel: null,
      authorizedUses: null,
      dataOrigin: null,
      collectionMethod: null,
      sourceAttribution: null,
      healthConsentVerified: false,
      sellerBadges: expect.any(Array),
      sellerKind: 'third_party',
    });
  });

  clause('browse.q');
  it('q matches title and description', async () => {
    expect(await titles('?q=tides')).toEqual(['Alpha tides']);
    expect(await titles('?q=springs')).toEqual(['Delta tidal café']);
    expect(await titles('?q=water+brest')).toEqual(['Alpha tides']);
  });

  it('q: the last word may be cut short, case and accents do not count', async () => {
    expect((await titles('?q=TID')).sort()).toEqual(['Alpha tides', 'Delta tidal café']);
    expect(await titles('?q=cafe')).toEqual(['Delta tidal café']);
  });

  clause('browse.q');
  it.each([
    '"',
    '*',
    'NEAR(',
    'a AND',
    'title:x',
    "'; DROP TABLE documents;",
    '-',
    '(((',
    '%00',
    '^x',
    '{a b}',
  ])('q=%s is text, not syntax', async (q) => {
    const { status } = await service.get(
      `/marketplace/listings?q=${q === '%00' ? q : encodeURIComponent(q)}`,
    );
    expect(status).toBe(q === '%00' ? 400 : 200);
  });

  clause('listing.vertical-category', 'browse.category', 'browse.vertical-filter');
  it('category and vertical', async () => {
    expect(await titles('?vertical=research-briefs')).toEqual(['Beta brief']);
    const { listings } = await service.browse('?category=data');
    expect(listings.length).toBeGreaterThan(0);
    for (const { verticalCategory } of listings) expect(verticalCategory).toBe('data');
    const [brief] = (await service.browse('?category=documents&q=beta')).listings;
    expect(brief).toMatchObject({ title: 'Beta brief', verticalCategory: 'documents' });
  });

  clause('browse.type');
  it('type: standard, limited, exclusive', async () => {
    expect(await titles('?type=limited')).toEqual(['Gamma rare']);
    expect(await titles('?type=exclusive')).toEqual(['Delta tidal café']);
    expect(
      (await service.browse('?type=standard')).listings.every((one) => one.listingType === 'standard'),
    ).toBe(true);
  });

  clause('browse.sort');
  it('sort: default recent', async () => {
    const recent = ['Delta tidal café', 'Gamma rare', 'Beta brief', 'Alpha tides'];
    expect((await titles('')).slice(0, 4)).toEqual(recent);
    expect((await titles('?sort=recent')).slice(0, 4)).toEqual(recent);
  });

  it.each(['recent', 'popular', 'price_asc', 'price_desc', 'quality', 'trust'])('sort=%s', async (sort) => {
    const { total, listings } = await service.browse(`?sort=${sort}&limit=100`);
    expect(listings).toHaveLength(total);
  });

  clause('browse.min-rating');
  it('min_rating 1-5 excludes unrated listings', async () => {
    expect((await service.browse('?min_rating=1')).total).toBe(0);
    for (const wrong of ['0', '6', 'x']) {
      expect(pathsOf(await service.get(`/marketplace/listings?min_rating=${wrong}`))).toEqual(['min_rating']);
    }
  });

  clause('browse.samples');
  it('samples: default exclude; include; only', async () => {
    const total = async (query: string) => (await service.browse(query)).total;
    const [hidden, all, only] = [
      await total(''),
      await total('?samples=include'),
      await total('?samples=only'),
    ];
    expect(await total('?samples=exclude')).toBe(hidden);
    expect(only).toBeGreaterThanOrEqual(40);
    expect(all).toBe(hidden + only);
  });

  it('price: all, paid, free', async () => {
    expect((await service.browse('?price=paid')).total).toBe(0);
    expect((await service.browse('?price=free')).total).toBe((await service.browse('?price=all')).total);
  });

  it('limit at most 100', async () => {
    expect((await service.browse('?samples=include&limit=100')).listings.length).toBeGreaterThan(40);
    expect((await service.get('/marketplace/listings?limit=101')).body.limit).toBe(100);
  });

  clause('browse.offset');
  it('pages together are the whole, once each', async () => {
    const { total } = await service.browse('?samples=include');
    const seen = new Set<string>();
    for (let offset = 0; offset < total; offset += 7) {
      const { listings } = await service.browse(`?samples=include&limit=7&offset=${offset}`);
      for (const { id } of listings) seen.add(id);
    }
    expect(seen.size).toBe(total);
  });

  clause('browse.commerce');
  it('class=COMMERCE excludes research briefs and adds a depth descriptor', async () => {
    const { body, listings } = await service.browse('?class=COMMERCE');
    expect(body).toHaveProperty('depth');
    const plain = await service.browse();
    expect(plain.body).not.toHaveProperty('depth');
    expect(listings).toEqual(plain.listings.filter(({ title }) => title !== 'Beta brief'));
    expect(listings).toHaveLength(plain.listings.length - 1);
  });

  clause('browse.research');
  it('class=RESEARCH searches the research shelf', async () => {
    expect(await titles('?class=RESEARCH')).toEqual(['Beta brief']);
    expect(await titles('?class=RESEARCH&q=brief')).toEqual(['Beta brief']);
    expect(await titles('?class=RESEARCH&q=tides')).toEqual([]);
  });

  clause('browse.class', 'browse.rail');
  it('class and rail have header aliases X-MKT-Class and X-MKT-Rail', async () => {
    const headers = { 'x-mkt-class': 'RESEARCH', 'x-mkt-rail': 'X402' };
    const { body } = await service.get('/marketplace/listings', { headers });
    expect(body.total).toBe(1);
    const wrong = await service.get('/marketplace/listings', { headers: { 'x-mkt-rail': 'CASH' } });
    expect([wrong.status, wrong.body.notice]).toEqual([200, expect.stringContaining('rail')]);
    // The same address without the header is another answer.
    expect((await service.browse()).total).toBeGreaterThan(1);
  });

  clause('browse.no-class');
  it('a missing class keeps public behaviour', async () => {
    const plain = await service.get('/marketplace/listings?limit=1');
    expect(plain.status).toBe(200);
    // A class or rail that names nothing is none, however it is sent.
    for (const [query, headers] of [
      ['&class=', {}],
      ['&class=%20&rail=', {}],
      ['', { 'x-mkt-class': '', 'x-mkt-rail': ' ' }],
      ['&class=', { 'x-mkt-class': '' }],
    ] as const) {
      const { status, body } = await service.get(`/marketplace/listings?limit=1${query}`, { headers });
      expect([query, status, body.total, body.depth]).toEqual([query, 200, plain.body.total, undefined]);
    }
  });

  clause('browse.no-class');
  it('an empty class in the query leaves the choice to the header; two that differ are none', async () => {
    const ask = (query: string, headers: Record<string, string>) =>
      service.get(`/marketplace/listings?${query}`, { headers });
    expect((await ask('class=', { 'x-mkt-class': 'RESEARCH' })).body.total).toBe(1);
    expect((await ask('class=RESEARCH', { 'x-mkt-class': 'RESEARCH' })).body.total).toBe(1);
    const { total } = await service.browse();
    for (const [query, headers] of [
      ['class=COMMERCE', { 'x-mkt-class': 'RESEARCH' }],
      ['rail=CARD', { 'x-mkt-rail': 'X402' }],
      ['class=none', {}],
    ] as [string, Record<string, string>][]) {
      const { status, body } = await ask(query, headers);
      expect([query, status, body.total, body.depth]).toEqual([query, 200, total, undefined]);
      expect(body.notice).toContain(query.split('=')[0]);
    }
  });

  clause('listing-states.inactive-hidden');
  it('only active listings are browsable', async () => {
    const { id } = await service.list(seller, { title: 'Epsilon gone' });
    expect(await titles('?q=epsilon')).toEqual(['Epsilon gone']);
    await service.patch(`/marketplace/listings/${id}`, { active: false }, { key: seller.apiKey });
    expect(await titles('?q=epsilon')).toEqual([]);
    await service.patch(`/marketplace/listings/${id}`, { active: true }, { key: seller.apiKey });
    expect(await titles('?q=epsilon')).toEqual(['Epsilon gone']);
  });

  it('costs one round trip (invariant: Counted exactly)', async () => {
    service.market.search.reset();
    service.market.market.reset();
    await service.browse('?q=tid&sort=quality&limit=3');
    expect([service.market.search.count, service.market.market.count]).toEqual([1, 0]);
  });

  it('answers from cache while the database is down (invariant 20)', async () => {
    const good = await service.get('/marketplace/listings');
    service.market.search.fault = () => 'lose_request';
    const stale = await service.get('/marketplace/listings');
    service.market.search.fault = () => undefined;
    expect([stale.status, stale.text]).toEqual([200, good.text]);
  });
});

describe('GET /marketplace/listings/{id}', () => {
  clause('catalogue-records.preview-shown', 'browse.detail');
  it('response 200: listing, preview (object), seller, ratings', async () => {
    const { id } = await service.list(seller, { preview: { columns: ['a', 'b'] } });
    const { status, body } = await service.get(`/marketplace/listings/${id}`);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      listing: { id },
      preview: { columns: ['a', 'b'] },
      seller: { id: seller.id },
      ratings: { count: 0 },
    });
    const other = await service.seller();
    const theirs = await service.list(other, { title: 'Theirs', preview: { columns: ['c'] } });
    expect((await service.get(`/marketplace/listings/${theirs.id}`)).body).toMatchObject({
      listing: theirs,
      preview: { columns: ['c'] },
      seller: { id: other.id },
    });
  });

  clause('listing.counts');
  it('costs one round trip and no write', async () => {
    const { id } = await service.list(seller);
    service.market.market.reset();
    await service.get(`/marketplace/listings/${id}`);
    expect(service.market.market.roundTrips).toHaveLength(1);
    expect(service.market.market.roundTrips.flat().join()).not.toMatch(/insert|update/i);
    const { counts } = service.market.viewTally;
    expect(counts.get(id)).toBe(1);
    await service.market.newPorts().market.commit([addViews(counts)]);
    service.market.clock.advance(60_000);
    expect((await service.get(`/marketplace/listings/${id}`)).body.listing).toMatchObject({ viewCount: 1 });
  });
});
