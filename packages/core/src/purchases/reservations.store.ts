import { type SQL, sql } from 'drizzle-orm';
import { guardOneChange } from '../db/guard.ts';
import { prepared, statement } from '../db/statement.ts';
import { listings } from '../db/tables/listings.ts';
import { purchases } from '../db/tables/purchases.ts';
import { payments } from '../db/tables/sales.ts';
import { moveSale, type Payment, setPayment, statusOnceDelivered } from '../escrow/index.ts';
import type { Database, Statement } from '../kernel/ports/database.ts';
import type { IsoTime } from '../kernel/time.ts';
import type { PaidPurchase } from './purchase.ts';
import { attestationText, countPurchase, LISTING_STILL_FOR_SALE } from './purchases.store.ts';

const given = (name: string): SQL => sql`${sql.placeholder(name)}`;
const cents = (name: string): SQL => sql`CAST(${sql.placeholder(name)} AS INTEGER)`;

const takeCopy = prepared<{ listingId: string; version: number }>(sql`UPDATE ${listings}
  SET sold_count = sold_count + 1
  WHERE id = ${given('listingId')} AND status = 'active' AND version = ${cents('version')}`);
const stillForSale = guardOneChange(LISTING_STILL_FOR_SALE);
const hasCopy = prepared<{ listingId: string; version: number }>(sql`INSERT INTO guards (name)
  SELECT ${LISTING_STILL_FOR_SALE} WHERE NOT EXISTS (SELECT 1 FROM ${listings}
    WHERE id = ${given('listingId')} AND status = 'active' AND version = ${cents('version')}
      AND (listing_type = 'standard' OR sold_count < COALESCE(max_copies, 1)))`);

const insertPurchase = prepared<{
  id: string;
  listingId: string;
  sellerId: string;
  buyerId: string | null;
  status: string;
  rail: string;
  amountCents: number;
  platformFeeCents: number;
  feeScheduleVersion: number;
  listingVersion: number;
  query: string | null;
  email: string | null;
  healthAttestation: string | null;
  createdAt: IsoTime;
}>(sql`INSERT INTO ${purchases} (id, listing_id, seller_id, buyer_id, status, rail, amount_cents, platform_fee_cents,
    fee_schedule_version, listing_version, query, email, health_attestation, created_at)
  VALUES (${given('id')}, ${given('listingId')}, ${given('sellerId')}, ${given('buyerId')}, ${given('status')},
    ${given('rail')}, ${given('amountCents')}, ${given('platformFeeCents')}, ${given('feeScheduleVersion')},
    ${given('listingVersion')}, ${given('query')}, ${given('email')}, ${given('healthAttestation')},
    ${given('createdAt')})`);

const insertPayment = prepared<{
  purchaseId: string;
  fingerprint: string;
  fulfilment: string;
  holdHours: number;
  shipDays: number;
  dueAt: IsoTime | null;
  workedUntil: IsoTime | null;
  customerId: string | null;
  paymentMethodId: string | null;
  authorizedAt: IsoTime | null;
  authorizationExpiresAt: IsoTime | null;
  holdsCopy: number;
}>(sql`INSERT INTO ${payments} (purchase_id, fingerprint, fulfilment, hold_hours, ship_days, due_at, worked_until, customer_id,
    payment_method_id, authorized_at, authorization_expires_at, holds_copy)
  VALUES (${given('purchaseId')}, ${given('fingerprint')}, ${given('fulfilment')}, ${given('holdHours')},
    ${given('shipDays')},
    ${given('dueAt')}, ${given('workedUntil')}, ${given('customerId')}, ${given('paymentMethodId')},
    ${given('authorizedAt')}, ${given('authorizationExpiresAt')}, ${cents('holdsCopy')})`);

/**
 * A purchase as it begins, with its copy of the listing if it holds one: all or nothing. It aborts if the listing
 * was changed or taken off, and when no copy is left.
 */
export function insertReservation(purchase: PaidPurchase): Statement[] {
  const { payment, query } = purchase;
  const listing = { listingId: purchase.listingId, version: purchase.listingVersion };
  return [
    ...(payment.holdsCopy === 1 ? [takeCopy(listing), stillForSale] : [hasCopy(listing)]),
    insertPurchase({
      ...purchase,
      query: query === null ? null : JSON.stringify(query),
      healthAttestation: attestationText(purchase),
    }),
    insertPayment(payment),
  ];
}

const recordDelivery = prepared<{
  id: string;
  status: string;
  platformFeeCents: number;
  feeScheduleVersion: number;
  contentDigest: string | null;
  deliveredAt: IsoTime | null;
  receipt: string;
}>(sql`UPDATE ${purchases} SET status = ${given('status')}, platform_fee_cents = ${cents('platformFeeCents')},
    fee_schedule_version = ${cents('feeScheduleVersion')}, content_digest = ${given('contentDigest')},
    delivered_at = ${given('deliveredAt')}, receipt = ${given('receipt')}
  WHERE id = ${given('id')} AND status = 'authorized'`);
const stillAuthorized = guardOneChange('purchase_authorized');

const recordCapture = prepared<{
  id: string;
  capturedCents: number;
  feeCents: number;
  capturedAt: IsoTime | null;
  holdUntil: IsoTime | null;
  shipBy: IsoTime | null;
  dueAt: IsoTime | null;
  chargeId: string | null;
}>(sql`UPDATE ${payments} SET captured_cents = ${cents('capturedCents')}, fee_cents = ${cents('feeCents')},
    captured_at = ${given('capturedAt')}, hold_until = ${given('holdUntil')}, ship_by = ${given('shipBy')}, due_at = ${given('dueAt')},
    charge_id = ${given('chargeId')}, worked_until = NULL, attempts = 0
  WHERE purchase_id = ${given('id')} AND ending IS NULL`);

/** Records what was delivered and that its money was taken, unless the purchase ended in the meantime. */
export function recordSettled(purchase: PaidPurchase): Statement[] {
  const { id, amountCents, platformFeeCents, payment } = purchase;
  return [
    recordDelivery({
      ...purchase,
      status: statusOnceDelivered(amountCents),
      receipt: JSON.stringify(purchase.receipt),
    }),
    stillAuthorized,
    recordCapture({
      id,
      capturedCents: amountCents,
      feeCents: platformFeeCents,
      capturedAt: payment.capturedAt,
      holdUntil: payment.holdUntil,
      shipBy: payment.shipBy,
      // An order waits for its shipment first.
      dueAt: payment.holdUntil ?? payment.shipBy,
      chargeId: payment.chargeId,
    }),
    stillAuthorized,
    countPurchase(purchase),
  ];
}

/** The copy for what was paid on a page; the listing's own checks abort it when none is left. */
export function takePaidCopy({ id, listingId }: Pick<PaidPurchase, 'id' | 'listingId'>): Statement[] {
  return [
    statement(sql`UPDATE ${listings} SET sold_count = sold_count + 1
      WHERE id = ${listingId} AND (SELECT holds_copy FROM ${payments} WHERE purchase_id = ${id}) = 0`),
    setPayment(id, { holdsCopy: 1 }),
  ];
}

/** A purchase that ends without a sale, and gives its copy of the listing back. */
export function recordEnding(
  { id, listingId, status }: PaidPurchase,
  ending: 'failed' | 'refunded' | 'expired',
  changes: Partial<Payment>,
): Statement[] {
  return [
    ...moveSale(id, status, ending),
    statement(sql`UPDATE ${listings} SET sold_count = sold_count - 1
      WHERE id = ${listingId} AND (SELECT holds_copy FROM ${payments} WHERE purchase_id = ${id}) = 1`),
    setPayment(id, { ...changes, ending, holdsCopy: 0, dueAt: null, workedUntil: null }),
  ];
}

/**
 * Decides that nothing will be captured, before the processor is told; from here on nobody can settle the
 * purchase any more. What was decided first stands.
 */
export function decideEnding(
  id: string,
  ending: 'failed' | 'refunded' | 'expired',
  failure: string | null,
  dueAt: IsoTime,
): Statement[] {
  return [
    statement(sql`UPDATE ${payments} SET failure = CASE WHEN ending IS NULL THEN ${failure} ELSE failure END,
        ending = COALESCE(ending, ${ending}), due_at = ${dueAt}
      WHERE purchase_id = ${id} AND captured_cents = 0
        AND (SELECT status FROM ${purchases} WHERE id = ${id}) IN ('pending_payment', 'authorized')`),
    guardOneChange('purchase_authorized'),
  ];
}

/** Lets a purchase go on whose decided ending could not be carried out at all. */
export function takeBackDecision(id: string, dueAt: IsoTime): Statement {
  return statement(sql`UPDATE ${payments} SET ending = NULL, failure = NULL, due_at = ${dueAt}, attempts = 0
    WHERE purchase_id = ${id} AND captured_cents = 0
      AND (SELECT status FROM ${purchases} WHERE id = ${id}) = 'authorized'`);
}

/** Aborts where an ending was decided that somebody is still carrying out. */
export function requireUndecided(id: string): Statement[] {
  return [
    statement(sql`UPDATE ${payments} SET ending = NULL WHERE purchase_id = ${id} AND ending IS NULL`),
    guardOneChange('purchase_undecided'),
  ];
}

/** The right to work on an authorised purchase until then; whoever else has it keeps it. */
export function takeWork(id: string, now: IsoTime, until: IsoTime): Statement[] {
  return [
    statement(sql`UPDATE ${payments} SET worked_until = ${until}, due_at = ${until}
      WHERE purchase_id = ${id} AND ending IS NULL AND (worked_until IS NULL OR worked_until <= ${now})
        AND (SELECT status FROM ${purchases} WHERE id = ${id}) = 'authorized'`),
    guardOneChange('purchase_free'),
  ];
}

/** Gives the right back early, if the purchase is as it was; a job looks at it then. */
export function dropWork(id: string, until: IsoTime, dueAt: IsoTime): Statement {
  return statement(sql`UPDATE ${payments} SET worked_until = NULL, due_at = ${dueAt}, attempts = attempts + 1
    WHERE purchase_id = ${id} AND worked_until = ${until} AND ending IS NULL AND captured_cents = 0`);
}

/** What was reserved in bulk is known to its buyer from now on, and waits to be collected; aborts if it ended. */
export function keepUntilCollected(id: string, until: IsoTime): Statement[] {
  return [
    statement(sql`UPDATE ${payments} SET authorization_expires_at = ${until}, due_at = ${until}, worked_until = NULL
      WHERE purchase_id = ${id} AND ending IS NULL AND captured_cents = 0`),
    guardOneChange('purchase_reserved'),
  ];
}

const abandoned = prepared<{ buyerId: string; now: IsoTime }>(sql`SELECT ${purchases.id} AS id
  FROM ${purchases} JOIN ${payments} ON ${payments.purchaseId} = ${purchases.id}
  WHERE buyer_id = ${given('buyerId')} AND rail = 'wallet' AND status IN ('authorized')
    AND due_at <= ${given('now')} AND authorization_expires_at <= ${given('now')} LIMIT 20`);

/** Wallet purchases of a buyer whose request is long over and that nobody may collect any more. */
export async function listAbandoned(market: Database, buyerId: string, now: IsoTime): Promise<string[]> {
  return (await market.all<{ id: string }>(abandoned({ buyerId, now }))).map(({ id }) => id);
}
