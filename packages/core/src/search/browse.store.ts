import { count, sql } from 'drizzle-orm';
import { build } from '../db/build.ts';
import { type Params, query } from '../db/query.ts';
import { documents, facets, subcategoryFacets } from '../db/tables/search.ts';
import type { Database } from '../kernel/ports/database.ts';
import { conditions, isOfDocuments, ORDER, type SearchValues } from './conditions.store.ts';
import { type Facets, facetsOf, type RailLimits } from './facets.rules.ts';
import { facetsQuery } from './facets.store.ts';
import { type BrowseFilter, matchExpression, type Sort, wordsOf } from './search.rules.ts';
import { searchQuery } from './words.store.ts';

export interface BrowsePage {
  /** Listing objects of the contract as RFC 8785 text. */
  readonly summaries: readonly string[];
  readonly total: number;
  /** Where words were searched for: whether the rows have all of them in title or description. */
  readonly matched?: 'all' | 'any';
  /** What misspelt words of the text were replaced by. */
  readonly corrections?: Readonly<Record<string, string>>;
  /** Of all that match, where they were asked for. */
  readonly facets?: Facets;
}

export const EMPTY_PAGE: BrowsePage = { summaries: [], total: 0 };

/** One page of documents and the exact number of all that fit, in one round trip. */
export async function browseDocuments(
  search: Database,
  filter: BrowseFilter,
  sort: Sort,
  { limit, offset, facets: limits }: { limit: number; offset: number; facets?: RailLimits | undefined },
): Promise<BrowsePage> {
  const text = filter.words?.trim() ? filter.words : null;
  const match = text === null ? null : matchExpression(text);
  const values: SearchValues = {
    match,
    words: text === null ? null : JSON.stringify(wordsOf(text)),
    category: filter.category ?? null,
    vertical: filter.vertical ?? null,
    exceptVertical: filter.exceptVertical ?? null,
    subcategory: filter.subcategory ?? null,
    type: filter.type ?? null,
    minRating: filter.minRating ?? null,
    minSuccess: filter.minSuccess ?? null,
    maxLatencyMs: filter.maxLatencyMs ?? null,
    isFree: filter.price === 'free',
    limit,
    offset,
    cardMinCents: limits?.card?.minCents ?? null,
    cardMaxCents: limits?.card?.maxCents ?? null,
    x402MinCents: limits?.x402?.minCents ?? null,
  };
  const queries = queriesFor({ ...filter, words: text }, sort);
  // A text without any word in it, as `!?`, matches nothing.
  if (text !== null && match === null)
    return { ...EMPTY_PAGE, matched: 'any', ...(limits === undefined ? {} : { facets: facetsOf([]) }) };
  const [page, facets] = await Promise.all([
    text === null ? readPage(search, queries, values) : queries.search.all(search, values).then(pageOf),
    limits === undefined ? null : queries.facets.all(search, values),
  ]);
  return facets === null ? page : { ...page, facets: facetsOf(facets) };
}

async function readPage(
  search: Database,
  { page, count }: ReturnType<typeof buildQueries>,
  values: SearchValues,
): Promise<BrowsePage> {
  const [rows, counted] = await Promise.all([page.all(search, values), count.first(search, values)]);
  return { summaries: rows.map(({ summary }) => summary), total: counted?.total ?? 0 };
}

type FoundRow = Awaited<ReturnType<ReturnType<typeof buildQueries>['search']['all']>>[number];

function pageOf([head, ...rows]: readonly FoundRow[]): BrowsePage {
  if (head === undefined) throw new Error('A search tells its total.');
  return {
    summaries: rows.flatMap(({ summary }) => summary ?? []),
    total: head.total,
    matched: head.hasEveryWord ? 'all' : 'any',
    corrections: JSON.parse(head.corrections) as Record<string, string>,
  };
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
  const { words, category, vertical, exceptVertical, subcategory, type, samples, unreachable, price } =
    filter;
  const { minRating, minSuccess, maxLatencyMs } = filter;
  const places = [category, vertical, exceptVertical, subcategory, type];
  const presence = [words ?? undefined, ...places, minRating, minSuccess, maxLatencyMs].map((value) =>
    value === undefined ? '0' : '1',
  );
  return `${sort} ${samples} ${unreachable} ${price === 'all'} ${presence.join('')}`;
}

function buildQueries(filter: BrowseFilter, sort: Sort) {
  return {
    facets: query((p: Params<SearchValues>) => facetsQuery(p, filter)),
    search: query((p: Params<SearchValues>) => searchQuery(p, filter, sort)),
    page: query((p: Params<SearchValues>) => pageQuery(p, filter, sort)),
    count: query((p: Params<SearchValues>) => countQuery(p, filter)),
  };
}

/** Without words there is no relevance: the newest come first. */
function pageQuery(p: Params<SearchValues>, filter: BrowseFilter, sort: Sort) {
  return build
    .select({ summary: documents.summary })
    .from(documents)
    .where(conditions(p, filter))
    .orderBy(...ORDER[sort === 'relevance' ? 'recent' : sort])
    .limit(p.limit)
    .offset(p.offset);
}

/** Without ratings and measures the total is a sum over a few hundred counters, whatever the catalogue's size. */
function countQuery(p: Params<SearchValues>, filter: BrowseFilter) {
  const { category, subcategory, type, price } = filter;
  const isPlain = price === 'all' && category === undefined && type === undefined;
  const counters = subcategory === undefined ? facets : subcategoryFacets;
  const isCounted = !isOfDocuments(filter) && (subcategory === undefined || isPlain);
  return isCounted
    ? build
        .select({ total: sql<number>`COALESCE(SUM(${counters.documents}), 0)` })
        .from(counters)
        .where(conditions(p, filter, counters))
    : build.select({ total: count() }).from(documents).where(conditions(p, filter));
}
