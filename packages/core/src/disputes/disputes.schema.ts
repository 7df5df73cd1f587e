import * as z from 'zod';

export const disputeFields = {
  decideBy: z.iso
    .datetime()
    .nullable()
    .describe('When a rule decides it, if nobody did; null: the operator alone decides.'),
  decidedAt: z.iso.datetime().nullable(),
  decidedBy: z
    .enum(['operator', 'rule'])
    .nullable()
    .describe('Null: undecided, or the money was taken back at the card processor.'),
  decision: z.enum(['refund', 'release']).nullable(),
  openedAt: z.iso.datetime(),
  purchaseId: z.uuid(),
  reason: z.string(),
};
