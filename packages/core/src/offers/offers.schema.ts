import * as z from 'zod';
import { buyerLabelOf } from '../agents/index.ts';
import { id } from '../kernel/id.ts';
import { jsonValue } from '../kernel/json/json-schema.ts';
import type { Ports } from '../kernel/ports/ports.ts';
import type { EpochMs } from '../kernel/time.ts';
import { offerStatus } from './offers.rules.ts';
import type { Offer } from './offers.store.ts';

export const offerId = id;

export const offerView = z
  .object({
    amountCents: z.int(),
    buyer: z.string().describe("The buyer's pseudonym, as sellers' sales and receipts have it."),
    buyerId: z
      .uuid()
      .nullable()
      .describe(
        'Your own id where the offer is yours; null for its seller, who knows the buyer by the pseudonym.',
      ),
    createdAt: z.iso.datetime(),
    decidedAt: z.iso.datetime().nullable(),
    expiresAt: z.iso.datetime(),
    fingerprint: z
      .string()
      .nullable()
      .describe(
        'Of the listing that the offer is for; once the listing has another, it is refused as outdated.',
      ),
    id: z.uuid(),
    listingId: z.uuid(),
    listingVersion: z.int().nullable().describe("In the listing's history, as the offer was made."),
    purchaseId: z
      .uuid()
      .nullable()
      .describe('Of an accepted offer: its buyer pays and collects with GET /marketplace/purchases/{id}.'),
    query: jsonValue,
    sellerId: z.uuid(),
    status: z.enum(['open', 'accepted', 'declined', 'withdrawn', 'expired']),
  })
  .meta({ id: 'Offer' });

export type OfferAnswer = z.output<typeof offerView>;

/** As one of its two parties may see it: who the buyer is, is the buyer's to tell. */
export async function viewOffer(
  ports: Pick<Ports, 'keyedHash'>,
  offer: Offer,
  readerId: string,
  now: EpochMs,
): Promise<z.output<typeof offerView>> {
  const {
    amountCents,
    buyerId,
    createdAt,
    decidedAt,
    expiresAt,
    id,
    listingFingerprint,
    listingId,
    listingVersion,
    purchaseId,
    query,
    sellerId,
  } = offer;
  return {
    amountCents,
    buyer: await buyerLabelOf(ports, buyerId),
    buyerId: readerId === buyerId ? buyerId : null,
    createdAt,
    decidedAt,
    expiresAt,
    fingerprint: listingFingerprint,
    id,
    listingId,
    listingVersion,
    purchaseId,
    query,
    sellerId,
    status: offerStatus(offer, now),
  };
}
