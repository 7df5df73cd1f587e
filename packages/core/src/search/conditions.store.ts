import { asc, desc, type SQL, sql } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import type { Params } from '../db/query.ts';
import { documents } from '../db/tables/search.ts';
import type { BrowseFilter, Sort } from './search.rules.ts';

/** What the queries are filled with. A query takes of it what it names. */
export interface SearchValues {
  /** The FTS5 expression for rows with every word. */
  readonly match: string | null;
  /** The words as JSON, for the wider search. */
  readonly words: string | null;
  readonly category: string | null;
  readonly vertical: string | null;
  readonly exceptVertical: string | null;
  readonly subcategory: string | null;
  readonly type: string | null;
  readonly minRating: number | null;
  readonly minSuccess: number | null;
  readonly maxLatencyMs: number | null;
  readonly isFree: boolean;
  readonly limit: number;
  readonly offset: number;
  /** Null where the rail is not configured. */
  readonly cardMinCents: number | null;
  readonly cardMaxCents: number | null;
  readonly x402MinCents: number | null;
}

const ROWID = sql`${documents}.rowid`;
/**
 * They are few, in an index of their own. Their column stands behind the texts: to read it of each document that is passed
 * would be to read its texts.
 */
export const UNREACHABLE = sql`SELECT rowid FROM ${documents} AS silent WHERE silent.is_reachable = 0`;

const newestFirst = [desc(documents.createdAt), asc(documents.listingId)];
export const ORDER: Readonly<Record<Exclude<Sort, 'relevance'>, readonly SQL[]>> = {
  recent: newestFirst,
  popular: [desc(documents.popularity), ...newestFirst],
  price_asc: [asc(documents.priceMicros), ...newestFirst],
  price_desc: [desc(documents.priceMicros), ...newestFirst],
  quality: [desc(documents.quality), ...newestFirst],
  trust: [desc(documents.trust), ...newestFirst],
};

/** All conditions but the words, on documents or on counters, whose columns have the same names. */
export function conditions(
  p: Params<SearchValues>,
  filter: BrowseFilter,
  table: SQLiteTable = documents,
): SQL {
  const column = (field: keyof typeof documents.$inferSelect) =>
    sql`${table}.${sql.identifier(documents[field].name)}`;
  const all: SQL[] = [];
  if (filter.vertical !== undefined) all.push(sql`${column('verticalSlug')} = ${p.vertical}`);
  if (filter.subcategory !== undefined) all.push(sql`${column('subcategory')} = ${p.subcategory}`);
  // The unary plus keeps a condition from choosing the index: the other one, or the order, should.
  if (filter.category !== undefined) {
    const plus = filter.vertical === undefined ? sql.empty() : sql`+`;
    all.push(sql`${plus}${column('categorySlug')} = ${p.category}`);
  }
  if (filter.exceptVertical !== undefined) all.push(sql`+${column('verticalSlug')} <> ${p.exceptVertical}`);
  if (filter.type !== undefined) all.push(sql`${column('listingType')} = ${p.type}`);
  if (filter.minRating !== undefined) all.push(sql`${column('ratingAvg')} >= ${p.minRating}`);
  if (filter.minSuccess !== undefined) all.push(sql`${column('successRate')} >= ${p.minSuccess}`);
  if (filter.maxLatencyMs !== undefined) all.push(sql`${column('p95Ms')} <= ${p.maxLatencyMs}`);
  if (filter.samples === 'exclude') all.push(sql`+${column('isSample')} = 0`);
  if (filter.samples === 'only') all.push(sql`${column('isSample')} = 1`);
  // The counters have only those that are reachable.
  if (table === documents && filter.unreachable === 'exclude')
    all.push(sql`+${ROWID} NOT IN (${UNREACHABLE})`);
  if (filter.unreachable === 'only') all.push(sql`${column('isReachable')} = 0`);
  if (filter.price !== 'all') all.push(sql`+${column('isFree')} = ${p.isFree}`);
  return all.length === 0 ? sql`1` : sql.join(all, sql` AND `);
}

/** Whether anything is asked that no counter tells documents apart by. */
export function isOfDocuments({ minRating, minSuccess, maxLatencyMs, unreachable }: BrowseFilter): boolean {
  return unreachable !== 'exclude' || [minRating, minSuccess, maxLatencyMs].some((one) => one !== undefined);
}

/** Whether nothing is asked but words, and to leave out a few documents. */
export function isBroad(filter: BrowseFilter): boolean {
  const { category, vertical, type, price, samples } = filter;
  return (
    price === 'all' &&
    samples !== 'only' &&
    !isOfDocuments(filter) &&
    [category, vertical, type].every((one) => one === undefined)
  );
}
