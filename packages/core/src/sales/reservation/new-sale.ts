import type { JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import { approvalErrors } from '../../approvals/index.ts';
import { needsApproval, requireWithinPolicy } from '../../budgets/index.ts';
import { FEE_SCHEDULES, platformFeeCents, scheduleAt } from '../../fees/index.ts';
import { inBucketOf } from '../../kernel/bucket.ts';
import { Refusal } from '../../kernel/errors.ts';
import type { AgentCaller, Settings } from '../../kernel/operation/operation.ts';
import type { Ids } from '../../kernel/ports/ids.ts';
import type { SpendPolicy } from '../../kernel/spend-policy.ts';
import { type EpochMs, isoTime } from '../../kernel/time.ts';
import type { Listing } from '../../listings/index.ts';
import { requireReceiptForm } from '../delivery/sign-receipt.ts';
import { purchaseErrors } from '../purchases.errors.ts';
import type { Rail } from '../rails/rail.ts';
import type { AttestedPurchase, Sale } from '../sale.ts';
import { LEASE_MS } from '../sale-terms.rules.ts';
import { newPayment } from '../sales.store.ts';

/** The key that buys, and what bounds it. */
export interface Spender {
  /** Its own policy first, then those above it. */
  readonly policies: readonly SpendPolicy[];
  /** What a person approved, to be used with the sale; null: nothing. */
  readonly approvalId: string | null;
  /** The key itself; null: there is none. */
  readonly keyId: string | null;
}

/** Whoever buys without a key, or whose commitment was counted when it was made. */
export const UNBOUND: Spender = { policies: [], approvalId: null, keyId: null };

export function spenderOf(caller: AgentCaller | null, approvalId: string | null = null): Spender {
  if (caller === null) return UNBOUND;
  return { policies: caller.policies, approvalId, keyId: caller.keyId };
}

/** What a buyer asks for, and on which terms. */
export interface Order {
  readonly buyerId: string | null;
  readonly query: JsonObject | null;
  readonly email: string | null;
  readonly amountCents: number;
  readonly terms: Pick<Settings, 'escrowHoldHours' | 'shipmentDeadlineDays'>;
  readonly attested?: AttestedPurchase | null;
  /** Null: the buyer's request had no Idempotency-Key, or somebody else's request made the sale. */
  readonly idempotencyDigest?: string | null;
  /** Of the key that buys. */
  readonly spender: Spender;
  /** A page costs nothing to open, so that of a page it keeps no unit from others: who pays first has it. */
  readonly holdsUnit?: boolean;
  /** What its queries cost is counted, each by itself, and not known before. */
  readonly isTab?: true;
}

/**
 * A sale as it begins. The request that makes it works on it for a minute; if nothing more is heard of it, a job gives
 * back what it took.
 */
export function newSale(
  { ids }: { readonly ids: Ids },
  listing: Listing,
  order: Order,
  rail: Rail,
  now: EpochMs,
): Sale {
  const {
    buyerId,
    query,
    email,
    amountCents,
    terms,
    spender,
    attested,
    holdsUnit = true,
    idempotencyDigest = null,
  } = order;
  requireReceiptForm(query);
  const isTab = order.isTab === true;
  const meter = isTab ? null : listing.meter;
  // What a query by units costs is not known before it is answered.
  if (meter !== null && rail.releaseRest === null)
    throw new Refusal(purchaseErrors.metered_listing, { charged: false });
  const { verticalSlug, seller } = listing;
  requireWithinPolicy(spender.policies, {
    amountCents,
    rail: rail.name,
    sellerId: seller.id,
    verticalSlug,
  });
  if (spender.approvalId === null && needsApproval(spender.policies, amountCents))
    throw new Refusal(approvalErrors.approval_required, { charged: false });
  const id = attested?.purchaseId ?? inBucketOf(seller.id, ids.uuid());
  const schedule = scheduleAt(FEE_SCHEDULES, now);
  const isAuthorized = rail.begins === 'authorized';
  const until = isoTime(now + LEASE_MS);
  return {
    id,
    listingId: listing.id,
    listingVersion: listing.version,
    sellerId: listing.seller.id,
    buyerId,
    status: rail.begins,
    rail: rail.name,
    amountCents,
    // What it is now; the sale settles under the schedule of its own time.
    platformFeeCents: platformFeeCents(schedule.rates, amountCents),
    feeScheduleVersion: schedule.version,
    query,
    sealedQuery: null,
    email,
    contentDigest: null,
    deliveredAt: null,
    receipt: null,
    healthAttestation: attested?.attestation ?? null,
    createdAt: isoTime(now),
    idempotencyDigest,
    payment: newPayment(id, {
      fingerprint: listing.fingerprint,
      fulfilment: listing.fulfilment,
      holdHours: terms.escrowHoldHours,
      payerAccount: amountCents === 0 ? null : rail.payerAccount(buyerId),
      dueAt: until,
      leasedUntil: until,
      authorizedAt: isAuthorized ? isoTime(now) : null,
      // A tab ends a day after its payment is seen.
      collectUntil: isAuthorized && !isTab ? until : null,
      holdsUnit,
      redelivery: listing.redelivery,
      meter,
      isRevocable: rail.isRevocable,
      // A page that is not paid yet ends with the key that opened it.
      keyId: rail.isPaidLater ? spender.keyId : null,
    }),
    shipment:
      listing.fulfilment === 'physical' ? { ...NOT_SHIPPED, shipDays: terms.shipmentDeadlineDays } : null,
    transfer: null,
    dispute: null,
    chargeback: null,
    operatorHold: null,
    paidElsewhere: null,
  };
}

const NOT_SHIPPED = { shipBy: null, shippedAt: null, carrier: null, trackingNumber: null };
