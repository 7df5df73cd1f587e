import {
  PERSONAL_HEALTH_VERTICAL_SLUG,
  VERTICALS,
} from '@agent-marketplace/core/catalogue/catalogue.data.ts';
import { PLATFORM_LISTINGS } from '@agent-marketplace/core/platform/platform-listings.ts';
import { PRICE_CENTS, PRICED } from './purchased.ts';
import type { BenchSeller } from './seller.ts';

/** As much of a D1 binding as filling needs. */
export interface FillableDatabase {
  prepare(sql: string): {
    bind(...values: unknown[]): { run(): Promise<unknown> };
    run(): Promise<unknown>;
    all(): Promise<{ results: unknown[] }>;
  };
}

export interface Databases {
  readonly market: FillableDatabase;
  readonly search: FillableDatabase;
}

/** The listings that the relay rows buy. */
export const RELAYED = {
  plain: '00000000-0000-4000-8000-aaaaaaaaaaaa',
  claimed: '00000000-0000-4000-8000-bbbbbbbbbbbb',
};

const ROWS_A_STATEMENT = 5000;
const SELLERS = 500;

/** Spread over the index, unlike a counter, and known without asking. */
export function listingIdOf(n: number): string {
  const hash = (Math.imul(n, 0x9e3779b1) >>> 0).toString(16).padStart(8, '0');
  return `${hash}-0000-4000-8000-${n.toString(16).padStart(12, '0')}`;
}

const ID = "printf('%08x-0000-4000-8000-%012x', (n * 2654435761) & 4294967295, n)";
const SELLER_ID = `printf('%08x-1111-4000-8000-%012x', n % ${SELLERS}, n % ${SELLERS})`;
const CREATED_AT = "strftime('%Y-%m-%dT%H:%M:%S.000Z', 1735689600 + (n * 7919) % 50000000, 'unixepoch')";
const PRICE = '(n * 37) % 20000';
const NUMBERS =
  'WITH RECURSIVE numbers (n) AS (SELECT ?1 UNION ALL SELECT n + 1 FROM numbers WHERE n + 1 < ?2)';

/** Running text of the product itself: its words are as frequent or rare as words are. */
const CORPUS = [...PLATFORM_LISTINGS, ...VERTICALS]
  .flatMap((text) => [
    ...('title' in text ? text.title : text.name).split(/\s+/),
    ...text.description.split(/\s+/),
  ])
  .filter((word) => /^[a-z]+$/i.test(word));

/** Title: four words of the corpus and a series number. Description: the 30 words from another place on. */
const TITLE = `(SELECT group_concat(word, ' ') FROM bench_words WHERE id BETWEEN (n * 7919) % ${CORPUS.length - 40}
  AND (n * 7919) % ${CORPUS.length - 40} + 3) || ' series ' || (n % 997)`;
const DESCRIPTION = `(SELECT group_concat(word, ' ') FROM bench_words WHERE id BETWEEN (n * 104729) % ${CORPUS.length - 40}
  AND (n * 104729) % ${CORPUS.length - 40} + 29)`;
/** No listing of personal health data stands without a signed consent. */
const FILLED = VERTICALS.filter(({ slug }) => slug !== PERSONAL_HEALTH_VERTICAL_SLUG);
const VERTICAL = `bench_verticals.id = (n * 31) % ${FILLED.length}`;

/** Searches from rare to frequent, one word and two, whole and cut short. */
export function searches(): string[] {
  const occurrences = new Map<string, number>();
  for (const word of CORPUS)
    occurrences.set(word.toLowerCase(), (occurrences.get(word.toLowerCase()) ?? 0) + 1);
  const long = [...occurrences].filter(([word]) => word.length > 5).sort(([, a], [, b]) => b - a);
  const words = [0, 3, 10, 30, 80, 160].map((rank) => long[rank]?.[0] ?? 'prices');
  return [...words, `${words[0]} ${words[4]}`, 'series 123', words[2]?.slice(0, 4) ?? 'data'];
}

/** Puts so many listings on the market, indexed, without the product having a part in it. */
export async function fill({ market, search }: Databases, listings: number): Promise<void> {
  const counted = await market
    .prepare("SELECT COUNT(*) AS count FROM listings WHERE title LIKE '% series %'")
    .all();
  if ((counted.results[0] as { count: number }).count >= listings) return;
  await prepareTables(market, search);
  const template = (await search.prepare('SELECT summary FROM documents LIMIT 1').all()).results[0] as {
    summary: string;
  };
  for (let start = 0; start < listings; start += ROWS_A_STATEMENT) {
    const end = Math.min(start + ROWS_A_STATEMENT, listings);
    await market.prepare(INSERT_LISTINGS).bind(start, end).run();
    await search.prepare(INSERT_DOCUMENTS).bind(start, end, template.summary).run();
  }
  await market.prepare('UPDATE search_outbox SET indexed_mark = mark').run();
}

async function prepareTables(market: FillableDatabase, search: FillableDatabase): Promise<void> {
  const verticals = FILLED.map(({ slug, name, icon, categorySlug }) => ({
    slug,
    name,
    icon,
    categorySlug,
  }));
  for (const database of [market, search]) {
    await database
      .prepare('CREATE TABLE IF NOT EXISTS bench_words (id INTEGER PRIMARY KEY, word TEXT)')
      .run();
    await database
      .prepare('INSERT OR IGNORE INTO bench_words SELECT key, value FROM json_each(?)')
      .bind(JSON.stringify(CORPUS))
      .run();
    await database
      .prepare(
        'CREATE TABLE IF NOT EXISTS bench_verticals (id INTEGER PRIMARY KEY, slug, name, icon, category)',
      )
      .run();
    await database
      .prepare(
        `INSERT OR IGNORE INTO bench_verticals SELECT key, value ->> 'slug', value ->> 'name', value ->> 'icon',
          value ->> 'categorySlug' FROM json_each(?)`,
      )
      .bind(JSON.stringify(verticals))
      .run();
  }
  await market.prepare(INSERT_AGENTS).bind(0, SELLERS).run();
  await market.prepare(INSERT_SELLERS).bind(0, SELLERS).run();
}

const INSERT_AGENTS = `${NUMBERS} INSERT OR IGNORE INTO agents (id, name, handle, seller_label, buyer_label, created_at)
  SELECT ${SELLER_ID}, 'Bench', 'bench-' || n, 'seller-' || n, 'buyer-' || n, '2025-01-01T00:00:00.000Z' FROM numbers`;

const INSERT_SELLERS = `${NUMBERS} INSERT OR IGNORE INTO sellers (agent_id, delivered_count, rating_count, rating_sum, registered_at)
  SELECT ${SELLER_ID}, n, n % 7, (n % 7) * 4, '2025-01-01T00:00:00.000Z' FROM numbers`;

const INSERT_LISTINGS = `${NUMBERS} INSERT INTO listings (id, seller_id, seller_kind, status, vertical_slug, title,
    description, preview, price_cents, listing_type, fulfilment, fingerprint, input_schema, output_schema,
    example_query, history_digest, created_at)
  SELECT ${ID}, ${SELLER_ID}, 'third_party', 'active', slug, ${TITLE}, ${DESCRIPTION},
    '{"columns":["date","price"],"sample":[{"date":"2026-01-01","price":100}]}', ${PRICE}, 'standard', 'digital',
    'sha256:' || printf('%064x', n), '{"properties":{"from":{"type":"string"}},"type":"object"}',
    '{"properties":{"records":{"type":"array"}},"type":"object"}', '{"from":"2026-01-01"}',
    'sha256:' || printf('%064x', n), ${CREATED_AT}
  FROM numbers JOIN bench_verticals ON ${VERTICAL}`;

const INSERT_DOCUMENTS = `${NUMBERS} INSERT INTO documents (listing_id, title, description, vertical_slug, category_slug,
    listing_type, is_sample, is_free, price_cents, created_at, popularity, rating_avg, quality, trust, summary)
  SELECT id, title, description, slug, category, 'standard', 0, price = 0, price, created_at, n % 50,
    CASE WHEN n % 3 = 0 THEN 1 + n % 5 END, n % 5, n % 100,
    json_set(?3, '$.createdAt', created_at, '$.description', description, '$.id', id,
      '$.modificationHistoryUrl', '/marketplace/listings/' || id || '/history', '$.priceCents', price,
      '$.sellerId', seller_id, '$.sellerKind', 'third_party', '$.title', title, '$.verticalCategory', category,
      '$.verticalIcon', icon, '$.verticalName', name, '$.verticalSlug', slug)
  FROM (SELECT n, ${ID} AS id, ${SELLER_ID} AS seller_id, slug, category, icon, name, ${TITLE} AS title,
    ${DESCRIPTION} AS description, ${PRICE} AS price, ${CREATED_AT} AS created_at
    FROM numbers JOIN bench_verticals ON ${VERTICAL})`;

/** Two free listings whose seller answers with 10 MB, and one with a price and a few bytes. */
export async function addDelivered({ market }: Databases, seller: BenchSeller): Promise<void> {
  for (const [id, callbackUrl, title, priceCents] of [
    [RELAYED.plain, seller.plainUrl, 'Ten megabytes', 0],
    [RELAYED.claimed, seller.claimedUrl, 'Ten megabytes', 0],
    [PRICED, seller.smallUrl, 'A few bytes', PRICE_CENTS],
  ] as const) {
    const at = '2025-01-01T00:00:00.000Z';
    await market
      .prepare(
        `INSERT OR IGNORE INTO agents (id, name, handle, seller_label, buyer_label, created_at) VALUES (?1, 'Relay', ?1, 's', 'b', ?2)`,
      )
      .bind(id, at)
      .run();
    await market
      .prepare("INSERT OR IGNORE INTO sellers (agent_id, payouts, registered_at) VALUES (?, 'connected', ?)")
      .bind(id, at)
      .run();
    await market
      .prepare("INSERT OR REPLACE INTO delivery_endpoints VALUES (?, ?, 'webhook', ?)")
      .bind(id, callbackUrl, at)
      .run();
    await market
      .prepare(
        `INSERT OR IGNORE INTO listings (id, seller_id, seller_kind, status, vertical_slug, title, description, preview,
          price_cents, listing_type, fulfilment, fingerprint, history_digest, created_at)
        VALUES (?1, ?1, 'third_party', 'active', 'market-data', ?3, 'Reports.', '{}', CAST(?4 AS INTEGER),
          'standard', 'digital', 'sha256:0', 'sha256:0', ?2)`,
      )
      .bind(id, at, title, priceCents)
      .run();
  }
}
