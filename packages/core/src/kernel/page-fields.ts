import { z } from 'zod';

/** A page after so many rows is not given: the database would pass all of them. */
const MAX_OFFSET = 10_000;

/** Default page 50, maximum 100 (clause: Limits). */
export const pageFields = {
  limit: z.int().min(1).max(100).default(50),
  offset: z.int().min(0).max(MAX_OFFSET).default(0),
};
