import { and, eq, getTableColumns, type SQL, sql } from 'drizzle-orm';
import { asInteger, build, excluded } from '../db/build.ts';
import { insertWhere } from '../db/insert-from.ts';
import { type Params, write } from '../db/query.ts';
import { documents, facets, indexedMarks, spellings } from '../db/tables/search.ts';
import type { Statement } from '../kernel/ports/database.ts';

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
  const row = Object.fromEntries(
    FIELDS.map((field) => [field, p[field]]),
  ) as unknown as Params<SearchDocument>;
  return insertWhere(documents, row, isNewest(p)).onConflictDoUpdate({
    target: documents.listingId,
    set: excluded(documents, ...FIELDS),
  });
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
const deleteSpellings = write(() => build.delete(spellings));

/** Throws the whole index away. Counters first: the triggers of documents then have nothing to count down. */
export function emptyIndex(): Statement[] {
  return [deleteFacets(), deleteSpellings(), deleteDocuments(), deleteMarks()];
}
