import { and, asc, count, desc, eq, getTableColumns, type SQL, sql } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import { asInteger, build, excluded } from '../db/build.ts';
import { type Params, readAll, readFirst, write } from '../db/query.ts';
import { documents, facets, indexedMarks, subcategoryFacets } from '../db/tables/search.ts';
import type { Database, Statement } from '../kernel/ports/database.ts';
import type { BrowseFilter, Sort } from './search.rules.ts';

const newestFirst = [desc(documents.createdAt), asc(documents.listingId)];
const ORDER: Readonly<Record<Sort, readonly SQL[]>> = {
  recent: newestFirst,
  popular: [desc(documents.popularity), ...newestFirst],
  price_asc: [asc(documents.priceCents), ...newestFirst],
  price_desc: [desc(documents.priceCents), ...newestFirst],
  quality: [desc(documents.quality), ...newestFirst],
  trust: [desc(documents.trust), ...newestFirst],
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
  const [rows, counted] = await Promise.all([
    readAll(search, pageQuery(filter, sort, page)),
    readFirst(search, countQuery(filter)),
  ]);
  return { summaries: rows.map(({ summary }) => summary), total: counted?.total ?? 0 };
}

const text = sql`documents_text`;
const rowid = sql`${documents}.rowid`;
const MATCHES = sql`${text} CROSS JOIN ${documents} ON ${rowid} = ${text}.rowid`;
const SUMMARY = { summary: documents.summary };
const COUNT = { total: count() };

/**
 * Words are looked for in one of two ways. Many matches: their rowids make a set, and the index of the sort
 * is walked until the page is full. Few: they are fetched and sorted. A walk passes about
 * `page * documents / matches` entries and a fetched match takes as long as 25 of them, which is where the
 * ways cross. Beyond 5000 matches it does not matter how many there are.
 */
function pageQuery(filter: BrowseFilter, sort: Sort, { limit, offset }: { limit: number; offset: number }) {
  const where = conditions(filter);
  const order = ORDER[sort];
  const { match } = filter;
  if (match === null) {
    return build
      .select(SUMMARY)
      .from(documents)
      .where(where)
      .orderBy(...order)
      .limit(limit)
      .offset(offset);
  }
  const isMatch = sql`${text} MATCH ${match}`;
  const orderBy = sql.join([...order], sql`, `);
  // UNION ALL of pages that are ordered each by itself, which the builder cannot write.
  return build.select({ summary: sql<string>`summary` }).from(sql`(WITH matches AS MATERIALIZED (
      SELECT found * found * 25 > (${limit} + ${offset}) * (SELECT MAX(rowid) FROM ${documents}) AS are_many
      FROM (SELECT COUNT(*) AS found FROM (SELECT 1 FROM ${text} WHERE ${isMatch} LIMIT 5000)))
    SELECT summary FROM (SELECT summary FROM ${documents}
      WHERE +${rowid} IN (SELECT rowid FROM ${text} WHERE ${isMatch}) AND ${where}
      ORDER BY ${orderBy} LIMIT (SELECT CASE WHEN are_many THEN ${limit} ELSE 0 END FROM matches) OFFSET ${offset})
    UNION ALL SELECT summary FROM (SELECT summary FROM ${MATCHES} WHERE ${isMatch} AND ${where}
      ORDER BY ${orderBy} LIMIT (SELECT CASE WHEN are_many THEN 0 ELSE ${limit} END FROM matches) OFFSET ${offset}))`);
}

/**
 * Without words or ratings the total is a sum over a few hundred counters, whatever the catalogue's size.
 * Words alone are counted in their index, without reading documents but those few that are left out.
 */
function countQuery(filter: BrowseFilter) {
  const { match, category, vertical, subcategory, type, minRating, price, samples } = filter;
  const isBroad = price === 'all' && [category, type, minRating].every((one) => one === undefined);
  if (match === null) {
    const counters = subcategory === undefined ? facets : subcategoryFacets;
    const isCounted = subcategory === undefined ? minRating === undefined : isBroad;
    return isCounted
      ? build
          .select({ total: sql<number>`COALESCE(SUM(${counters.documents}), 0)` })
          .from(counters)
          .where(conditions(filter, counters))
      : build.select(COUNT).from(documents).where(conditions(filter));
  }
  const isMatch = sql`${text} MATCH ${match}`;
  const isPlain = isBroad && vertical === undefined;
  if (!isPlain || samples === 'only') {
    return build
      .select(COUNT)
      .from(MATCHES)
      .where(and(isMatch, conditions(filter)));
  }
  const leftOut = [
    sql`SELECT rowid FROM ${documents} WHERE ${documents.verticalSlug} = ${filter.exceptVertical ?? null}`,
  ];
  if (samples === 'exclude')
    leftOut.push(sql`SELECT rowid FROM ${documents} WHERE ${documents.isSample} = 1`);
  return build
    .select(COUNT)
    .from(text)
    .where(sql`${isMatch} AND +rowid NOT IN (${sql.join(leftOut, sql` UNION ALL `)})`);
}

/**
 * All conditions but the words. The columns are written without their table: counters have some of them by the same
 * names, and what they lack is not asked of them.
 */
function conditions(filter: BrowseFilter, table: SQLiteTable = documents): SQL {
  const column = (field: keyof typeof documents.$inferSelect) =>
    sql`${table}.${sql.identifier(documents[field].name)}`;
  const all: SQL[] = [];
  if (filter.vertical !== undefined) all.push(sql`${column('verticalSlug')} = ${filter.vertical}`);
  if (filter.subcategory !== undefined) all.push(sql`${column('subcategory')} = ${filter.subcategory}`);
  // The unary plus keeps a condition from choosing the index: the other one, or the order, should.
  if (filter.category !== undefined) {
    const plus = filter.vertical === undefined ? sql`` : sql`+`;
    all.push(sql`${plus}${column('categorySlug')} = ${filter.category}`);
  }
  if (filter.exceptVertical !== undefined) {
    all.push(sql`+${column('verticalSlug')} <> ${filter.exceptVertical}`);
  }
  if (filter.type !== undefined) all.push(sql`${column('listingType')} = ${filter.type}`);
  if (filter.minRating !== undefined) all.push(sql`${column('ratingAvg')} >= ${filter.minRating}`);
  if (filter.samples === 'exclude') all.push(sql`+${column('isSample')} = 0`);
  if (filter.samples === 'only') all.push(sql`${column('isSample')} = 1`);
  if (filter.price !== 'all') all.push(sql`+${column('isFree')} = ${filter.price === 'free' ? 1 : 0}`);
  return all.length === 0 ? sql`1` : sql.join(all, sql` AND `);
}

export type SearchDocument = typeof documents.$inferSelect;

const raise = write((p: Params<{ listingId: string; mark: number }>) =>
  build
    .insert(indexedMarks)
    .values({ listingId: p.listingId, mark: p.mark })
    .onConflictDoUpdate({
      target: indexedMarks.listingId,
      set: { mark: sql`MAX(${indexedMarks.mark}, excluded.mark)` },
    }),
);

/** Whether no newer state of the listing was indexed. */
function isNewest(p: Params<{ listingId: string; mark: number }>): SQL {
  const indexed = build
    .select({ mark: indexedMarks.mark })
    .from(indexedMarks)
    .where(eq(indexedMarks.listingId, p.listingId));
  return sql`${indexed} = ${asInteger(p.mark)}`;
}

const FIELDS = Object.keys(getTableColumns(documents)) as (keyof SearchDocument)[];

const put = write((p: Params<SearchDocument & { mark: number }>) => {
  const values = FIELDS.map((field) => sql.param(p[field], documents[field]));
  return build
    .insert(documents)
    .select(sql`SELECT ${sql.join(values, sql`, `)} WHERE ${isNewest(p)}`)
    .onConflictDoUpdate({ target: documents.listingId, set: excluded(documents, ...FIELDS) });
});

const remove = write((p: Params<{ listingId: string; mark: number }>) =>
  build.delete(documents).where(and(eq(documents.listingId, p.listingId), isNewest(p))),
);

/** Writes a document, unless a newer state of the listing was indexed already. */
export function putDocument(document: SearchDocument, mark: number): Statement[] {
  const { listingId } = document;
  return [raise({ listingId, mark }), put({ ...document, mark })];
}

/** Removes a document, unless a newer state of the listing was indexed already. */
export function removeDocument(listingId: string, mark: number): Statement[] {
  return [raise({ listingId, mark }), remove({ listingId, mark })];
}

const deleteFacets = write(() => build.delete(facets));
const deleteDocuments = write(() => build.delete(documents));
const deleteMarks = write(() => build.delete(indexedMarks));

/** Throws the whole index away. Counters first: the triggers of documents then have nothing to count down. */
export function emptyIndex(): Statement[] {
  return [deleteFacets(), deleteDocuments(), deleteMarks()];
}
