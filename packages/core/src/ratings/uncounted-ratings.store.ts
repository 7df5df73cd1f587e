import { and, eq, inArray } from 'drizzle-orm';
import { build } from '../db/build.ts';
import { endingOf } from '../db/ending-records.ts';
import { write } from '../db/query.ts';
import { ratings } from '../db/tables/ratings.ts';

/** Of purchases that end: they no longer count, as after a removal. */
export const uncountRatings = write(() =>
  build
    .update(ratings)
    .set({ isRemoved: true })
    .where(and(inArray(ratings.purchaseId, endingOf('purchase')), eq(ratings.isRemoved, false))),
);
