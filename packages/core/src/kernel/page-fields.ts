import { z } from 'zod';

/** Default page 50, maximum 100 (clause: Limits). */
export const pageFields = {
  limit: z.int().min(1).max(100).default(50),
  offset: z.int().min(0).max(1_000_000_000).default(0),
};
