import type { Payment } from '../escrow/index.ts';
import { FEE_SCHEDULES, platformFeeCents, scheduleAt } from '../fees/index.ts';
import type { JsonObject } from '../kernel/json/json.ts';
import type { Ids } from '../kernel/ports/ids.ts';
import { type EpochMs, isoTime } from '../kernel/time.ts';
import type { Listing } from '../listings/index.ts';
import type { PaidRail } from './payment-method.rules.ts';
import type { AttestedPurchase, PaidPurchase } from './purchase.ts';
import { WORK_MS } from './purchase-terms.rules.ts';
import { requireReceiptForm } from './sign-receipt.ts';

/** What a buyer asks for, and on which terms. */
export interface Order {
  readonly buyerId: string | null;
  readonly query: JsonObject | null;
  readonly email: string | null;
  readonly amountCents: number;
  readonly holdHours: number;
  readonly shipDays: number;
  readonly attested?: AttestedPurchase | null;
}

/**
 * A purchase as it begins. The request that makes it works on it for a minute; if nothing more is heard of
 * it, a job gives back what it took.
 */
export function newReservation(
  { ids }: { readonly ids: Ids },
  listing: Listing,
  { buyerId, query, email, amountCents, holdHours, shipDays, attested }: Order,
  rail: PaidRail,
  now: EpochMs,
): PaidPurchase {
  requireReceiptForm(query);
  const id = attested?.purchaseId ?? ids.uuid();
  const schedule = scheduleAt(FEE_SCHEDULES, now);
  // A payer over x402 has signed already; it is checked before.
  const isAuthorized = rail === 'wallet' || rail === 'x402';
  const until = isoTime(now + WORK_MS);
  return {
    id,
    listingId: listing.id,
    listingVersion: listing.version,
    sellerId: listing.seller.id,
    buyerId,
    status: isAuthorized ? 'authorized' : 'pending_payment',
    rail,
    amountCents,
    // What it is now; the sale settles under the schedule of its own time.
    platformFeeCents: platformFeeCents(schedule.rates, amountCents),
    feeScheduleVersion: schedule.version,
    query,
    email,
    contentDigest: null,
    deliveredAt: null,
    receipt: null,
    healthAttestation: attested?.attestation ?? null,
    createdAt: isoTime(now),
    payment: {
      ...NOTHING_YET,
      purchaseId: id,
      fingerprint: listing.fingerprint,
      fulfilment: listing.fulfilment,
      holdHours,
      shipDays,
      dueAt: until,
      workedUntil: until,
      authorizedAt: isAuthorized ? isoTime(now) : null,
      authorizationExpiresAt: isAuthorized ? until : null,
    },
  };
}

const NOTHING_YET: Omit<Payment, 'purchaseId' | 'fingerprint' | 'fulfilment' | 'holdHours' | 'shipDays'> = {
  dueAt: null,
  attempts: 0,
  workedUntil: null,
  customerId: null,
  paymentMethodId: null,
  sessionId: null,
  checkoutUrl: null,
  paymentId: null,
  chargeId: null,
  authorizedAt: null,
  authorizationExpiresAt: null,
  ending: null,
  failure: null,
  capturedCents: 0,
  feeCents: 0,
  transferredCents: 0,
  refundedCents: 0,
  capturedAt: null,
  holdUntil: null,
  shippedAt: null,
  carrier: null,
  trackingNumber: null,
  transferAccountId: null,
  transferId: null,
  transferRefusals: 0,
  releasingSince: null,
  refundReason: null,
  refundRequestedAt: null,
  refundId: null,
  refundedAt: null,
  payoutBatchId: null,
  shipBy: null,
  holdsCopy: 1,
};
