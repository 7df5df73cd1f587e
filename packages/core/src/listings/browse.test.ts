import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { clause } from '../../../../test/conformance/clause.ts';
import { VERTICALS } from '../catalogue/index.ts';
import type { Ports } from '../kernel/ports/ports.ts';
import { putDocument, type SearchDocument } from '../search/search.store.ts';
import { readSigned } from '../testing/marketplace/read-signed.ts';
import { createTestMarketplace } from '../testing/marketplace/workers-harness.ts';

const LIMITS = { card: { minCents: 50, maxCents: 4000 }, x402: { minCents: 20 } };
/** Browsing needs nothing of the rails but their limits. */
const RAILS = { cards: { chargeLimits: LIMITS.card }, chain: LIMITS.x402 } as unknown as Pick<
  Ports,
  'cards' | 'chain'
>;
const market = createTestMarketplace({ overrides: RAILS });
const WORDS = ['amber', 'birch', 'cedar', 'delta', 'ember'];
const TYPES = ['standard', 'limited', 'exclusive'];
const SHELVES = VERTICALS.slice(0, 6);

/** A catalogue of 240 documents, varied by counting. */
const CATALOGUE: readonly SearchDocument[] = Array.from({ length: 240 }, (_, n) => {
  const vertical = SHELVES[n % SHELVES.length] ?? VERTICALS[0];
  if (!vertical) throw new Error('no vertical');
  const id = `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
  return {
    listingId: id,
    title: `${WORDS[n % 5]} ${WORDS[(n * 3 + 1) % 5]}`,
    description: `Number ${n} of ${WORDS[(n * 7) % 5]}`,
    tags: '',
    verticalWords: '',
    spellings: ['number', ...WORDS],
    verticalSlug: vertical.slug,
    categorySlug: vertical.categorySlug,
    subcategory: null,
    listingType: TYPES[n % 3] ?? 'standard',
    isSample: n % 10 === 0,
    isFree: n % 4 === 0,
    priceCents: n % 4 === 0 ? 0 : (n * 37) % 5000,
    priceMicros: n % 4 === 0 ? 0 : ((n * 37) % 5000) * 10_000 - (n % 3) * 100,
    createdAt: new Date(Date.UTC(2026, 0, 1) + ((n * 7919) % 240) * 60_000).toISOString(),
    popularity: (n * 13) % 40,
    ratingAvg: n % 3 === 0 ? null : 1 + (n % 9) / 2,
    quality: 1 + ((n * 11) % 50) / 12.5,
    trust: (n * 17) % 101,
    successRate: n % 2 === 0 ? null : ((n * 31) % 100) / 100,
    p95Ms: n % 4 < 2 ? null : 2 ** (n % 15),
    isReachable: n % 7 !== 3,
    summary: JSON.stringify({ id }),
  };
});

beforeAll(async () => {
  const { search } = market.newPorts();
  await search.commit(CATALOGUE.flatMap((document) => putDocument(document, 1)));
});

interface Query {
  q?: string | undefined;
  vertical?: string | undefined;
  category?: string | undefined;
  type?: string | undefined;
  sort: string;
  min_rating?: number | undefined;
  min_success?: number | undefined;
  max_latency_ms?: number | undefined;
  samples: string;
  unreachable?: string;
  price: string;
  limit: number;
  offset: number;
}

const KEYS: Readonly<Record<string, (document: SearchDocument) => number>> = {
  recent: () => 0,
  popular: ({ popularity }) => -popularity,
  price_asc: ({ priceMicros }) => priceMicros,
  price_desc: ({ priceMicros }) => -priceMicros,
  quality: ({ quality }) => -quality,
  trust: ({ trust }) => -trust,
};

/** Whether a document has a word; the last one of a question may be cut short. */
function hasWord(document: SearchDocument, word: string, isLast: boolean): boolean {
  const texts = `${document.title} ${document.description}`.toLowerCase().split(/\W+/);
  return texts.some((text) => (isLast ? text.startsWith(word) : text === word));
}

/** What the contract says the answer is, worked out the slow and plain way. */
function expected(query: Query): { matched: 'all' | 'any' | undefined; rows: SearchDocument[] } {
  const words = query.q?.toLowerCase().split(' ') ?? [];
  const all = filtered(query, (document) =>
    words.every((word, index) => hasWord(document, word, index === words.length - 1)),
  );
  if (words.length === 0 || all.length > 0)
    return { matched: words.length === 0 ? undefined : 'all', rows: all };
  const rows = filtered(query, (document) =>
    words.some((word) => hasWord(document, word, !CATALOGUE.some((any) => hasWord(any, word, false)))),
  );
  return { matched: 'any', rows };
}

function filtered(query: Query, hasWords: (document: SearchDocument) => boolean): SearchDocument[] {
  const key = KEYS[query.sort] ?? (() => 0);
  return CATALOGUE.filter((document) => {
    return (
      hasWords(document) &&
      (query.vertical === undefined || document.verticalSlug === query.vertical) &&
      (query.category === undefined || document.categorySlug === query.category) &&
      (query.type === undefined || document.listingType === query.type) &&
      (query.min_rating === undefined ||
        (document.ratingAvg !== null && document.ratingAvg >= query.min_rating)) &&
      (query.min_success === undefined || (document.successRate ?? -1) >= query.min_success) &&
      (query.max_latency_ms === undefined || (document.p95Ms ?? Infinity) <= query.max_latency_ms) &&
      (query.samples === 'include' || (query.samples === 'only') === document.isSample) &&
      (query.unreachable === 'include' || (query.unreachable === 'only') !== document.isReachable) &&
      (query.price === 'all' || (query.price === 'free') === (document.priceCents === 0 && document.isFree))
    );
  }).sort(
    (a, b) =>
      key(a) - key(b) ||
      (a.createdAt < b.createdAt ? 1 : a.createdAt > b.createdAt ? -1 : 0) ||
      (a.listingId < b.listingId ? -1 : 1),
  );
}

const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
const anyQuery: fc.Arbitrary<Query> = fc.record({
  q: maybe(fc.constantFrom('amber', 'amb', 'birch cedar', 'delta em', 'number 12', 'nothing', 'ember 7')),
  vertical: maybe(fc.constantFrom(...SHELVES.map(({ slug }) => slug))),
  category: maybe(fc.constantFrom(...new Set(SHELVES.map(({ categorySlug }) => categorySlug)))),
  type: maybe(fc.constantFrom(...TYPES)),
  sort: fc.constantFrom(...Object.keys(KEYS), 'relevance'),
  min_rating: maybe(fc.constantFrom(1, 2.5, 4, 5)),
  min_success: maybe(fc.constantFrom(0, 0.5, 0.9)),
  max_latency_ms: maybe(fc.constantFrom(1, 128, 60_000)),
  samples: fc.constantFrom('exclude', 'include', 'only'),
  unreachable: fc.constantFrom('exclude', 'exclude', 'include', 'only'),
  price: fc.constantFrom('all', 'paid', 'free'),
  limit: fc.integer({ min: 1, max: 100 }),
  offset: fc.constantFrom(0, 1, 17, 100, 500),
});

async function browse(parameters: Record<string, unknown>, headers: Record<string, string> = {}) {
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined);
  const query = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
  const { body } = await readSigned(
    await market.request('GET', `/marketplace/listings?${query}`, { headers }),
  );
  return body as {
    listings: { id: string }[];
    total: number;
    limit: number;
    offset: number;
    depth?: null;
    matched?: 'all' | 'any';
    correctedQuery?: string;
    facets?: Record<'category' | 'vertical' | 'rail', { count: number; value: string }[]> & {
      price: { count: number; minCents: number; maxCents: number | null }[];
      quality: { count: number; minRating: number }[];
    };
    suggestions?: { leaveOut: string[]; set: Record<string, string> }[];
  };
}

describe('browsing', () => {
  clause(
    'browse.category',
    'browse.vertical-filter',
    'browse.sort',
    'browse.sort-quality',
    'browse.sort-trust',
  );
  it('gives exactly the page and the total that every combination of parameters asks for', async () => {
    await fc.assert(
      fc.asyncProperty(anyQuery, async (query) => {
        const { matched, rows } = expected(query);
        const { listings, ...rest } = await browse({ ...query });
        const ids = listings.map(({ id }) => id);
        if (matched === 'any' || query.sort === 'relevance') {
          const inAnyOrder = new Set(rows.map(({ listingId }) => listingId));
          expect(new Set(ids).size).toBe(Math.max(0, Math.min(query.limit, rows.length - query.offset)));
          expect(ids.filter((id) => !inAnyOrder.has(id))).toEqual([]);
        } else {
          const page = rows.slice(query.offset, query.offset + query.limit);
          expect(ids).toEqual(page.map(({ listingId }) => listingId));
        }
        expect(rest).toMatchObject({ total: rows.length, limit: query.limit, offset: query.offset });
        expect([rest.matched, rest.correctedQuery]).toEqual([matched, undefined]);
      }),
      { numRuns: 80 },
    );
  }, 120_000);

  it('counts all that match by category, vertical, price, rail and rating', async () => {
    const tally = (rows: readonly SearchDocument[], valuesIn: (document: SearchDocument) => string[]) => {
      const counts = new Map<string, number>();
      for (const value of rows.flatMap(valuesIn)) counts.set(value, (counts.get(value) ?? 0) + 1);
      return [...counts].map(([value, count]) => ({ count, value }));
    };
    const railsOf = ({ priceCents: cents }: SearchDocument) => [
      ...(cents === 0 ? ['free'] : ['wallet']),
      ...(cents >= LIMITS.card.minCents && cents <= LIMITS.card.maxCents ? ['card'] : []),
      ...(cents >= LIMITS.x402.minCents ? ['x402'] : []),
    ];
    const standard = { sort: 'recent', samples: 'exclude', price: 'all', limit: 2, offset: 0 };
    const further = [
      {},
      { q: 'amber' },
      { q: 'birch cedar' },
      { vertical: SHELVES[1]?.slug, price: 'paid' },
      { min_rating: 3 },
      { unreachable: 'include' },
      { q: 'amber', unreachable: 'only' },
    ];
    for (const query of [...further, { q: 'zzzz' }].map((one) => ({ ...standard, ...one }))) {
      const { rows } = expected(query);
      const { facets } = await browse({ ...query, facets: true });
      expect(facets?.category).toEqual(expect.arrayContaining(tally(rows, (one) => [one.categorySlug])));
      expect(facets?.vertical).toEqual(expect.arrayContaining(tally(rows, (one) => [one.verticalSlug])));
      expect(facets?.rail).toEqual(expect.arrayContaining(tally(rows, railsOf)));
      for (const { count, minCents, maxCents } of facets?.price ?? [])
        expect(count).toBe(
          rows.filter(({ priceCents: cents }) => cents >= minCents && cents <= (maxCents ?? cents)).length,
        );
      for (const { count, minRating } of facets?.quality ?? [])
        expect(count).toBe(rows.filter(({ ratingAvg }) => (ratingAvg ?? 0) >= minRating).length);
      const sums = [facets?.category, facets?.vertical, facets?.price].map((one) =>
        one?.reduce((sum, { count }) => sum + count, 0),
      );
      expect(sums).toEqual([rows.length, rows.length, rows.length]);
    }
    expect(await browse({})).not.toHaveProperty('facets');
  });

  it('suggests what to try where nothing was found, and names the parameters', async () => {
    const suggested = async (query: object) =>
      (await browse({ ...query })).suggestions?.map(({ leaveOut, set }) => [leaveOut, set]);
    const [first] = SHELVES;
    expect(await suggested({ q: '230' }), 'a reference listing').toEqual([[[], { samples: 'include' }]]);
    const elsewhere = { q: '239', price: 'free', min_success: 0 };
    expect(await suggested(elsewhere), 'it costs something').toEqual([[['min_success', 'price'], {}]]);
    expect(await suggested({ q: 'zzzz', category: first?.categorySlug }), 'they find nothing either').toEqual(
      [],
    );
    expect(await suggested({ q: 'zzzz', samples: 'include', max_latency_ms: 1 })).toEqual([]);
    expect(await suggested({ q: 'amber', vertical: 'no-such-vertical' })).toEqual([
      [['vertical'], {}],
      [['vertical'], { samples: 'include' }],
    ]);
    const both = { q: '230', min_success: 0 };
    expect(await suggested(both), 'no change alone finds it').toEqual([
      [['min_success'], { samples: 'include' }],
    ]);
    expect(await browse({ q: 'amber' })).not.toHaveProperty('suggestions');
  });

  it('gives only those members of a listing that were asked for', async () => {
    const { search } = market.newPorts();
    const [first] = CATALOGUE;
    if (!first) throw new Error('no catalogue');
    const whole = {
      ...first,
      summary: JSON.stringify({ description: 'd', id: first.listingId, title: 't' }),
    };
    await search.commit(putDocument(whole, 2));
    const only = async (fields: string) =>
      (await browse({ q: first.title, samples: 'only', fields, limit: 100 })).listings.find(
        ({ id }) => id === first.listingId,
      );
    expect(await only('title, nonsense,__proto__')).toEqual({ id: first.listingId, title: 't' });
    for (const none of [' ,', 'nope'])
      expect(await only(none)).toEqual({ description: 'd', id: first.listingId, title: 't' });
    const noticeOn = async (query: object) => ((await browse({ ...query })) as { notice?: string }).notice;
    expect(await noticeOn({ fields: 'title' })).toBeUndefined();
    expect(await noticeOn({ fields: 'title,bait' })).toMatch(
      /^Names in `fields` that are no members(?!.*bait)/,
    );
    expect(await noticeOn({ fields: 'bait', sort: 'bait' })).toMatch(/`sort` is none.* Names in `fields`/);
  });

  it('defaults to the newest 50 without samples', async () => {
    const { listings, total, limit, offset } = await browse({});
    const { rows } = expected({ sort: 'recent', samples: 'exclude', price: 'all', limit: 50, offset: 0 });
    expect({ total, limit, offset }).toEqual({ total: rows.length, limit: 50, offset: 0 });
    expect(listings.map(({ id }) => id)).toEqual(rows.slice(0, 50).map(({ listingId }) => listingId));
  });

  it.each([
    '"',
    '" OR 1',
    'a* NOT b',
    'title:amber',
    '^amber',
    'NEAR(amber birch)',
    '-amber',
    '{amber}',
    "'; --",
  ])('takes %s for words, never for syntax', async (q) => {
    const response = await market.request('GET', `/marketplace/listings?q=${encodeURIComponent(q)}`);
    expect(response.status).toBe(200);
  });

  it('finds those that do not answer by their index, and counts the others without reading documents', async () => {
    const { search } = market.newPorts();
    const planOf = async (query: Record<string, unknown>, part: RegExp) => {
      market.search.reset();
      await browse(query);
      const sql = market.search.roundTrips.flat().find((one) => part.test(one)) ?? '';
      const bound = sql.replaceAll('?', "'x'").replace(/LIMIT .*/, 'LIMIT 50');
      const plan = await search.all<{ detail: string }>({ sql: `EXPLAIN QUERY PLAN ${bound}`, params: [] });
      return plan.map(({ detail }) => detail).join('; ');
    };
    expect(await planOf({ unreachable: 'only' }, /summary/)).toBe(
      'SCAN documents USING INDEX documents_unreachable',
    );
    expect(await planOf({}, /SUM/)).toBe('SCAN facets');
    expect(await planOf({ facets: true }, /price_band/)).toContain('USING COVERING INDEX documents_facets');
  });

  it('costs one round trip', async () => {
    const queries = [
      {},
      { q: 'amber' },
      { q: 'amber', min_rating: 2, sort: 'quality' },
      { q: 'is cedr any amber' },
      { facets: true },
      { q: 'amber cedar', facets: true },
    ];
    for (const query of queries) {
      market.search.reset();
      market.market.reset();
      await browse(query);
      expect([market.search.count, market.market.count]).toEqual([1, 0]);
    }
  });

  it('uses an index for every sort, alone and within a category or vertical', async () => {
    const { search } = market.newPorts();
    for (const sort of Object.keys(KEYS)) {
      for (const filter of [{}, { category: SHELVES[0]?.categorySlug }, { vertical: SHELVES[0]?.slug }]) {
        market.search.reset();
        await browse({ sort, ...filter });
        const [sql = ''] = market.search.roundTrips[0] ?? [];
        const bound = sql.replaceAll('?', "'x'").replace(/LIMIT .*/, 'LIMIT 50');
        const plan = await search.all<{ detail: string }>({ sql: `EXPLAIN QUERY PLAN ${bound}`, params: [] });
        const details = plan.map(({ detail }) => detail).join('; ');
        expect(details).toMatch(/USING INDEX documents_/);
        expect(details).not.toContain('TEMP B-TREE');
        // Who is left out is found in an index of its own, and the documents that are passed are not read for it.
        expect(details).toContain('SCAN silent USING COVERING INDEX documents_unreachable');
      }
    }
  });
});

describe('classes', () => {
  it('RESEARCH looks on the research shelf, COMMERCE leaves it out, both by header too', async () => {
    const { search } = market.newPorts();
    const [first] = CATALOGUE;
    if (!first) throw new Error('no catalogue');
    const brief = {
      ...first,
      listingId: crypto.randomUUID(),
      verticalSlug: 'research-briefs',
      categorySlug: 'documents',
      isSample: false,
    };
    await search.commit(putDocument({ ...brief, summary: JSON.stringify({ id: brief.listingId }) }, 1));
    const all = (await browse({})).total;

    for (const research of [
      await browse({ class: 'RESEARCH' }),
      await browse({}, { 'X-MKT-Class': 'RESEARCH' }),
    ]) {
      expect(research.listings).toEqual([{ id: brief.listingId }]);
    }
    for (const commerce of [
      await browse({ class: 'COMMERCE' }),
      await browse({}, { 'X-MKT-Class': 'COMMERCE' }),
    ]) {
      expect(commerce.total).toBe(all - 1);
      expect(commerce).toHaveProperty('depth');
    }
    expect(await browse({})).not.toHaveProperty('depth');
  });
});
