import { z } from 'zod';
import { jsonValue } from '../kernel/json-schema.ts';
import type { EpochMs } from '../kernel/time.ts';
import { offerStatus } from './offers.rules.ts';
import type { Offer } from './offers.store.ts';

export const offerId = z.uuid();

export const offerView = z.object({
  amountCents: z.int(),
  buyerId: z.uuid(),
  createdAt: z.iso.datetime(),
  decidedAt: z.iso.datetime().nullable(),
  expiresAt: z.iso.datetime(),
  id: z.uuid(),
  listingId: z.uuid(),
  purchaseId: z
    .uuid()
    .nullable()
    .describe('Of an accepted offer: its buyer pays and collects with GET /marketplace/purchases/{id}.'),
  query: jsonValue,
  sellerId: z.uuid(),
  status: z.enum(['open', 'accepted', 'declined', 'expired']),
});

export function viewOffer(offer: Offer, now: EpochMs): z.output<typeof offerView> {
  return { ...offer, status: offerStatus(offer, now) };
}
