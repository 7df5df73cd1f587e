import { weighBuyers } from '@agent-marketplace/core/agents/index.ts';
import { cardWebhook } from '@agent-marketplace/core/compose/card-webhook.ts';
import { sweepSearchOutbox } from '@agent-marketplace/core/listings/index.ts';
import { replied, sellerOf } from '@agent-marketplace/core/testing/doubles/fake-seller-endpoint.ts';
import { LISTING_BODY } from '@agent-marketplace/core/testing/fixtures/new-listing.ts';
import type { RegisteredAgent } from '@agent-marketplace/core/testing/fixtures/new-seller.ts';
import { digestOfSorted } from '@agent-marketplace/core/testing/marketplace/read-signed.ts';
import {
  createSalesMarketplace,
  sessionOf,
} from '@agent-marketplace/core/testing/marketplace/sales-marketplace.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { clause } from './clause.ts';
import { type Body, createService, pathsOf } from './service.ts';

// Parts "GET /marketplace/listings" and "Listing" of the specification, at the edges, with listings that cost
// something among them. Every combination of parameters: packages/core/src/listings/browse.test.ts.

const sales = createSalesMarketplace();
const { market } = sales;
const service = createService(market);
const PATH = '/marketplace/listings';
let seller: RegisteredAgent;
const ids: Record<string, string> = {};
let dearCreatedAt: string;
beforeAll(async () => {
  seller = await sales.seller();
  for (const [name, priceCents] of [
    ['free', 0],
    ['one', 1],
    ['cheap', 100],
    ['dear', 9000],
  ] as const) {
    market.clock.advance(1000);
    ids[name] = (
      await sales.listing({ title: `Kelp map ${name}`, priceCents, vertical: 'market-data' }, seller)
    ).id;
  }
  dearCreatedAt = new Date(market.clock.now()).toISOString();
});

/** As the job does every minute, for what a purchase changed of a listing. */
async function aMinuteLater(): Promise<void> {
  await market.background.settled();
  await weighBuyers(market.newPorts());
  await sweepSearchOutbox(market.newPorts());
  market.clock.advance(60_000);
}

const named = async (query: string) => {
  const found = (await service.browse(`?q=kelp&${query}`)).listings;
  return found.map(({ title }) => String(title).split(' ').at(-1));
};

describe('GET /marketplace/listings', () => {
  clause('browse.price');
  it('price: default all; paid is priceCents > 0; free is the $0 catalogue', async () => {
    expect((await named('price=paid')).sort()).toEqual(['cheap', 'dear', 'one']);
    expect(await named('price=free')).toEqual(['free']);
    expect((await named('')).sort()).toEqual((await named('price=all')).sort());
    expect(await named('')).toHaveLength(4);
  });

  clause('browse.sort-recent', 'browse.sort-price');
  it('sort=price_asc, price_desc and recent: the order', async () => {
    expect(await named('sort=price_asc')).toEqual(['free', 'one', 'cheap', 'dear']);
    expect(await named('sort=price_desc')).toEqual(['dear', 'cheap', 'one', 'free']);
    expect(await named('sort=recent')).toEqual(['dear', 'cheap', 'one', 'free']);
  });

  clause('browse.sort-popular');
  it('sort=popular: what most paying buyers bought comes first', async () => {
    const paid = { body: { payment_method: 'wallet' } };
    for (const bought of [['one'], ['one', 'cheap']] as const) {
      const agent = await sales.newAgent();
      await sales.fund(agent, 1000);
      for (const name of bought) expect((await sales.buy(ids[name] ?? '', agent, paid)).status).toBe(200);
    }
    await aMinuteLater();
    // The older of the two was bought more often.
    expect(await named('sort=popular')).toEqual(['one', 'cheap', 'dear', 'free']);
  });

  clause('browse.sort-trust', 'listing.seller-reputation');
  it('sort=trust: the listing of the seller with the better reputation comes first', async () => {
    const other = await sales.seller();
    const listed = async (name: string, by: RegisteredAgent) => {
      market.clock.advance(1000);
      return (await sales.listing({ title: `Sedge ${name}`, priceCents: 0 }, by)).id;
    };
    const [kept, broken] = [await listed('kept', seller), await listed('broken', other)];
    const buyer = await sales.newAgent();
    await sales.fund(buyer, 1000);
    const paid = await sales.listing({ priceCents: 100 });
    expect((await sales.buy(paid.id, buyer, { body: { payment_method: 'wallet' } })).status).toBe(200);
    market.sellerEndpoint.script = () => replied('', 500);
    for (let n = 0; n < 3; n++) expect((await sales.buy(broken, buyer)).status).toBe(502);
    market.sellerEndpoint.script = sellerOf({ answer: 42 });
    for (const id of [kept, broken]) expect((await sales.buy(id, buyer)).status).toBe(200);
    await aMinuteLater();
    const { listings } = await service.browse('?q=sedge&sort=trust');
    expect(listings.map(({ id }) => id)).toEqual([kept, broken]);
    const [first, second] = listings.map(({ sellerReputation }) => Number(sellerReputation));
    expect(first).toBeGreaterThan(Number(second));
    for (const [index, id] of [kept, broken].entries()) {
      const { listing } = (await service.get(`${PATH}/${id}`)).body as { listing: Body };
      expect(listing.sellerReputation).toBeCloseTo([first, second][index] ?? 0, 0);
    }
    // Newest first would be the other way round.
    expect((await service.browse('?q=sedge')).listings.map(({ id }) => id)).toEqual([broken, kept]);
  });

  clause('browse.type', 'browse.price', 'browse.category', 'browse.vertical-filter');
  it.each([
    ['type', ['standard', 'limited', 'exclusive'], 'rare'],
    ['price', ['all', 'paid', 'free'], 'cheap'],
    ['category', ['data', 'other'], 'loans'],
    ['vertical', ['research-briefs', 'loans-receivables'], 'no-such-vertical'],
  ])('%s: nothing matches another value, and the answer says so', async (name, values, wrong) => {
    for (const value of values) {
      const { status, body } = await service.get(`${PATH}?${name}=${value}`);
      expect([value, status, body.notice]).toEqual([value, 200, undefined]);
    }
    const { status, body } = await service.get(`${PATH}?${name}=${wrong}`);
    expect([status, body.total, body.listings, body.notice]).toEqual([
      200,
      0,
      [],
      expect.stringContaining(`\`${name}\``),
    ]);
    expect(body.notice).not.toContain(wrong);
  });

  clause('browse.no-class', 'browse.sort', 'browse.samples', 'browse.class', 'browse.rail');
  it.each([
    ['sort', ['recent', 'popular', 'price_asc', 'price_desc', 'quality', 'trust'], 'newest'],
    ['samples', ['exclude', 'include', 'only'], 'all'],
    ['class', ['COMMERCE', 'RESEARCH', 'FOUNDING', 'SETTLEMENT', 'PILOT', 'GUEST'], 'commerce'],
    ['rail', ['CARD', 'X402', 'RFQ'], 'card'],
  ])('%s: the values of the enum; any other is ignored, and said to be', async (name, values, wrong) => {
    for (const value of values) {
      const { status, body } = await service.get(`${PATH}?${name}=${value}`);
      expect([value, status, body.notice]).toEqual([value, 200, undefined]);
    }
    const [plain, ignored] = [await service.get(PATH), await service.get(`${PATH}?${name}=${wrong}`)];
    expect([ignored.status, ignored.body.listings, ignored.body.depth]).toEqual([
      200,
      plain.body.listings,
      undefined,
    ]);
    expect(ignored.body.notice).toContain(name);
  });

  clause('listing.exclusive-sold');
  it('shows what can be bought: what is sold out is not there, until a copy comes back', async () => {
    const found = async () => {
      await aMinuteLater();
      const { listings, total } = await service.browse('?q=quagga');
      expect(listings).toHaveLength(total);
      const { body } = await service.get('/verticals');
      const { listingCount } =
        (body.verticals as Body[]).find(({ slug }) => slug === 'loans-receivables') ?? {};
      expect(listingCount).toBe((await service.browse('?vertical=loans-receivables')).total);
      return listings.map(({ title }) => String(title).split(' ').at(-1)).sort();
    };
    const rare = (name: string, fields: object) =>
      sales.listing({ title: `Quagga ${name}`, vertical: 'loans-receivables', ...fields }, seller);
    const one = await rare('exclusive', { listingType: 'exclusive', priceCents: 9000 });
    const two = await rare('limited', { listingType: 'limited', maxCopies: 2, priceCents: 0 });
    await rare('standard', { priceCents: 0 });
    expect(await found()).toEqual(['exclusive', 'limited', 'standard']);

    const buyer = await sales.newAgent();
    expect((await sales.buy(two.id, buyer)).status).toBe(200);
    expect(await found()).toContain('limited');
    expect((await sales.buy(two.id, buyer)).status).toBe(200);
    const paid = await sales.buy(one.id, buyer, { body: { payment_method: 'checkout' } });
    sales.cards.payCheckout(sessionOf(paid.body.checkoutUrl));
    for (const { rawBody, signatureHeader } of await sales.cards.takeWebhooks()) {
      await cardWebhook.take(market.newPorts(), rawBody, signatureHeader);
    }
    expect(await found()).toEqual(['standard']);
    const { body } = await service.get(`${PATH}/${two.id}`);
    expect(body.listing).toMatchObject({ active: true, soldCount: 2, maxCopies: 2 });

    // What was paid for is never collected, so it is not charged.
    await sales.pass(7 * 24 * 3600_000, 10);
    expect(await found()).toEqual(['exclusive', 'standard']);
  });

  clause('browse.min-rating', 'limits.min-rating');
  it('min_rating 1 and 5 are taken, less and more are not', async () => {
    for (const right of ['1', '5', '4.5']) {
      expect((await service.get(`${PATH}?min_rating=${right}`)).status).toBe(200);
    }
    for (const wrong of ['0.99', '5.01']) {
      expect(pathsOf(await service.get(`${PATH}?min_rating=${wrong}`))).toEqual(['min_rating']);
    }
  });

  clause('browse.limit', 'browse.offset', 'limits.browse');
  it('limit 100 is taken, 101 means 100; offset 0 is taken, -1 is not', async () => {
    expect((await service.get(`${PATH}?limit=100&offset=0`)).body).toMatchObject({ limit: 100, offset: 0 });
    expect((await service.get(`${PATH}?limit=1`)).body.listings).toHaveLength(1);
    expect((await service.get(`${PATH}?limit=101`)).body).toMatchObject({ limit: 100 });
    expect(pathsOf(await service.get(`${PATH}?limit=0`))).toEqual(['limit']);
    expect(pathsOf(await service.get(`${PATH}?offset=-1`))).toEqual(['offset']);
  });

  clause('browse.limit', 'limits.browse');
  it('50 listings to a page by default, and 100 at most', async () => {
    const one = { title: 'Quokka one', vertical: 'market-data' };
    for (let n = 0; n < 101; n++) await sales.listing({ ...one, priceCents: 0 }, seller);
    const { body, listings, total } = await service.browse('?q=quokka');
    expect([listings.length, total, body.limit, body.offset]).toEqual([50, 101, 50, 0]);
    expect((await service.browse('?q=quokka&offset=100')).listings).toHaveLength(1);
    for (const limit of [100, 101, 1000]) {
      expect((await service.browse(`?q=quokka&limit=${limit}`)).listings).toHaveLength(100);
    }
  });

  clause('browse.rail', 'browse.commerce-depth');
  it('class=COMMERCE adds a live-depth descriptor with founding_open', async () => {
    for (const [live, open] of [
      [0, true],
      [1, false],
    ] as const) {
      market.depth.live = live;
      for (const [query, headers] of [
        ['?class=COMMERCE&rail=X402', {}],
        ['', { 'x-mkt-class': 'COMMERCE', 'x-mkt-rail': 'X402' }],
      ] as const) {
        const { body } = await service.get(`${PATH}${query}`, { headers });
        expect(body.depth).toMatchObject({ founding_open: open, live_counterparties: live, rail: 'X402' });
      }
    }
    expect((await service.get(`${PATH}?class=COMMERCE&rail=CARD`)).body.depth).toMatchObject({
      rail: 'CARD',
    });
    market.depth.live = null;
  });

  clause('service.never-closed', 'browse.no-class');
  it('is never refused for want of a class, nor closed while the door is', async () => {
    for (const query of ['', '?class=COMMERCE', '?rail=CARD']) {
      market.depth.live = 1;
      const open = await service.get(PATH + query);
      market.depth.live = null;
      market.clock.advance(60_000);
      const closed = await service.get(PATH + query);
      expect([query, closed.status, closed.body.total]).toEqual([query, 200, open.body.total]);
      expect(closed.body.listings).toEqual(open.body.listings);
      expect(closed.body.total).toBeGreaterThan(0);
    }
  });
});

describe('Listing', () => {
  clause(
    'listing.id',
    'listing.seller-id',
    'listing.seller-name',
    'listing.seller-reputation',
    'listing.rating',
    'listing.vertical',
    'listing.vertical-category',
    'listing.pricing-type',
    'listing.texts',
    'listing.price-cents',
    'listing.beta',
    'listing.counts',
    'listing.active',
    'listing.fingerprint',
    'listing.images',
    'listing.created-at',
    'listing.last-modified',
    'listing.history-url',
    'listing.subcategory',
    'listing.data-date',
    'listing.data-format',
    'listing.seller-state',
    'listing.demographics',
    'listing.context-tags',
    'listing.deidentification-level',
    'listing.authorized-uses',
    'listing.data-origin',
    'listing.collection-method',
    'listing.source-attribution',
    'listing.health-consent-verified',
    'listing.seller-badges',
    'listing.seller-kind',
  );
  it('has every field of the table, each of its type, and says nothing else', async () => {
    const { listing } = (await service.get(`${PATH}/${ids.dear}`)).body as { listing: Body };
    const { verticals } = (await service.get('/verticals')).body as { verticals: Body[] };
    const vertical = verticals.find(({ slug }) => slug === 'market-data');
    const { description, preview } = LISTING_BODY;
    const declared = { description, preview, title: 'Kelp map dear' };
    const {
      exampleQuery: _q,
      inputSchema: _i,
      outputSchema: _o,
      redelivery,
      status,
      fulfilment,
      measured,
      priceMicros,
      meter,
      ...fields
    } = listing;
    expect(measured, 'too few deliveries').toBeNull();
    expect([redelivery, status, fulfilment, priceMicros, meter]).toEqual([
      'same',
      'active',
      'digital',
      null,
      null,
    ]);
    expect(fields).toEqual({
      id: ids.dear,
      pictures: [],
      unreachableSince: null,
      sellerId: seller.id,
      sellerName: expect.stringMatching(/^seller-[0-9a-f]{6}$/),
      sellerReputation: expect.any(Number),
      ratingAvg: 0,
      ratingCount: 0,
      verticalSlug: 'market-data',
      verticalName: vertical?.name,
      verticalIcon: vertical?.icon,
      verticalCategory: 'data',
      pricingType: 'fixed',
      title: 'Kelp map dear',
      description,
      priceCents: 9000,
      betaFree: false,
      betaNote: null,
      listingType: 'standard',
      maxCopies: null,
      soldCount: 0,
      purchaseCount: 0,
      queryRequired: false,
      viewCount: 0,
      active: true,
      exclusiveSold: false,
      fingerprint: await digestOfSorted({
        ...declared,
        inputSchema: null,
        outputSchema: null,
        listingType: 'standard',
        verticalSlug: 'market-data',
      }),
      images: [],
      isSample: false,
      createdAt: dearCreatedAt,
      version: 1,
      lastModified: null,
      modificationCount: 0,
      modificationHistoryUrl: `${PATH}/${ids.dear}/history`,
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
      sellerBadges: ['verified'],
      sellerKind: 'third_party',
    });
    const history = await service.get(String(fields.modificationHistoryUrl));
    expect([history.status, history.body.listingId]).toEqual([200, ids.dear]);
  });

  clause('listing.same-everywhere');
  it('is the same in a list as by itself', async () => {
    await aMinuteLater();
    const { listing } = (await service.get(`${PATH}/${ids.one}`)).body as { listing: Body };
    const found = (await service.browse('?q=kelp')).listings.find(({ id }) => id === ids.one);
    // Of the seller, and of views, a list tells what was known when the listing was last indexed.
    const { viewCount: _, sellerReputation: __, ...inList } = found as Body;
    expect(listing).toMatchObject(inList);
  });

  clause('listing.listing-type', 'listing.max-copies');
  it('listingType standard, limited (with maxCopies), exclusive', async () => {
    const typed = async (fields: Body) => {
      const { id } = await sales.listing({ priceCents: 0, ...fields }, seller);
      return (await service.get(`${PATH}/${id}`)).body.listing;
    };
    expect(await typed({ listingType: 'limited', maxCopies: 7 })).toMatchObject({
      listingType: 'limited',
      maxCopies: 7,
    });
    expect(await typed({ listingType: 'exclusive' })).toMatchObject({ listingType: 'exclusive' });
    expect(await typed({})).toMatchObject({ listingType: 'standard', maxCopies: null });
  });

  clause('listing.counts');
  it('soldCount and purchaseCount follow purchases', async () => {
    const { id } = await sales.listing({ priceCents: 0 }, seller);
    for (let n = 0; n < 2; n++) expect((await sales.buy(id, null)).status).toBe(200);
    await market.background.settled();
    expect((await service.get(`${PATH}/${id}`)).body.listing).toMatchObject({
      soldCount: 2,
      purchaseCount: 2,
    });
  });

  clause('listing.version', 'listing.last-modified', 'listing.modification-count', 'versioning.listing');
  it('version is 1 + modificationCount, and lastModified the time of the last change', async () => {
    const { id } = await sales.listing({ priceCents: 0 }, seller);
    const path = `${PATH}/${id}`;
    for (let count = 1; count <= 3; count++) {
      market.clock.advance(1000);
      await service.patch(path, { title: `Title ${count}` }, { key: seller.apiKey });
      expect((await service.get(path)).body.listing).toMatchObject({
        version: 1 + count,
        modificationCount: count,
        lastModified: new Date(market.clock.now()).toISOString(),
      });
    }
  });
});
