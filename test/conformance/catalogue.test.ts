import { beforeAll, describe, expect, it } from 'vitest';
import { clause } from './clause.ts';
import { type Body, createService, HEALTH_ATTESTATION } from './service.ts';

const CATEGORIES =
  'data services investments digital-assets real-estate products documents jobs compute access capital ip other';

const service = createService();
beforeAll(async () => {
  await service.publishPlatformListings();
});

describe('GET /marketplace/categories', () => {
  clause('service.categories', 'catalogue-records.category', 'browse.categories');
  it('the macro-categories with counts', async () => {
    const seller = await service.seller();
    await service.list(seller, { vertical: 'research-briefs' });
    service.market.clock.advance(60_000);
    const { status, body } = await service.get('/marketplace/categories');
    expect(status).toBe(200);
    const categories = body.categories as { slug: string; listingCount: number }[];
    expect(categories.map(({ slug }) => slug)).toEqual(CATEGORIES.split(' '));
    const counted = categories.filter(({ listingCount }) => listingCount > 0);
    expect(counted.length).toBeGreaterThan(1);
    for (const { slug, listingCount } of categories) {
      expect([slug, listingCount]).toEqual([slug, (await service.browse(`?category=${slug}`)).total]);
    }
  });
});

describe('GET /verticals', () => {
  clause('catalogue-records.vertical', 'browse.verticals');
  it('slug, name, icon, isExternal, listingCount', async () => {
    const { status, body } = await service.get('/verticals');
    expect(status).toBe(200);
    const verticals = body.verticals as Body[];
    expect(verticals.length).toBeGreaterThanOrEqual(40);
    for (const vertical of verticals) {
      expect(vertical).toMatchObject({
        slug: expect.stringMatching(/^[a-z0-9-]+$/),
        name: expect.stringMatching(/\w/),
        icon: expect.stringMatching(/./),
        isExternal: false,
        listingCount: (await service.browse(`?vertical=${vertical.slug}`)).total,
      });
    }
    for (const member of ['slug', 'name']) {
      expect(new Set(verticals.map((vertical) => vertical[member])).size).toBe(verticals.length);
    }
    expect(verticals.some(({ listingCount }) => Number(listingCount) > 0)).toBe(true);
  });

  clause('browse.verticals');
  it('counts follow what is listed', async () => {
    const countOf = async (slug: string) => {
      const { body } = await service.get('/verticals');
      return (body.verticals as { slug: string; listingCount: number }[]).find((one) => one.slug === slug)
        ?.listingCount;
    };
    const seller = await service.seller();
    const { verticalSlug } = await service.list(seller);
    const count = Number(await countOf(String(verticalSlug)));
    await service.list(seller, { vertical: verticalSlug });
    service.market.clock.advance(60_000);
    expect(await countOf(String(verticalSlug))).toBe(count + 1);
  });
});

describe('GET /verticals/{slug}', () => {
  clause('browse.vertical');
  it('vertical detail with its listings', async () => {
    const { body } = await service.get('/verticals');
    for (const { slug } of body.verticals as { slug: string }[]) {
      const { status, body: detail } = await service.get(`/verticals/${slug}`);
      expect([status, (detail.vertical as Body).slug]).toEqual([200, slug]);
      for (const listing of detail.listings as Body[]) expect(listing.verticalSlug).toBe(slug);
    }
  });

  clause('browse.vertical');
  it('its count, its total and its listings agree with browsing, reference listings asked for or not', async () => {
    const seller = await service.seller();
    await service.list(seller, { vertical: 'market-data' });
    service.market.clock.advance(60_000);
    for (const samples of ['', '?samples=exclude', '?samples=include', '?samples=only']) {
      const { body } = await service.get(`/verticals/market-data${samples}`);
      const browsed = await service.browse(`${samples || '?'}&vertical=market-data`);
      expect([samples, body.total, body.listings]).toEqual([samples, browsed.total, browsed.listings]);
      const { listingCount } = body.vertical as { listingCount: number };
      const { total } = await service.browse('?vertical=market-data');
      expect([samples, listingCount]).toEqual([samples, total]);
    }
    const unknown = await service.get('/verticals/market-data?samples=some');
    expect([unknown.status, unknown.body.total]).toEqual([
      200,
      (await service.browse('?vertical=market-data')).total,
    ]);
    expect(unknown.body.notice).toContain('samples');
  });

  clause('browse.vertical');
  it('an unknown slug is 404', async () => {
    expect((await service.get('/verticals/no-such-vertical')).status).toBe(404);
  });
});

describe('What the service does 2: platform-published listings', () => {
  clause(
    'service.platform-listings',
    'listing.collection-method',
    'listing.is-sample',
    'listing.source-attribution',
  );
  it('one free reference listing per vertical, and at least 8 curated free ones', async () => {
    const { body } = await service.get('/verticals');
    const slugs = (body.verticals as { slug: string }[]).map(({ slug }) => slug);
    for (const slug of slugs) {
      const { total, listings } = await service.browse(`?vertical=${slug}&samples=only`);
      expect([slug, total, listings[0]?.priceCents]).toEqual([slug, 1, 0]);
      expect(listings[0]).toMatchObject({ isSample: true, sellerKind: 'platform' });
    }
    const { listings } = await service.browse('?price=free&limit=100');
    const curated = listings.filter(({ sellerKind }) => sellerKind === 'platform');
    expect(curated.length).toBeGreaterThanOrEqual(8);
    const said = expect.stringMatching(/\w{3}/);
    for (const { isSample, sourceAttribution, collectionMethod } of curated) {
      expect([isSample, sourceAttribution, collectionMethod]).toEqual([false, said, said]);
    }
    for (const { sellerKind, isSample, sourceAttribution, collectionMethod } of listings) {
      if (sellerKind === 'third_party') {
        expect([isSample, sourceAttribution, collectionMethod]).toEqual([false, null, null]);
      }
    }
  });

  clause('service.platform-serves');
  it('all of them can be bought for nothing and are served by the platform itself', {
    timeout: 60_000,
  }, async () => {
    const { listings } = await service.browse('?samples=include&limit=100');
    const served = listings.filter(({ sellerKind }) => sellerKind === 'platform');
    const { apiKey: key } = await service.register('Buyer');
    const contents = new Set<string>();
    for (const { id, title } of served) {
      const { body: detail } = await service.get(`/marketplace/listings/${id}`);
      const { exampleQuery } = detail.listing as { exampleQuery: Body | null };
      const query = { ...HEALTH_ATTESTATION, ...(exampleQuery ? { query: exampleQuery } : {}) };
      const { status, body } = await service.post(`/marketplace/listings/${id}/purchase`, query, { key });
      expect([title, status, body.contentStatus, body.status]).toEqual([title, 200, 'delivered', 'released']);
      expect(Object.keys(body.content as Body), String(title)).not.toEqual([]);
      contents.add(JSON.stringify(body.content));
    }
    expect(contents.size).toBe(served.length);
    expect(service.market.sellerEndpoint.requests.every(({ body }) => body.includes('challenge'))).toBe(true);
  });
});
