import * as z from 'zod';

export const bulkItem = z.object({
  code: z.string().nullable().describe('Why it could not be reserved, as an error code; null if it is.'),
  collectUntil: z.iso
    .datetime()
    .nullable()
    .describe('Until when it can be collected; as long as the wallet or the card keeps the money reserved.'),
  listingId: z.uuid(),
  purchaseId: z.uuid().nullable(),
  status: z.literal('authorized').nullable(),
});

export type BulkItem = z.output<typeof bulkItem>;
