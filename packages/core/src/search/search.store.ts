import { and, asc, count, desc, eq, getTableColumns, type SQL, sql } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import { asInteger, build, excluded } from '../db/build.ts';
import { type Params, query, write } from '../db/query.ts';
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

/** What the queries are filled with. A query takes of it what it names. */
interface SearchValues {
  readonly match: string | null;
  readonly category: string | null;
  readonly vertical: string | null;
  readonly exceptVertical: string | null;
  readonly subcategory: string | null;
  readonly type: string | null;
  readonly minRating: number | null;
  readonly isFree: boolean;
  readonly limit: number;
  readonly offset: number;
}

/** One page of documents and the exact number of all that fit, in one round trip. */
export async function browseDocuments(
  search: Database,
  filter: BrowseFilter,
  sort: Sort,
  { limit, offset }: { limit: number; offset: number },
): Promise<BrowsePage> {
  const values: SearchValues = {
    match: filter.match,
    category: filter.category ?? null,
    vertical: filter.vertical ?? null,
    exceptVertical: filter.exceptVertical ?? null,
    subcategory: filter.subcategory ?? null,
    type: filter.type ?? null,
    minRating: filter.minRating ?? null,
    isFree: filter.price === 'free',
    limit,
    offset,
  };
  const queries = queriesFor(filter, sort);
  const [rows, counted] = await Promise.all([
    queries.page.all(search, values),
    queries.count.first(search, values),
  ]);
  return { summaries: rows.map(({ summary }) => summary), total: counted?.total ?? 0 };
}

/** Building a query takes longer than running it, so the queries of recent shapes are kept. */
const kept = new Map<string, ReturnType<typeof buildQueries>>();
const MAX_KEPT = 200;

function queriesFor(filter: BrowseFilter, sort: Sort) {
  const shape = shapeOf(filter, sort);
  const known = kept.get(shape);
  if (known) return known;
  if (kept.size >= MAX_KEPT) kept.clear();
  const built = buildQueries(filter, sort);
  kept.set(shape, built);
  return built;
}

/** Two filters of one shape differ in their values only. */
function shapeOf(filter: BrowseFilter, sort: Sort): string {
  const { match, category, vertical, exceptVertical, subcategory, type, minRating, samples, price } = filter;
  const presence = [match ?? undefined, category, vertical, exceptVertical, subcategory, type, minRating].map(
    (value) => (value === undefined ? '0' : '1'),
  );
  return `${sort} ${samples} ${price === 'all'} ${presence.join('')}`;
}

function buildQueries(filter: BrowseFilter, sort: Sort) {
  return {
    page: query((p: Params<SearchValues>) => pageQuery(p, filter, sort)),
    count: query((p: Params<SearchValues>) => countQuery(p, filter)),
  };
}

const text = sql`documents_text`;
const rowid = sql`${documents}.rowid`;
const MATCHES = sql`${text} CROSS JOIN ${documents} ON ${rowid} = ${text}.rowid`;
const SUMMARY = { summary: documents.summary };
const COUNT = { total: count() };

/**
 * Words are searched in one of two ways. With many matches, their rowids make a set, and the index of the sort order
 * is walked until the page is full. With few, they are fetched and sorted. A walk passes about
 * `page * documents / matches` entries, and fetching a match takes as long as 25 of them: there the costs are equal.
 * Beyond 5000 matches the exact number does not matter.
 */
function pageQuery(p: Params<SearchValues>, filter: BrowseFilter, sort: Sort) {
  const where = conditions(p, filter);
  const order = ORDER[sort];
  const page = build.select(SUMMARY).from(documents).where(where);
  if (filter.match === null) {
    return page
      .orderBy(...order)
      .limit(p.limit)
      .offset(p.offset);
  }
  const isMatch = sql`${text} MATCH ${p.match}`;
  const orderBy = sql.join([...order], sql`, `);
  // A UNION ALL of pages, each with an order of its own, which the builder cannot write.
  return build.select({ summary: sql<string>`summary` }).from(sql`(WITH matches AS MATERIALIZED (
      SELECT found * found * 25 > (${p.limit} + ${p.offset}) * (SELECT MAX(rowid) FROM ${documents}) AS are_many
      FROM (SELECT COUNT(*) AS found FROM (SELECT 1 FROM ${text} WHERE ${isMatch} LIMIT 5000)))
    SELECT summary FROM (SELECT summary FROM ${documents}
      WHERE +${rowid} IN (SELECT rowid FROM ${text} WHERE ${isMatch}) AND ${where} ORDER BY ${orderBy}
      LIMIT (SELECT CASE WHEN are_many THEN ${p.limit} ELSE 0 END FROM matches) OFFSET ${p.offset})
    UNION ALL SELECT summary FROM (SELECT summary FROM ${MATCHES} WHERE ${isMatch} AND ${where} ORDER BY ${orderBy}
      LIMIT (SELECT CASE WHEN are_many THEN 0 ELSE ${p.limit} END FROM matches) OFFSET ${p.offset}))`);
}

/**
 * Without words or ratings the total is a sum over a few hundred counters, whatever the catalogue's size.
 * Words alone are counted in their index, without reading documents but those few that are left out.
 */
function countQuery(p: Params<SearchValues>, filter: BrowseFilter) {
  const { match, category, vertical, subcategory, type, minRating, price, samples } = filter;
  const isBroad = price === 'all' && [category, type, minRating].every((one) => one === undefined);
  if (match === null) {
    const counters = subcategory === undefined ? facets : subcategoryFacets;
    const isCounted = subcategory === undefined ? minRating === undefined : isBroad;
    return isCounted
      ? build
          .select({ total: sql<number>`COALESCE(SUM(${counters.documents}), 0)` })
          .from(counters)
          .where(conditions(p, filter, counters))
      : build.select(COUNT).from(documents).where(conditions(p, filter));
  }
  const isMatch = sql`${text} MATCH ${p.match}`;
  const isPlain = isBroad && vertical === undefined;
  if (!isPlain || samples === 'only') {
    return build
      .select(COUNT)
      .from(MATCHES)
      .where(and(isMatch, conditions(p, filter)));
  }
  const leftOut = [sql`SELECT rowid FROM ${documents} WHERE ${documents.verticalSlug} = ${p.exceptVertical}`];
  if (samples === 'exclude')
    leftOut.push(sql`SELECT rowid FROM ${documents} WHERE ${documents.isSample} = 1`);
  return build
    .select(COUNT)
    .from(text)
    .where(sql`${isMatch} AND +rowid NOT IN (${sql.join(leftOut, sql` UNION ALL `)})`);
}

/** All conditions but the words, on documents or on counters, whose columns have the same names. */
function conditions(p: Params<SearchValues>, filter: BrowseFilter, table: SQLiteTable = documents): SQL {
  const column = (field: keyof SearchDocument) => sql`${table}.${sql.identifier(documents[field].name)}`;
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
  if (filter.samples === 'exclude') all.push(sql`+${column('isSample')} = 0`);
  if (filter.samples === 'only') all.push(sql`${column('isSample')} = 1`);
  if (filter.price !== 'all') all.push(sql`+${column('isFree')} = ${p.isFree}`);
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
