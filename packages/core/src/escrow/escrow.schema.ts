import { z } from 'zod';
import { id } from '../kernel/id.ts';

export const purchaseId = id;

export const saleStatus = z.enum([
  'pending_payment',
  'authorized',
  'held',
  'releasing',
  'released',
  'refunded',
  'expired',
  'failed',
]);

export const pageToken = z
  .string()
  .max(200)
  .optional()
  .describe("Of the purchase's page, in place of a key: it opens this one purchase.");

export const disputeFields = {
  decidedAt: z.iso.datetime().nullable(),
  decision: z.enum(['refund', 'release']).nullable(),
  openedAt: z.iso.datetime(),
  purchaseId: z.uuid(),
  reason: z.string(),
};
