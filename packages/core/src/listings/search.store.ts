import { type SQL, sql } from 'drizzle-orm';
import { statement } from '../db/statement.ts';
import { documents } from '../db/tables/search.ts';
import type { Database, Statement } from '../kernel/ports/database.ts';
import type { BrowseFilter, Sort } from './search.rules.ts';

const ORDER: Readonly<Record<Sort, SQL>> = {
  recent: sql`created_at DESC, listing_id`,
  popular: sql`popularity DESC, created_at DESC, listing_id`,
  price_asc: sql`price_cents, created_at DESC, listing_id`,
  price_desc: sql`price_cents DESC, created_at DESC, listing_id`,
  quality: sql`quality DESC, created_at DESC, listing_id`,
  trust: sql`trust DESC, created_at DESC, listing_id`,
};

export interface BrowsePage {
  /** Listing objects of the contract as RFC 8785 text. */
  readonly summaries: readonly string[];
  readonly total: number;
}

/** One page of documents and the exact number of all that fit, in one round trip. */
export async function browseDocuments(
  search: Database,
  filter: BrowseFilter,
  sort: Sort,
  page: { limit: number; offset: number },
): Promise<BrowsePage> {
  const [rows, count] = await Promise.all([
    search.all<{ summary: string }>(statement(pageQuery(filter, sort, page))),
    search.first<{ total: number }>(statement(countQuery(filter))),
  ]);
  return { summaries: rows.map(({ summary }) => summary), total: count?.total ?? 0 };
}

const MATCHES = sql`documents_text CROSS JOIN documents ON documents.rowid = documents_text.rowid`;

/**
 * Words are looked for in one of two ways. Many matches: their rowids make a set, and the index of the sort
 * is walked until the page is full. Few: they are fetched and sorted. A walk passes about
 * `page * documents / matches` entries and a fetched match takes as long as 25 of them, which is where the
 * ways cross. Beyond 5000 matches it does not matter how many there are.
 */
function pageQuery(
  filter: BrowseFilter,
  sort: Sort,
  { limit, offset }: { limit: number; offset: number },
): SQL {
  const where = conditions(filter);
  const order = ORDER[sort];
  const { match } = filter;
  if (match === null)
    return sql`SELECT summary FROM documents WHERE ${where} ORDER BY ${order} LIMIT ${limit} OFFSET ${offset}`;
  return sql`WITH matches AS MATERIALIZED (
      SELECT found * found * 25 > (${limit} + ${offset}) * (SELECT MAX(rowid) FROM documents) AS are_many
      FROM (SELECT COUNT(*) AS found FROM (SELECT 1 FROM documents_text WHERE documents_text MATCH ${match} LIMIT 5000)))
    SELECT summary FROM (SELECT summary FROM documents
      WHERE +rowid IN (SELECT rowid FROM documents_text WHERE documents_text MATCH ${match}) AND ${where}
      ORDER BY ${order} LIMIT (SELECT CASE WHEN are_many THEN ${limit} ELSE 0 END FROM matches) OFFSET ${offset})
    UNION ALL SELECT summary FROM (SELECT summary FROM ${MATCHES} WHERE documents_text MATCH ${match} AND ${where}
      ORDER BY ${order} LIMIT (SELECT CASE WHEN are_many THEN 0 ELSE ${limit} END FROM matches) OFFSET ${offset})`;
}

/**
 * Without words or ratings the total is a sum over a few hundred counters, whatever the catalogue's size.
 * Words alone are counted in their index, without reading documents but those few that are left out.
 */
function countQuery(filter: BrowseFilter): SQL {
  const { match, category, vertical, subcategory, type, minRating, price, samples } = filter;
  const where = conditions(filter);
  const isBroad = price === 'all' && [category, type, minRating].every((one) => one === undefined);
  if (match === null) {
    if (subcategory !== undefined) {
      const counted = isBroad
        ? sql`SELECT COALESCE(SUM(documents), 0) AS total FROM subcategory_facets`
        : sql`SELECT COUNT(*) AS total FROM documents`;
      return sql`${counted} WHERE ${where}`;
    }
    return minRating === undefined
      ? sql`SELECT COALESCE(SUM(documents), 0) AS total FROM facets WHERE ${where}`
      : sql`SELECT COUNT(*) AS total FROM documents WHERE ${where}`;
  }
  const isPlain = isBroad && vertical === undefined;
  if (!isPlain || samples === 'only')
    return sql`SELECT COUNT(*) AS total FROM ${MATCHES} WHERE documents_text MATCH ${match} AND ${where}`;
  const leftOut = [sql`SELECT rowid FROM documents WHERE vertical_slug = ${filter.exceptVertical ?? null}`];
  if (samples === 'exclude') leftOut.push(sql`SELECT rowid FROM documents WHERE is_sample = 1`);
  return sql`SELECT COUNT(*) AS total FROM documents_text WHERE documents_text MATCH ${match}
    AND +rowid NOT IN (${sql.join(leftOut, sql` UNION ALL `)})`;
}

/** All but the words. */
function conditions(filter: BrowseFilter): SQL {
  const all: SQL[] = [];
  if (filter.vertical !== undefined) all.push(sql`vertical_slug = ${filter.vertical}`);
  if (filter.subcategory !== undefined) all.push(sql`subcategory = ${filter.subcategory}`);
  // The unary plus keeps a condition from choosing the index: the other one, or the order, should.
  if (filter.category !== undefined) {
    all.push(
      filter.vertical === undefined
        ? sql`category_slug = ${filter.category}`
        : sql`+category_slug = ${filter.category}`,
    );
  }
  if (filter.exceptVertical !== undefined) all.push(sql`+vertical_slug <> ${filter.exceptVertical}`);
  if (filter.type !== undefined) all.push(sql`listing_type = ${filter.type}`);
  if (filter.minRating !== undefined) all.push(sql`rating_avg >= ${filter.minRating}`);
  if (filter.samples === 'exclude') all.push(sql`+is_sample = 0`);
  if (filter.samples === 'only') all.push(sql`is_sample = 1`);
  if (filter.price !== 'all') all.push(sql`+is_free = ${filter.price === 'free' ? 1 : 0}`);
  return all.length === 0 ? sql`1` : sql.join(all, sql` AND `);
}

export type SearchDocument = typeof documents.$inferSelect;

/** Writes a document, unless a newer state of the listing was indexed already. */
export function putDocument(document: SearchDocument, mark: number): Statement[] {
  const { listingId } = document;
  const columns = sql`listing_id, title, description, vertical_slug, category_slug, listing_type, is_sample, is_free,
    price_cents, created_at, popularity, rating_avg, quality, trust, summary, subcategory`;
  return [
    raiseMark(listingId, mark),
    statement(sql`INSERT INTO ${documents} (${columns})
      SELECT ${listingId}, ${document.title}, ${document.description}, ${document.verticalSlug},
        ${document.categorySlug}, ${document.listingType}, ${document.isSample}, ${document.isFree},
        ${document.priceCents}, ${document.createdAt}, ${document.popularity}, ${document.ratingAvg},
        ${document.quality}, ${document.trust}, ${document.summary}, ${document.subcategory}
      WHERE ${isNewest(listingId, mark)}
      ON CONFLICT (listing_id) DO UPDATE SET title = excluded.title, description = excluded.description,
        vertical_slug = excluded.vertical_slug, category_slug = excluded.category_slug,
        listing_type = excluded.listing_type, is_sample = excluded.is_sample, is_free = excluded.is_free,
        price_cents = excluded.price_cents, created_at = excluded.created_at, popularity = excluded.popularity,
        rating_avg = excluded.rating_avg, quality = excluded.quality, trust = excluded.trust,
        summary = excluded.summary, subcategory = excluded.subcategory`),
  ];
}

/** Removes a document, unless a newer state of the listing was indexed already. */
export function removeDocument(listingId: string, mark: number): Statement[] {
  return [
    raiseMark(listingId, mark),
    statement(sql`DELETE FROM ${documents} WHERE listing_id = ${listingId} AND ${isNewest(listingId, mark)}`),
  ];
}

function raiseMark(listingId: string, mark: number): Statement {
  return statement(sql`INSERT INTO indexed_marks (listing_id, mark) VALUES (${listingId}, ${mark})
    ON CONFLICT (listing_id) DO UPDATE SET mark = MAX(mark, excluded.mark)`);
}

function isNewest(listingId: string, mark: number): SQL {
  return sql`(SELECT mark FROM indexed_marks WHERE listing_id = ${listingId}) = CAST(${mark} AS INTEGER)`;
}

/** Throws the whole index away. Counters first: the triggers of documents then have nothing to count down. */
export function emptyIndex(): Statement[] {
  return [
    statement(sql`DELETE FROM facets`),
    statement(sql`DELETE FROM ${documents}`),
    statement(sql`DELETE FROM indexed_marks`),
  ];
}
