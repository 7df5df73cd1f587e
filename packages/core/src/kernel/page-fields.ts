import * as z from 'zod';
import { CURSOR } from './page-cursor.ts';

/** A page after so many rows is not given: the database would pass all of them. */
export const MAX_OFFSET = 10_000;

/** How many a page has at most. One who asks for more gets that many, and the answer's `limit` tells it. */
export function pageLimit(maximum: number, standard: number) {
  return z
    .int()
    .min(1)
    .overwrite((limit) => Math.min(limit, maximum))
    .max(maximum)
    .default(standard);
}

/** Default page 50, maximum 100 (clause: Limits). */
export const pageFields = {
  limit: pageLimit(100, 50).describe('Rows of the page.'),
  offset: z.int().min(0).max(MAX_OFFSET).default(0).describe('Rows to skip.'),
};

/** The same, where pages begin after the last row of the one before: what is added meanwhile moves none of them. */
export const cursorFields = {
  cursor: z.string().max(120).regex(CURSOR).optional().describe('`nextCursor` of the page before.'),
  limit: pageFields.limit,
};
