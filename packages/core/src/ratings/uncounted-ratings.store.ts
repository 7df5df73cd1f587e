import { sql } from 'drizzle-orm';
import { endingOf } from '../db/ending-records.ts';
import { write } from '../db/query.ts';
import { ratings } from '../db/tables/ratings.ts';

/** Of purchases that end: they no longer count, as after a removal. */
export const uncountRatings = write(
  () =>
    sql`UPDATE ${ratings} SET is_removed = 1 WHERE purchase_id IN ${endingOf('purchase')} AND is_removed = 0`,
);
