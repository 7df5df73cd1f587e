import { type SQL, sql } from 'drizzle-orm';
import { guardOneChange } from '../db/guard.ts';
import { insertInto, prepared, statement } from '../db/statement.ts';
import { listings } from '../db/tables/listings.ts';
import { purchases } from '../db/tables/purchases.ts';
import { payments, shipments } from '../db/tables/sales.ts';
import { DatabaseError, type Statement } from '../kernel/ports/database.ts';
import type { IsoTime } from '../kernel/time.ts';
import { countPurchase, takeUnitAndCount } from './delivery-counts.store.ts';
import type { Payment, Sale } from './sale.ts';
import { type Outcome, statusAfterCapture } from './sale-status.rules.ts';
import { moveSale, setPayment } from './sales.store.ts';

const value = (name: string): SQL => sql`${sql.placeholder(name)}`;
const integer = (name: string): SQL => sql`CAST(${sql.placeholder(name)} AS INTEGER)`;

/** Of a listing whose price, version or status is no longer what the buyer was shown. */
const LISTING_STILL_FOR_SALE = 'listing_still_for_sale';

const reserveUnit = prepared<{ listingId: string; version: number }>(sql`UPDATE ${listings}
  SET sold_count = sold_count + 1
  WHERE id = ${value('listingId')} AND status = 'active' AND version = ${integer('version')}`);
const stillForSale = guardOneChange(LISTING_STILL_FOR_SALE);
const requireUnit = prepared<{ listingId: string; version: number }>(sql`INSERT INTO guards (name)
  SELECT ${LISTING_STILL_FOR_SALE} WHERE NOT EXISTS (SELECT 1 FROM ${listings}
    WHERE id = ${value('listingId')} AND status = 'active' AND version = ${integer('version')}
      AND (listing_type = 'standard' OR sold_count < COALESCE(max_copies, 1)))`);

/** The listing was changed or taken off while it was bought. */
export function isListingChanged(error: unknown): boolean {
  return error instanceof DatabaseError && error.constraint === `guard ${LISTING_STILL_FOR_SALE}`;
}

/** No unit is left: the listing's own checks say so. */
export function isSoldOutConflict(error: unknown): boolean {
  return error instanceof DatabaseError && error.constraint.includes('sold_count');
}

/**
 * A sale as it begins, with its unit of the listing if it holds one: all or nothing. It aborts if the listing was
 * changed or taken off, and when no unit is left.
 */
export function insertSale(sale: Sale): Statement[] {
  const { payment, shipment } = sale;
  const listing = { listingId: sale.listingId, version: sale.listingVersion };
  return [
    ...(payment.holdsUnit === 1 ? [reserveUnit(listing), stillForSale] : [requireUnit(listing)]),
    insertInto(purchases, rowOf(sale)),
    insertInto(payments, payment),
    ...(shipment ? [insertInto(shipments, { ...shipment, purchaseId: sale.id })] : []),
  ];
}

/**
 * Records a free purchase that was just delivered and takes its unit, all or nothing: it aborts if the listing was
 * changed or taken off in the meantime, and the table's own checks abort it when no unit is left.
 */
export function insertDelivered(sale: Sale): Statement[] {
  return [takeUnitAndCount(sale), stillForSale, insertInto(purchases, rowOf(sale))];
}

function rowOf(sale: Sale): typeof purchases.$inferInsert {
  const { payment, shipment, transfer, dispute, chargeback, ...purchase } = sale;
  const { query, receipt, healthAttestation } = purchase;
  return {
    ...purchase,
    query: query === null ? null : JSON.stringify(query),
    receipt: receipt === null ? null : JSON.stringify(receipt),
    healthAttestation: healthAttestation === null ? null : JSON.stringify(healthAttestation),
  };
}

const recordDelivery = prepared<{
  id: string;
  status: string;
  platformFeeCents: number;
  feeScheduleVersion: number;
  contentDigest: string | null;
  deliveredAt: IsoTime | null;
  receipt: string;
}>(sql`UPDATE ${purchases} SET status = ${value('status')}, platform_fee_cents = ${integer('platformFeeCents')},
    fee_schedule_version = ${integer('feeScheduleVersion')}, content_digest = ${value('contentDigest')},
    delivered_at = ${value('deliveredAt')}, receipt = ${value('receipt')}
  WHERE id = ${value('id')} AND status = 'authorized'`);
const stillAuthorized = guardOneChange('purchase_authorized');

const recordCapture = prepared<{
  id: string;
  capturedCents: number;
  feeCents: number;
  capturedAt: IsoTime | null;
  holdUntil: IsoTime | null;
  dueAt: IsoTime | null;
}>(sql`UPDATE ${payments} SET captured_cents = ${integer('capturedCents')}, fee_cents = ${integer('feeCents')},
    captured_at = ${value('capturedAt')}, hold_until = ${value('holdUntil')}, due_at = ${value('dueAt')},
    leased_until = NULL, attempts = 0
  WHERE purchase_id = ${value('id')} AND outcome IS NULL`);

/** Records what was delivered and that its money was captured, unless the sale ended in the meantime. */
export function recordCaptured(sale: Sale): Statement[] {
  const { id, amountCents, platformFeeCents, payment, shipment } = sale;
  const shipBy = shipment?.shipBy ?? null;
  return [
    recordDelivery({
      ...sale,
      status: statusAfterCapture(amountCents),
      receipt: JSON.stringify(sale.receipt),
    }),
    stillAuthorized,
    recordCapture({
      id,
      capturedCents: amountCents,
      feeCents: platformFeeCents,
      capturedAt: payment.capturedAt,
      holdUntil: payment.holdUntil,
      // An order waits for its shipment first.
      dueAt: payment.holdUntil ?? shipBy,
    }),
    stillAuthorized,
    ...(shipBy === null
      ? []
      : [statement(sql`UPDATE ${shipments} SET ship_by = ${shipBy} WHERE purchase_id = ${id}`)]),
    countPurchase(sale),
  ];
}

/** The unit for what was paid on a page; the listing's own checks abort it when none is left. */
export function reservePaidUnit({ id, listingId }: Pick<Sale, 'id' | 'listingId'>): Statement[] {
  return [
    statement(sql`UPDATE ${listings} SET sold_count = sold_count + 1
      WHERE id = ${listingId} AND (SELECT holds_unit FROM ${payments} WHERE purchase_id = ${id}) = 0`),
    setPayment(id, { holdsUnit: 1 }),
  ];
}

/** A sale that ends uncharged, and gives its unit of the listing back. */
export function recordOutcome(
  { id, listingId, status }: Pick<Sale, 'id' | 'listingId' | 'status'>,
  outcome: Outcome,
  changes: Partial<Payment>,
): Statement[] {
  return [
    ...moveSale(id, status, outcome),
    statement(sql`UPDATE ${listings} SET sold_count = sold_count - 1
      WHERE id = ${listingId} AND (SELECT holds_unit FROM ${payments} WHERE purchase_id = ${id}) = 1`),
    setPayment(id, { ...changes, outcome, holdsUnit: 0, dueAt: null, leasedUntil: null }),
  ];
}

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
  return [
    statement(sql`UPDATE ${payments} SET failure = CASE WHEN outcome IS NULL THEN ${failure} ELSE failure END,
        outcome = COALESCE(outcome, ${outcome}), due_at = ${dueAt}
      WHERE purchase_id = ${id} AND captured_cents = 0
        AND (SELECT status FROM ${purchases} WHERE id = ${id}) IN ('pending_payment', 'authorized')`),
    guardOneChange('purchase_authorized'),
  ];
}

/** Lets a sale go on whose decided outcome could not be carried out at all. */
export function revertOutcome(id: string, dueAt: IsoTime): Statement {
  return statement(sql`UPDATE ${payments} SET outcome = NULL, failure = NULL, due_at = ${dueAt}, attempts = 0
    WHERE purchase_id = ${id} AND captured_cents = 0
      AND (SELECT status FROM ${purchases} WHERE id = ${id}) = 'authorized'`);
}

/** Aborts where an outcome was decided that somebody is still carrying out. */
export function requireUndecided(id: string): Statement[] {
  return [
    statement(sql`UPDATE ${payments} SET outcome = NULL WHERE purchase_id = ${id} AND outcome IS NULL`),
    guardOneChange('purchase_undecided'),
  ];
}

/** A sale that ended unpaid, and whose payment came and went back after all. */
export function moveToRefunded(id: string): Statement[] {
  return [
    statement(sql`UPDATE ${purchases} SET status = 'refunded'
      WHERE id = ${id} AND status IN ('failed', 'expired')`),
    guardOneChange('purchase_ended_unpaid'),
  ];
}

/** The right to work on an authorised sale until then; whoever else has it keeps it. */
export function acquireLease(id: string, now: IsoTime, until: IsoTime): Statement[] {
  return [
    statement(sql`UPDATE ${payments} SET leased_until = ${until}, due_at = ${until}
      WHERE purchase_id = ${id} AND outcome IS NULL AND (leased_until IS NULL OR leased_until <= ${now})
        AND (SELECT status FROM ${purchases} WHERE id = ${id}) = 'authorized'`),
    guardOneChange('purchase_unleased'),
  ];
}

/** Extends the lease of a sale that is about to be paid for; aborts if it ended. May be written twice. */
export function extendLease(id: string, until: IsoTime): Statement[] {
  return [
    statement(sql`UPDATE ${payments} SET leased_until = ${until}, due_at = ${until}
      WHERE purchase_id = ${id} AND outcome IS NULL
        AND (SELECT status FROM ${purchases} WHERE id = ${id}) = 'authorized'`),
    guardOneChange('purchase_authorized'),
  ];
}

/** Gives the lease back early, if the sale is as it was; a job looks at it then. */
export function releaseLease(id: string, until: IsoTime, dueAt: IsoTime): Statement {
  return statement(sql`UPDATE ${payments} SET leased_until = NULL, due_at = ${dueAt}, attempts = attempts + 1
    WHERE purchase_id = ${id} AND leased_until = ${until} AND outcome IS NULL AND captured_cents = 0`);
}

/** Ends a lease while the outcome of a capture is not known: a job looks at it then. */
export function awaitSettlement(id: string, dueAt: IsoTime): Statement {
  return statement(sql`UPDATE ${payments} SET leased_until = NULL, due_at = ${dueAt}
    WHERE purchase_id = ${id} AND outcome IS NULL AND captured_cents = 0`);
}

/** What was reserved in bulk is known to its buyer from now on, and waits to be collected; aborts if it ended. */
export function awaitCollection(id: string, until: IsoTime): Statement[] {
  return [
    statement(sql`UPDATE ${payments} SET collect_until = ${until}, due_at = ${until}, leased_until = NULL
      WHERE purchase_id = ${id} AND outcome IS NULL AND captured_cents = 0`),
    guardOneChange('purchase_reserved'),
  ];
}
