import { buyerLabelOf } from '../agents/index.ts';
import { canonicalDigest } from '../kernel/crypto/digest.ts';
import { Refusal } from '../kernel/errors.ts';
import { CanonicalJsonError, canonicalJson } from '../kernel/json/canonical-json.ts';
import type { JsonObject } from '../kernel/json/json.ts';
import type { Ports } from '../kernel/ports/ports.ts';
import { signStatement } from '../provenance/index.ts';
import type { Purchase, PurchaseReceipt } from './purchase.ts';
import { purchaseErrors } from './purchases.errors.ts';

/** A purchase about to be settled: all that its receipt says is known. */
export type Delivered = Purchase & { readonly contentDigest: string; readonly deliveredAt: string };

/**
 * Whether a receipt could name the query. Every reader of a request sees to that; where one does not, the buyer
 * hears of it before anything is reserved, and not when it has paid.
 */
export function hasReceiptForm(query: JsonObject | null): boolean {
  try {
    canonicalJson(query ?? {});
    return true;
  } catch (error) {
    if (error instanceof CanonicalJsonError) return false;
    throw error;
  }
}

export function requireReceiptForm(query: JsonObject | null): void {
  if (hasReceiptForm(query)) return;
  const detail = 'It is nested too deep, or holds a number or a text that JSON has no one form for.';
  throw new Refusal(purchaseErrors.query_not_accepted, { detail });
}

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
