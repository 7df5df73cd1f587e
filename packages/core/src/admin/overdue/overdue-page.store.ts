import { and, gt, lte, or, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import type { Params } from '../../db/query.ts';
import type { IsoTime } from '../../kernel/time.ts';

/** Rows after a place in the list, up to a time. */
export interface OverduePage {
  readonly after: string;
  readonly afterId: string;
  readonly until: IsoTime;
  readonly limit: number;
}

export const within = (since: SQL | SQLiteColumn, id: SQLWrapper, p: Params<OverduePage>) =>
  and(
    lte(since as SQL, p.until),
    sql`${since} >= ${p.after}`,
    or(gt(since as SQL, p.after), sql`${id} > ${p.afterId}`),
  );
