import { z } from 'zod';

export const disputeFields = {
  decidedAt: z.iso.datetime().nullable(),
  decision: z.enum(['refund', 'release']).nullable(),
  openedAt: z.iso.datetime(),
  purchaseId: z.uuid(),
  reason: z.string(),
};
