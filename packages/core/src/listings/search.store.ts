import { type SQL, sql } from 'drizzle-orm';
import { statement } from '../db/statement.ts';
import { documents } from '../db/tables/search.ts';
import type { Database, Statement } from '../kernel/ports.ts';
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
  const where = conditions(filter);
  const from =
    filter.match === null
      ? sql`documents`
      : sql`documents_text CROSS JOIN documents ON documents.rowid = documents_text.rowid`;
  const [rows, count] = await Promise.all([
    search.all<{ summary: string }>(
      statement(sql`SELECT summary FROM ${from} WHERE ${where}
        ORDER BY ${ORDER[sort]} LIMIT ${page.limit} OFFSET ${page.offset}`),
    ),
    search.first<{ total: number }>(statement(countQuery(filter, from, where))),
  ]);
  return { summaries: rows.map(({ summary }) => summary), total: count?.total ?? 0 };
}

/** Without words or ratings the total is a sum over a few hundred counters, whatever the catalogue's size. */
function countQuery(filter: BrowseFilter, from: SQL, where: SQL): SQL {
  return filter.match === null && filter.minRating === undefined
    ? sql`SELECT COALESCE(SUM(documents), 0) AS total FROM facets WHERE ${where}`
    : sql`SELECT COUNT(*) AS total FROM ${from} WHERE ${where}`;
}

function conditions(filter: BrowseFilter): SQL {
  const all: SQL[] = [];
  if (filter.match !== null) all.push(sql`documents_text MATCH ${filter.match}`);
  if (filter.vertical !== undefined) all.push(sql`vertical_slug = ${filter.vertical}`);
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
    price_cents, created_at, popularity, rating_avg, quality, trust, summary`;
  return [
    raiseMark(listingId, mark),
    statement(sql`INSERT INTO ${documents} (${columns})
      SELECT ${listingId}, ${document.title}, ${document.description}, ${document.verticalSlug},
        ${document.categorySlug}, ${document.listingType}, ${document.isSample}, ${document.isFree},
        ${document.priceCents}, ${document.createdAt}, ${document.popularity}, ${document.ratingAvg},
        ${document.quality}, ${document.trust}, ${document.summary}
      WHERE ${isNewest(listingId, mark)}
      ON CONFLICT (listing_id) DO UPDATE SET title = excluded.title, description = excluded.description,
        vertical_slug = excluded.vertical_slug, category_slug = excluded.category_slug,
        listing_type = excluded.listing_type, is_sample = excluded.is_sample, is_free = excluded.is_free,
        price_cents = excluded.price_cents, created_at = excluded.created_at, popularity = excluded.popularity,
        rating_avg = excluded.rating_avg, quality = excluded.quality, trust = excluded.trust,
        summary = excluded.summary`),
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
