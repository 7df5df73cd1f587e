import * as z from 'zod';

/** Looked at for its form only: whether a number is right, only its country's office knows. */
export const taxDetails = z
  .object({
    country: z
      .string()
      .regex(/^[A-Za-z]{2}$/)
      .toUpperCase()
      .describe('ISO 3166-1 alpha-2: where you are taxed.'),
    taxNumber: z
      .string()
      .regex(/^[A-Za-z0-9](?:[A-Za-z0-9 ./-]{2,30})[A-Za-z0-9]$/)
      .describe('As that country writes it: 4 to 32 letters, digits, spaces, dots, slashes and dashes.'),
  })
  .describe(
    'For sellers that are paid in USDC: the card processor asks its own. Seen by you and the operator alone, who reports ' +
      'your sales of a year with it.',
  );
