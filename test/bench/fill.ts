import {
  PERSONAL_HEALTH_VERTICAL_SLUG,
  VERTICALS,
} from '@agent-marketplace/core/catalogue/catalogue.data.ts';
import { agents, sellers } from '@agent-marketplace/core/db/tables/agents.ts';
import { deliveryEndpoints } from '@agent-marketplace/core/db/tables/delivery.ts';
import { listings } from '@agent-marketplace/core/db/tables/listings.ts';
import { documents } from '@agent-marketplace/core/db/tables/search.ts';
import type { Database } from '@agent-marketplace/core/kernel/ports/database.ts';
import { findListings } from '@agent-marketplace/core/listings/index.ts';
import { documentOf } from '@agent-marketplace/core/listings/refresh-search-documents.ts';
import { PLATFORM_LISTINGS } from '@agent-marketplace/core/platform/platform-listings.ts';
import { insertRows } from './insert-rows.ts';
import { PRICE_CENTS, PRICED } from './purchased.ts';
import type { BenchSeller } from './seller.ts';

export interface Databases {
  readonly market: Database;
  readonly search: Database;
}

/** The listings that the relay rows buy. */
export const RELAYED = {
  plain: '00000000-0000-4000-8000-aaaaaaaaaaaa',
  claimed: '00000000-0000-4000-8000-bbbbbbbbbbbb',
};

const SELLERS = 500;
const MEAN_RATING = 3;
const CREATED_AT = '2025-01-01T00:00:00.000Z';
const SPAN_SECONDS = 50_000_000;
/** Rows that are made before any of them is written. */
const ROWS_AT_ONCE = 500;

/** Spread over the index, unlike a counter, and known without asking. */
export function listingIdOf(n: number): string {
  return idOf('0000', n);
}

export function sellerIdOf(n: number): string {
  return idOf('1111', n % SELLERS);
}

export function idOf(kind: string, n: number): string {
  const hash = (Math.imul(n, 0x9e3779b1) >>> 0).toString(16).padStart(8, '0');
  return `${hash}-${kind}-4000-8000-${n.toString(16).padStart(12, '0')}`;
}

/** In no order, over a year and a half. */
export function timeOf(n: number): string {
  return timeAt(((n * 7919) % SPAN_SECONDS) / SPAN_SECONDS);
}

/** From the first (0) to the last (1) that anything was listed or sold at. */
export function timeAt(part: number): string {
  return new Date(Date.parse(CREATED_AT) + Math.floor(SPAN_SECONDS * part) * 1000).toISOString();
}

export function priceCentsOf(n: number): number {
  return (n * 37) % 20_000;
}

/** Numbers from 0 on, in portions that fit into memory. */
export function* portions(count: number): Generator<number[]> {
  for (let start = 0; start < count; start += ROWS_AT_ONCE) {
    yield Array.from({ length: Math.min(ROWS_AT_ONCE, count - start) }, (_, index) => start + index);
  }
}

/** Running text of the product itself: its words are as frequent or rare as words are. */
const CORPUS = [...PLATFORM_LISTINGS, ...VERTICALS]
  .flatMap((text) => [
    ...('title' in text ? text.title : text.name).split(/\s+/),
    ...text.description.split(/\s+/),
  ])
  .filter((word) => /^[a-z]+$/i.test(word));

/** No listing of personal health data stands without a signed consent. */
const FILLED = VERTICALS.filter(({ slug }) => slug !== PERSONAL_HEALTH_VERTICAL_SLUG);

/** So many words of the corpus, from another place for each number. */
function words(n: number, step: number, count: number): string {
  const start = (n * step) % (CORPUS.length - 40);
  return CORPUS.slice(start, start + count).join(' ');
}

/** Words of more than five letters, the most frequent first. */
function longWords(): string[] {
  const occurrences = new Map<string, number>();
  for (const word of CORPUS)
    occurrences.set(word.toLowerCase(), (occurrences.get(word.toLowerCase()) ?? 0) + 1);
  const long = [...occurrences].filter(([word]) => word.length > 5).sort(([, a], [, b]) => b - a);
  return long.map(([word]) => word);
}

/** Searches for several frequent words: that stand together in listings, that no listing has all of, and misspelt. */
export function wordSearches(): {
  readonly all: string[];
  readonly any: string[];
  readonly misspelt: [string, string][];
} {
  const long = longWords();
  const frequent = new Set(long.slice(0, 60));
  const together = [0, 400, 800, 1200].map((start) => {
    const near = CORPUS.slice(start, start + 400).map((word) => word.toLowerCase());
    const first = near.findIndex((word) => frequent.has(word));
    const others = near.slice(first, first + 20).filter((word) => frequent.has(word));
    return [...new Set(others)].slice(0, 3).join(' ');
  });
  const scattered = [0, 1, 2, 3].map((from) =>
    [0, 7, 19, 31, 53].map((rank) => long[rank + from] ?? '').join(' '),
  );
  // One letter of the first word is missing.
  const misspelt = together.map((words): [string, string] => [words.slice(0, 3) + words.slice(4), words]);
  return { all: together, any: scattered, misspelt };
}

/** Searches from rare to frequent, one word and two, whole and cut short. */
export function searches(): string[] {
  const long = longWords();
  const chosen = [0, 3, 10, 30, 80, 160].map((rank) => long[rank] ?? 'prices');
  return [...chosen, `${chosen[0]} ${chosen[4]}`, 'series 123', chosen[2]?.slice(0, 4) ?? 'data'];
}

/** Puts so many listings on the market, with the search documents that the product makes of them. */
export async function fill({ market, search }: Databases, count: number): Promise<void> {
  const filled = await market.first<{ count: number }>({
    sql: "SELECT COUNT(*) AS count FROM listings WHERE title LIKE '% series %'",
    params: [],
  });
  if ((filled?.count ?? 0) >= count) return;
  await insertSellers(market);
  const now = Date.now();
  for (const portion of portions(count)) {
    await insertRows(market, listings, portion.map(listingRow));
    const written = await findListings(market, portion.map(listingIdOf));
    await insertRows(
      search,
      documents,
      written.map((listing) => documentOf(listing, MEAN_RATING, now)),
    );
  }
  await market.commit([{ sql: 'UPDATE search_outbox SET indexed_mark = mark', params: [] }]);
}

async function insertSellers(market: Database): Promise<void> {
  const numbers = Array.from({ length: SELLERS }, (_, n) => n);
  await insertRows(
    market,
    agents,
    numbers.map((n) => ({
      id: sellerIdOf(n),
      name: 'Bench',
      handle: `bench-${n}`,
      sellerLabel: `seller-${n}`,
      buyerLabel: `buyer-${n}`,
      createdAt: CREATED_AT,
    })),
  );
  await insertRows(
    market,
    sellers,
    numbers.map((n) => ({
      agentId: sellerIdOf(n),
      deliveredCount: n,
      ratingCount: n % 7,
      ratingSum: (n % 7) * 4,
      registeredAt: CREATED_AT,
    })),
  );
}

function listingRow(n: number): typeof listings.$inferInsert {
  const digest = `sha256:${n.toString(16).padStart(64, '0')}`;
  const ratingCount = n % 3 === 0 ? 1 + (n % 4) : 0;
  return {
    id: listingIdOf(n),
    sellerId: sellerIdOf(n),
    sellerKind: 'third_party',
    status: 'active',
    verticalSlug: FILLED[(n * 31) % FILLED.length]?.slug ?? '',
    title: `${words(n, 7919, 4)} series ${n % 997}`,
    description: words(n, 104_729, 30),
    preview: { columns: ['date', 'price'], sample: [{ date: '2026-01-01', price: 100 }] },
    priceCents: priceCentsOf(n),
    listingType: 'standard',
    fulfilment: 'digital',
    fingerprint: digest,
    inputSchema: { properties: { from: { type: 'string' } }, type: 'object' },
    outputSchema: { properties: { records: { type: 'array' } }, type: 'object' },
    exampleQuery: { from: '2026-01-01' },
    popularity: n % 50,
    ratingCount,
    ratingSum: ratingCount * (1 + (n % 5)),
    historyDigest: digest,
    createdAt: timeOf(n),
  };
}

/** Two free listings whose seller answers with 10 MB, and one with a price and a few bytes. */
export async function addDelivered(market: Database, seller: BenchSeller): Promise<void> {
  const delivered = [
    { id: RELAYED.plain, callbackUrl: seller.plainUrl, title: 'Ten megabytes', priceCents: 0 },
    { id: RELAYED.claimed, callbackUrl: seller.claimedUrl, title: 'Ten megabytes', priceCents: 0 },
    { id: PRICED, callbackUrl: seller.smallUrl, title: 'A few bytes', priceCents: PRICE_CENTS },
  ];
  // A kept catalogue has them; the seller listens on another port each time.
  const known = await market.first({ sql: 'SELECT 1 FROM agents WHERE id = ?', params: [PRICED] });
  if (!known) await insertDelivered(market, delivered);
  await market.commit(
    delivered.map(({ id, callbackUrl }) => ({
      sql: 'UPDATE delivery_endpoints SET callback_url = ? WHERE seller_id = ?',
      params: [callbackUrl, id],
    })),
  );
}

interface Delivered {
  /** Of the listing and of its seller. */
  readonly id: string;
  readonly callbackUrl: string;
  readonly title: string;
  readonly priceCents: number;
}

async function insertDelivered(market: Database, delivered: readonly Delivered[]): Promise<void> {
  await insertRows(
    market,
    agents,
    delivered.map(({ id }) => ({
      id,
      name: 'Relay',
      handle: id,
      sellerLabel: 's',
      buyerLabel: 'b',
      createdAt: CREATED_AT,
    })),
  );
  await insertRows(
    market,
    sellers,
    delivered.map(({ id }) => ({ agentId: id, payouts: 'connected', registeredAt: CREATED_AT })),
  );
  await insertRows(
    market,
    deliveryEndpoints,
    delivered.map(({ id, callbackUrl }) => ({
      sellerId: id,
      callbackUrl,
      callbackType: 'webhook',
      verifiedAt: CREATED_AT,
    })),
  );
  await insertRows(
    market,
    listings,
    delivered.map(({ id, title, priceCents }) => ({
      id,
      sellerId: id,
      sellerKind: 'third_party',
      status: 'active',
      verticalSlug: 'market-data',
      title,
      description: 'Reports.',
      preview: {},
      priceCents,
      listingType: 'standard',
      fulfilment: 'digital',
      fingerprint: 'sha256:0',
      historyDigest: 'sha256:0',
      createdAt: CREATED_AT,
    })),
  );
}
