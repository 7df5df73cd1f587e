import * as z from 'zod';

/** Where payouts go if the seller does not say. */
export const DEFAULT_COUNTRY = 'US';

export const payoutCountry = z
  .string()
  .regex(/^[A-Za-z]{2}$/)
  .toUpperCase()
  .optional()
  .describe('ISO 3166-1 alpha-2: where payouts go.');
