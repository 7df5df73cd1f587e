import { sql } from 'drizzle-orm';
import { prepared, statement } from '../db/statement.ts';
import { listings, searchOutbox } from '../db/tables/listings.ts';
import type { Database, Statement } from '../kernel/ports/database.ts';

const marks = prepared<{ ids: string }>(sql`SELECT listing_id AS listingId, mark FROM ${searchOutbox}
  WHERE listing_id IN (SELECT value FROM json_each(${sql.placeholder('ids')}))`);
const waiting = prepared<{ limit: number }>(sql`SELECT listing_id AS listingId FROM ${searchOutbox}
  WHERE indexed_mark < mark LIMIT ${sql.placeholder('limit')}`);
const rating = prepared(sql`SELECT COALESCE(SUM(rating_sum) * 1.0 / NULLIF(SUM(rating_count), 0), 0) AS mean
  FROM sellers WHERE rating_count > 0`);

/** How often each listing has changed. */
export async function readMarks(
  market: Database,
  ids: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await market.all<{ listingId: string; mark: number }>(marks({ ids: JSON.stringify(ids) }));
  return new Map(rows.map(({ listingId, mark }) => [listingId, mark]));
}

export async function listWaiting(market: Database, limit: number): Promise<string[]> {
  const rows = await market.all<{ listingId: string }>(waiting({ limit }));
  return rows.map(({ listingId }) => listingId);
}

/** The mean of all ratings, 0 while there are none. */
export async function meanRating(market: Database): Promise<number> {
  return (await market.first<{ mean: number }>(rating({})))?.mean ?? 0;
}

/** Notes up to which change the documents are written; a change made since keeps its listing waiting. */
export function markIndexed(indexed: ReadonlyMap<string, number>): Statement {
  const done = JSON.stringify([...indexed].map(([id, mark]) => ({ id, mark })));
  return statement(sql`UPDATE ${searchOutbox} SET indexed_mark = MAX(indexed_mark, done.mark)
    FROM (SELECT value ->> 'id' AS id, value ->> 'mark' AS mark FROM json_each(${done})) AS done
    WHERE listing_id = done.id`);
}

/** How many listings the index is made of: those that were ever marked, and any that were not. */
export async function countMarked(market: Database): Promise<number> {
  const rows = statement(sql`SELECT COUNT(*) AS count FROM
    (SELECT listing_id FROM ${searchOutbox} UNION SELECT id FROM ${listings})`);
  return (await market.first<{ count: number }>(rows))?.count ?? 0;
}

/** Makes every listing wait for its document, deleted ones included: theirs is removed. */
export function markAll(): Statement[] {
  return [
    statement(sql`INSERT INTO ${searchOutbox} (listing_id, mark) SELECT id, 0 FROM ${listings} WHERE true
      ON CONFLICT (listing_id) DO NOTHING`),
    statement(sql`UPDATE ${searchOutbox} SET mark = mark + 1`),
  ];
}
