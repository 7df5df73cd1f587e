import { buyerLabelOf } from '../agents/index.ts';
import { canonicalDigest } from '../kernel/digest.ts';
import type { Ports } from '../kernel/ports.ts';
import { signStatement } from '../provenance/index.ts';
import type { Purchase, PurchaseReceipt } from './purchase.ts';

/** A purchase about to be settled: all that its receipt says is known. */
export type Delivered = Purchase & { readonly contentDigest: string; readonly deliveredAt: string };

/** The receipt of what was delivered, signed at the time of delivery. */
export async function signReceipt(
  ports: Pick<Ports, 'signer' | 'keyedHash'>,
  purchase: Delivered,
  fingerprint: string,
): Promise<PurchaseReceipt> {
  const { id, buyerId, query, deliveredAt } = purchase;
  const [buyer, queryDigest] = await Promise.all([
    buyerId === null ? null : buyerLabelOf(ports, buyerId),
    canonicalDigest(query ?? {}),
  ]);
  return signStatement(
    ports.signer,
    {
      amountCents: purchase.amountCents,
      buyer,
      contentDigest: purchase.contentDigest,
      currency: 'usd' as const,
      deliveredAt,
      feeScheduleVersion: purchase.feeScheduleVersion,
      fingerprint,
      listingId: purchase.listingId,
      listingVersion: purchase.listingVersion,
      platformFeeCents: purchase.platformFeeCents,
      purchaseId: id,
      queryDigest,
      rail: purchase.rail,
      sellerId: purchase.sellerId,
      type: 'purchase_receipt' as const,
    },
    deliveredAt,
  );
}
