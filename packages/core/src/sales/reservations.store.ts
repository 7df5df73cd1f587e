import {
  and,
  eq,
  gte,
  inArray,
  isNotNull,
  isNull,
  lt,
  lte,
  notExists,
  or,
  type Placeholder,
  type SQL,
  sql,
} from 'drizzle-orm';
import { asInteger, build } from '../db/build.ts';
import { isCheckOn, isGuard, isRefused } from '../db/constraint.ts';
import { abortWhere, guardOneChange } from '../db/guard.ts';
import { insertInto } from '../db/insert-into.ts';
import { type Params, write } from '../db/query.ts';
import { listings } from '../db/tables/listings.ts';
import { purchases } from '../db/tables/purchases.ts';
import { answers, payments, shipments } from '../db/tables/sales.ts';
import type { Statement } from '../kernel/ports/database.ts';
import type { IsoTime } from '../kernel/time.ts';
import {
  countPurchase,
  giveUnitBack,
  isOnSale,
  type ListingVersion,
  reservePaidUnit,
  reserveUnit,
  takeUnitAndCount,
} from '../listings/index.ts';
import type { Payment, Sale } from './sale.ts';
import { type Outcome, type SaleStatus, statusAfterCapture } from './sale-status.rules.ts';
import { hasStatus, moveSale, setPayment } from './sales.store.ts';

/** Of a listing whose price, version or status is no longer what the buyer was shown. */
const LISTING_STILL_FOR_SALE = 'listing_still_for_sale';

const requireUnit = write((p: Params<ListingVersion>) => {
  const isLeft = or(
    eq(listings.listingType, 'standard'),
    lt(listings.soldCount, sql`COALESCE(${listings.maxCopies}, 1)`),
  );
  const forSale = build
    .select({ id: listings.id })
    .from(listings)
    .where(and(isOnSale(p), isLeft));
  return abortWhere(LISTING_STILL_FOR_SALE, notExists(forSale));
});

/** The listing was changed or taken off while it was bought. */
export function isListingChanged(error: unknown): boolean {
  return isGuard(error, LISTING_STILL_FOR_SALE);
}

/** An operator has to let the buyer buy again. */
export function isBuyerLimited(error: unknown): boolean {
  return isGuard(error, 'buyer_not_limited');
}

/** No unit is left: the listing's own checks, which have no names, say so. */
export function isSoldOutConflict(error: unknown): boolean {
  return isCheckOn(error, listings.soldCount);
}

/** One of the sales is refused, for whatever reason: none of the transaction is written. */
export function isReservationRefused(error: unknown): boolean {
  return isRefused(error);
}

/**
 * A sale as it begins, with its unit of the listing if it holds one: all or nothing. It aborts if the listing was
 * changed or taken off, and when no unit is left.
 */
export function insertSale(sale: Sale): Statement[] {
  const { payment, shipment } = sale;
  const listing = { listingId: sale.listingId, listingVersion: sale.listingVersion };
  return [
    ...(payment.holdsUnit
      ? [reserveUnit(listing), guardOneChange(LISTING_STILL_FOR_SALE)]
      : [requireUnit(listing)]),
    ...insertUnsold(sale),
    ...(shipment ? [insertInto(shipments, { ...shipment, purchaseId: sale.id })] : []),
  ];
}

/** A sale alone, whatever became of its listing: of one that sells nothing, the money only goes back. */
export function insertUnsold(sale: Sale): Statement[] {
  return [insertInto(purchases, rowOf(sale)), insertInto(payments, sale.payment)];
}

/**
 * Records a free purchase that was just delivered and takes its unit, all or nothing: it aborts if the listing was
 * changed or taken off in the meantime, and the table's own checks abort it when no unit is left.
 */
export function insertDelivered(sale: Sale): Statement[] {
  return [takeUnitAndCount(sale), guardOneChange(LISTING_STILL_FOR_SALE), insertInto(purchases, rowOf(sale))];
}

/** Without a key nothing that was asked for can be read here: it is sealed, and what is free is not stored at all. */
function rowOf(sale: Sale): typeof purchases.$inferInsert {
  const { payment, shipment, transfer, dispute, chargeback, operatorHold, paidElsewhere, ...purchase } = sale;
  return sale.buyerId === null ? { ...purchase, query: null } : purchase;
}

type Delivered = Pick<
  Sale,
  'id' | 'status' | 'platformFeeCents' | 'feeScheduleVersion' | 'contentDigest' | 'deliveredAt' | 'receipt'
>;

const recordDelivery = write((p: Params<Delivered>) =>
  build
    .update(purchases)
    .set({
      status: p.status,
      platformFeeCents: asInteger(p.platformFeeCents),
      feeScheduleVersion: asInteger(p.feeScheduleVersion),
      contentDigest: p.contentDigest,
      deliveredAt: p.deliveredAt,
      receipt: p.receipt,
    })
    .where(and(eq(purchases.id, p.id), eq(purchases.status, 'authorized'))),
);

const lower = write((p: Params<{ id: string; amountCents: number }>) =>
  build
    .update(purchases)
    .set({
      amountCents: asInteger(p.amountCents),
      // That of the larger amount may be more than all of the smaller one.
      platformFeeCents: sql`MIN(${purchases.platformFeeCents}, ${asInteger(p.amountCents)})`,
    })
    .where(
      and(
        eq(purchases.id, p.id),
        eq(purchases.status, 'authorized'),
        gte(purchases.amountCents, asInteger(p.amountCents)),
      ),
    ),
);

/** An authorised sale comes to less than was reserved for it. Aborts under this name if it ended, or that is no less. */
export function lowerAmount(
  { id, amountCents }: Pick<Sale, 'id' | 'amountCents'>,
  guard = 'purchase_authorized',
): Statement[] {
  return [lower({ id, amountCents }), guardOneChange(guard)];
}

type Captured = Pick<
  Payment,
  'capturedCents' | 'feeCents' | 'capturedAt' | 'holdUntil' | 'dueAt' | 'setAsideAt'
>;

const recordCapture = write((p: Params<Captured & { id: string }>) =>
  build
    .update(payments)
    .set({
      capturedCents: asInteger(p.capturedCents),
      feeCents: asInteger(p.feeCents),
      capturedAt: p.capturedAt,
      holdUntil: p.holdUntil,
      dueAt: p.dueAt,
      leasedUntil: null,
      attempts: 0,
    })
    // Booked as captured since the sale was read: its posting would take the money from elsewhere.
    .where(and(isUndecided(p), sql`${payments.setAsideAt} IS ${p.setAsideAt}`)),
);

const setShipBy = write((p: Params<{ id: string; shipBy: IsoTime }>) =>
  build.update(shipments).set({ shipBy: p.shipBy }).where(eq(shipments.purchaseId, p.id)),
);

/** Records what was delivered and that its money was captured, unless the sale ended in the meantime. */
export function recordCaptured(sale: Sale): Statement[] {
  const { id, amountCents, platformFeeCents, payment, shipment } = sale;
  const shipBy = shipment?.shipBy ?? null;
  return [
    recordDelivery({ ...sale, status: statusAfterCapture(amountCents) }),
    guardOneChange('purchase_authorized'),
    recordCapture({
      id,
      capturedCents: amountCents,
      feeCents: platformFeeCents,
      capturedAt: payment.capturedAt,
      holdUntil: payment.holdUntil,
      // An order waits for its shipment first.
      dueAt: payment.holdUntil ?? shipBy,
      setAsideAt: payment.setAsideAt,
    }),
    guardOneChange('purchase_authorized'),
    ...(shipBy === null ? [] : [setShipBy({ id, shipBy })]),
    countPurchase(sale),
  ];
}

/** No outcome was decided that somebody is still carrying out. */
const isUndecided = (p: { readonly id: Placeholder<'id', string> }): SQL | undefined =>
  and(eq(payments.purchaseId, p.id), isNull(payments.outcome));

const isUncaptured = (p: { readonly id: Placeholder<'id', string> }): SQL | undefined =>
  and(eq(payments.purchaseId, p.id), eq(payments.capturedCents, 0));

/** The unit for what was paid on a page; the listing's own checks abort it when none is left. */
export function takePaidUnit({ id, listingId }: Pick<Sale, 'id' | 'listingId'>): Statement[] {
  return [reservePaidUnit({ id, listingId }), setPayment(id, { holdsUnit: true })];
}

/** A sale that ends uncharged, and gives its unit of the listing back. */
export function recordOutcome(
  { id, listingId, status }: Pick<Sale, 'id' | 'listingId' | 'status'>,
  outcome: Outcome,
  changes: Partial<Payment>,
): Statement[] {
  return [
    ...moveSale(id, status, outcome),
    giveUnitBack({ id, listingId }),
    setPayment(id, { ...changes, outcome, holdsUnit: false, dueAt: null, leasedUntil: null }),
  ];
}

const decide = write((p: Params<{ id: string; outcome: Outcome; failure: string | null; dueAt: IsoTime }>) =>
  build
    .update(payments)
    .set({
      failure: sql`CASE WHEN ${payments.outcome} IS NULL THEN ${p.failure} ELSE ${payments.failure} END`,
      outcome: sql`COALESCE(${payments.outcome}, ${p.outcome})`,
      dueAt: p.dueAt,
    })
    .where(and(isUncaptured(p), hasStatus(p.id, 'pending_payment', 'authorized'))),
);

/**
 * Decides that nothing will be captured, before the outside is told; from here on nobody can settle the sale any more.
 * What was decided first stands.
 */
export function decideOutcome(
  id: string,
  outcome: Outcome,
  failure: string | null,
  dueAt: IsoTime,
): Statement[] {
  return [decide({ id, outcome, failure, dueAt }), guardOneChange('purchase_authorized')];
}

const revert = write((p: Params<{ id: string; dueAt: IsoTime }>) =>
  build
    .update(payments)
    .set({ outcome: null, failure: null, dueAt: p.dueAt, attempts: 0 })
    .where(and(isUncaptured(p), hasStatus(p.id, 'authorized'))),
);

/** Lets a sale go on whose decided outcome could not be carried out at all. */
export function revertOutcome(id: string, dueAt: IsoTime): Statement {
  return revert({ id, dueAt });
}

const touchUndecided = write((p: Params<{ id: string }>) =>
  build.update(payments).set({ outcome: null }).where(isUndecided(p)),
);

/** Aborts where an outcome was decided that somebody is still carrying out. */
export function requireUndecided(id: string): Statement[] {
  return [touchUndecided({ id }), guardOneChange('purchase_undecided')];
}

const ENDED_UNPAID = ['failed', 'expired'] as const satisfies SaleStatus[];

const refundUnpaid = write((p: Params<{ id: string }>) =>
  build
    .update(purchases)
    .set({ status: 'refunded' })
    .where(and(eq(purchases.id, p.id), inArray(purchases.status, ENDED_UNPAID))),
);

/** A sale that ended unpaid, and whose payment came and went back after all. */
export function moveToRefunded(id: string): Statement[] {
  return [refundUnpaid({ id }), guardOneChange('purchase_ended_unpaid')];
}

const owe = write((p: Params<{ id: string; refundId: string | null; failures: number; at: IsoTime }>) =>
  build
    .update(payments)
    .set({ refundId: null, refundFailures: asInteger(p.failures), dueAt: p.at, attempts: 0 })
    .where(
      and(eq(payments.purchaseId, p.id), eq(payments.refundId, p.refundId), hasStatus(p.id, 'refunded')),
    ),
);

/** The refund that ended a sale was not made after all: another is due at once. */
export function oweRefund({ id, payment }: Sale, at: IsoTime): Statement[] {
  const { refundId, refundFailures } = payment;
  return [owe({ id, refundId, failures: refundFailures + 1, at }), guardOneChange('purchase_refunded')];
}

const endOwed = write((p: Params<{ id: string; refundId: string | null }>) =>
  build
    .update(payments)
    .set({ refundId: p.refundId, dueAt: null, attempts: 0 })
    .where(
      and(
        eq(payments.purchaseId, p.id),
        isNull(payments.refundId),
        isNotNull(payments.dueAt),
        hasStatus(p.id, 'refunded'),
      ),
    ),
);

/** The refund that was owed is made; `refundId` null: in the processor's dashboard. */
export function endRefundOwed(id: string, refundId: string | null): Statement[] {
  return [endOwed({ id, refundId }), guardOneChange('purchase_refund_owed')];
}

const lease = write((p: Params<{ id: string; now: IsoTime; until: IsoTime; failures: number }>) =>
  build
    .update(payments)
    .set({ leasedUntil: p.until, dueAt: p.until })
    .where(
      and(
        isUndecided(p),
        or(isNull(payments.leasedUntil), lte(payments.leasedUntil, p.now)),
        // Failures that were counted since the sale was read may mean that it is not to be collected now.
        sql`json_array_length(${payments.failedCollections}) = ${p.failures}`,
        hasStatus(p.id, 'authorized'),
      ),
    ),
);

/** The right to work on an authorised sale until then; whoever else has it keeps it. */
export function acquireLease(
  { id, payment }: Pick<Sale, 'id' | 'payment'>,
  now: IsoTime,
  until: IsoTime,
): Statement[] {
  const failures = payment.failedCollections.length;
  return [lease({ id, now, until, failures }), guardOneChange('purchase_unleased')];
}

const leaseOn = write((p: Params<{ id: string; until: IsoTime }>) =>
  build
    .update(payments)
    .set({ leasedUntil: p.until, dueAt: p.until })
    .where(and(isUndecided(p), hasStatus(p.id, 'authorized'))),
);

/** Extends the lease of a sale that is about to be paid for; aborts if it ended. May be written twice. */
export function extendLease(id: string, until: IsoTime): Statement[] {
  return [leaseOn({ id, until }), guardOneChange('purchase_authorized')];
}

interface EndedLease {
  readonly id: string;
  readonly until: IsoTime;
  readonly dueAt: IsoTime;
  readonly failedAt: IsoTime | null;
}

const endLease = write((p: Params<EndedLease>) =>
  build
    .update(payments)
    .set({
      leasedUntil: null,
      dueAt: p.dueAt,
      attempts: sql`${payments.attempts} + 1`,
      failedCollections: sql`CASE WHEN ${p.failedAt} IS NULL THEN ${payments.failedCollections}
        ELSE json_insert(${payments.failedCollections}, '$[#]', ${p.failedAt}) END`,
    })
    .where(and(isUndecided(p), eq(payments.leasedUntil, p.until), isUncaptured(p))),
);

/** Gives the lease back early, if the sale is as it was; a job looks at it then. `failedAt`: its seller failed. */
export function releaseLease(
  id: string,
  until: IsoTime,
  dueAt: IsoTime,
  failedAt: IsoTime | null,
): Statement {
  return endLease({ id, until, dueAt, failedAt });
}

const awaitJob = write((p: Params<{ id: string; dueAt: IsoTime }>) =>
  build
    .update(payments)
    .set({ leasedUntil: null, dueAt: p.dueAt })
    .where(and(isUndecided(p), isUncaptured(p))),
);

/** Ends a lease while the outcome of a capture is not known: a job looks at it then. */
export function awaitSettlement(id: string, dueAt: IsoTime): Statement {
  return awaitJob({ id, dueAt });
}

const awaitBuyer = write((p: Params<{ id: string; until: IsoTime }>) =>
  build
    .update(payments)
    .set({ collectUntil: p.until, dueAt: p.until, leasedUntil: null })
    .where(and(isUndecided(p), isUncaptured(p))),
);

/** What was reserved in bulk is known to its buyer from now on, and waits to be collected; aborts if it ended. */
export function awaitCollection(id: string, until: IsoTime): Statement[] {
  return [awaitBuyer({ id, until }), guardOneChange('purchase_reserved')];
}

const isPartyTo = (p: Params<{ agentId: string }>) =>
  or(eq(purchases.sellerId, p.agentId), eq(purchases.buyerId, p.agentId));

const deleteAnswersOf = write((p: Params<{ agentId: string }>) => {
  const own = build.select({ id: purchases.id }).from(purchases).where(isPartyTo(p));
  return build.delete(answers).where(inArray(answers.purchaseId, own));
});

const deleteOf = write((p: Params<{ agentId: string }>) => build.delete(purchases).where(isPartyTo(p)));

/** What a smoke test sold and bought. It moved no money: of anything else a payment stands in the way. */
export function deletePurchases(agentId: string): Statement[] {
  return [deleteAnswersOf({ agentId }), deleteOf({ agentId })];
}
