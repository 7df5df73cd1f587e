import { eq, gt, lt, sql } from 'drizzle-orm';
import { asJson, build, isOneOf } from '../db/build.ts';
import { insertFrom } from '../db/insert-from.ts';
import { type Params, query, write } from '../db/query.ts';
import { sellers } from '../db/tables/agents.ts';
import { listings, searchOutbox } from '../db/tables/listings.ts';
import type { Database, Statement } from '../kernel/ports/database.ts';

const marks = query((p: Params<{ ids: readonly string[] }>) =>
  build
    .select({ listingId: searchOutbox.listingId, mark: searchOutbox.mark })
    .from(searchOutbox)
    .where(isOneOf(searchOutbox.listingId, p.ids)),
);

const waiting = query((p: Params<{ limit: number }>) =>
  build
    .select({ listingId: searchOutbox.listingId })
    .from(searchOutbox)
    .where(lt(searchOutbox.indexedMark, searchOutbox.mark))
    .limit(p.limit),
);

const rating = query(() =>
  build
    .select({
      mean: sql<number>`COALESCE(SUM(${sellers.starsWeight}) * 1.0 / NULLIF(SUM(${sellers.ratedWeight}), 0), 0)`,
    })
    .from(sellers)
    .where(gt(sellers.ratingCount, 0)),
);

const setIndexed = write((p: Params<{ indexed: readonly { id: string; mark: number }[] }>) =>
  build
    .update(searchOutbox)
    .set({ indexedMark: sql`MAX(${searchOutbox.indexedMark}, done.mark)` })
    .from(
      sql`(SELECT value ->> 'id' AS id, value ->> 'mark' AS mark FROM json_each(${asJson(p.indexed)})) AS done`,
    )
    .where(eq(searchOutbox.listingId, sql`done.id`)),
);

const marked = query(() =>
  build
    .select({ count: sql<number>`COUNT(*)` })
    .from(sql`(SELECT listing_id FROM ${searchOutbox} UNION SELECT id FROM ${listings})`),
);

/** The condition keeps the parser from taking ON CONFLICT for a part of a join. */
const insertMissingMarks = write(() =>
  insertFrom(searchOutbox, { listingId: listings.id, mark: 0 }, (select) =>
    select.from(listings).where(sql`true`),
  ).onConflictDoNothing({ target: searchOutbox.listingId }),
);

const raiseAllMarks = write(() => build.update(searchOutbox).set({ mark: sql`${searchOutbox.mark} + 1` }));

/** How often each listing has changed. */
export async function readMarks(
  market: Database,
  ids: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await marks.all(market, { ids });
  return new Map(rows.map(({ listingId, mark }) => [listingId, mark]));
}

export async function listWaiting(market: Database, limit: number): Promise<string[]> {
  const rows = await waiting.all(market, { limit });
  return rows.map(({ listingId }) => listingId);
}

/** The mean of all that buyers say of sellers, by their weights, 0 while there is nothing. */
export async function readMeanRating(market: Database): Promise<number> {
  return (await rating.first(market))?.mean ?? 0;
}

/** Notes up to which change the documents are written. A change made since keeps its listing waiting. */
export function markIndexed(indexed: ReadonlyMap<string, number>): Statement {
  return setIndexed({ indexed: [...indexed].map(([id, mark]) => ({ id, mark })) });
}

/** How many listings the index is made of: those that were ever marked, and any that were not. */
export async function countMarked(market: Database): Promise<number> {
  return (await marked.first(market))?.count ?? 0;
}

/** Makes every listing wait for its document, deleted listings included: their documents are removed. */
export function markAll(): Statement[] {
  return [insertMissingMarks(), raiseAllMarks()];
}
