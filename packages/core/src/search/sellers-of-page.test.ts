import { beforeAll, expect, it } from 'vitest';
import { createTestMarketplace } from '../testing/marketplace/workers-harness.ts';
import { browseDocuments } from './browse.store.ts';
import type { BrowseFilter } from './search.rules.ts';
import { putDocument, type SearchDocument } from './search.store.ts';

// Whoever gives many listings the same words must not fill the page that others are looked for on.

const market = createTestMarketplace();
const FILTER: BrowseFilter = {
  words: 'tide tables',
  samples: 'exclude',
  unreachable: 'exclude',
  price: 'all',
};

/** `stuffer` has 130 titles that fit best; 8 others have one each, and say the words in the description only. */
const documents: readonly SearchDocument[] = Array.from({ length: 138 }, (_, n) => {
  const isStuffed = n < 130;
  const sellerId = isStuffed ? 'stuffer' : `seller-${n}`;
  const listingId = `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
  return {
    listingId,
    title: isStuffed && n >= 40 ? `Tide tables, number ${n}` : `High water, number ${n}`,
    description: 'Tide tables of harbours.',
    tags: '',
    verticalWords: '',
    spellings: [],
    verticalSlug: 'weather-environment',
    categorySlug: 'data',
    subcategory: null,
    listingType: 'standard',
    isSample: false,
    isFree: false,
    priceCents: 100,
    priceMicros: 1_000_000,
    createdAt: '2026-01-01T00:00:00.000Z',
    popularity: 0,
    ratingAvg: null,
    quality: 3,
    trust: 0,
    successRate: null,
    p95Ms: null,
    isReachable: true,
    summary: JSON.stringify({ id: listingId, sellerId }),
  } satisfies SearchDocument;
});

beforeAll(async () => {
  await market.newPorts().search.commit(documents.flatMap((document) => putDocument(document, 1)));
});

async function sellersAt(offset: number, limit: number): Promise<string[]> {
  const page = { limit, offset };
  const { summaries, total } = await browseDocuments(market.newPorts().search, FILTER, 'relevance', page);
  expect(total).toBe(documents.length);
  return summaries.map((summary) => (JSON.parse(summary) as { sellerId: string }).sellerId);
}

it('has at most three rows of a seller before those of others, and every row on some page, once', async () => {
  const first = await sellersAt(0, 10);
  expect(first.filter((seller) => seller === 'stuffer')).toHaveLength(3);
  const seen = new Set<string>();
  let rows = 0;
  for (let offset = 0; offset < documents.length; offset += 7) {
    const { summaries } = await browseDocuments(market.newPorts().search, FILTER, 'relevance', {
      limit: 7,
      offset,
    });
    rows += summaries.length;
    for (const summary of summaries) seen.add(summary);
  }
  expect([rows, seen.size]).toEqual([documents.length, documents.length]);
  expect(await sellersAt(0, 138), 'a page of any size is the same list').toEqual([
    ...(await sellersAt(0, 60)),
    ...(await sellersAt(60, 78)),
  ]);
});
