import { getTableColumns, type SQL, sql } from 'drizzle-orm';
import { guardOneChange } from '../db/guard.ts';
import { insertInto, prepared } from '../db/statement.ts';
import { agents, sellers } from '../db/tables/agents.ts';
import { listings } from '../db/tables/listings.ts';
import { purchases } from '../db/tables/purchases.ts';
import { disputes, payments } from '../db/tables/sales.ts';
import { type ChargebackColumns, chargebackColumns, type Dispute, type Payment } from '../escrow/index.ts';
import type { HealthAttestation } from '../health/index.ts';
import type { JsonObject } from '../kernel/json/json.ts';
import type { Database, Statement } from '../kernel/ports/database.ts';
import type { IsoTime } from '../kernel/time.ts';
import type { Purchase, PurchaseOnRecord, PurchaseReceipt } from './purchase.ts';

type PurchaseRow = typeof purchases.$inferSelect;

const PURCHASE_COLUMNS = getTableColumns(purchases);
const PAYMENT_COLUMNS = getTableColumns(payments);
const COLUMNS = sql.join(
  Object.entries({ ...PURCHASE_COLUMNS, ...PAYMENT_COLUMNS }).map(
    ([field, column]) => sql`${column} AS ${sql.identifier(field)}`,
  ),
  sql`, `,
);
const byId = prepared<{ id: string }>(sql`SELECT ${COLUMNS}, ${disputes.reason} AS disputeReason,
    ${disputes.openedAt} AS disputeOpenedAt, ${disputes.decision} AS disputeDecision,
    ${disputes.decidedAt} AS disputeDecidedAt, ${chargebackColumns(sql`${purchases.id}`)}
  FROM ${purchases} LEFT JOIN ${payments} ON ${payments.purchaseId} = ${purchases.id}
    LEFT JOIN ${disputes} ON ${disputes.purchaseId} = ${purchases.id}
  WHERE ${purchases.id} = ${sql.placeholder('id')}`);

export async function findPurchase(market: Database, id: string): Promise<PurchaseOnRecord | null> {
  const row = await market.first<Record<string, unknown>>(byId({ id }));
  if (!row) return null;
  const purchase = pick<PurchaseRow>(row, PURCHASE_COLUMNS);
  return {
    ...purchase,
    query: purchase.query === null ? null : (JSON.parse(purchase.query) as JsonObject),
    receipt: purchase.receipt === null ? null : (JSON.parse(purchase.receipt) as PurchaseReceipt),
    healthAttestation:
      purchase.healthAttestation === null
        ? null
        : (JSON.parse(purchase.healthAttestation) as HealthAttestation),
    payment: row.purchaseId === null ? null : pick<Payment>(row, PAYMENT_COLUMNS),
    dispute: disputeOf(row as unknown as DisputeColumns),
    chargeback: pick<ChargebackColumns>(row, CHARGEBACK_COLUMNS),
  };
}

const CHARGEBACK_COLUMNS: Readonly<Record<keyof ChargebackColumns, true>> = {
  chargebackOpenedAt: true,
  chargebackSettledAt: true,
  chargebackStatus: true,
};

interface DisputeColumns {
  readonly disputeReason: string | null;
  readonly disputeOpenedAt: IsoTime | null;
  readonly disputeDecision: Dispute['decision'];
  readonly disputeDecidedAt: IsoTime | null;
}

function disputeOf(row: DisputeColumns): Exclude<PurchaseOnRecord['dispute'], undefined> {
  const { disputeReason: reason, disputeOpenedAt: openedAt } = row;
  if (reason === null || openedAt === null) return null;
  return { reason, openedAt, decision: row.disputeDecision, decidedAt: row.disputeDecidedAt };
}

function pick<Row>(row: Record<string, unknown>, columns: object): Row {
  return Object.fromEntries(Object.keys(columns).map((field) => [field, row[field]])) as Row;
}

const calledBack = prepared<{ id: string }>(
  sql`SELECT callback_url IS NOT NULL AS called FROM ${agents} WHERE id = ${sql.placeholder('id')}`,
);

/** Whether the buyer has a URL to which it is told what happens. */
export async function isCalledBack(market: Database, buyerId: string | null): Promise<boolean> {
  if (buyerId === null) return false;
  return (await market.first<{ called: number }>(calledBack({ id: buyerId })))?.called === 1;
}

/** Of a listing whose price, version or status is no longer what the buyer was shown. */
export const LISTING_STILL_FOR_SALE = 'listing_still_for_sale';

/** What counting a purchase takes to know of it. */
export interface ToCount {
  readonly id: string;
  readonly sellerId: string;
  readonly listingId: string;
  readonly buyerId: string | null;
  readonly amountCents: number;
}

type CountValues = Pick<ToCount, keyof ToCount>;

/**
 * Whether a purchase says something of what it is of, which is a seller or a listing. Paid ones do. Taking what is free
 * costs nothing, so of that only the first delivery to each agent does, and whatever failed before.
 */
function saysSomething(of: 'seller' | 'listing'): SQL {
  const given = (name: keyof ToCount) => sql.placeholder(name);
  const same = of === 'seller' ? sql`TRUE` : sql`listing_id = ${given('listingId')}`;
  return sql`(CAST(${given('amountCents')} AS INTEGER) > 0 OR (${given('buyerId')} IS NOT NULL AND NOT EXISTS (
    SELECT 1 FROM ${purchases} WHERE buyer_id = ${given('buyerId')} AND seller_id = ${given('sellerId')} AND ${same}
      AND amount_cents = 0 AND content_digest IS NOT NULL AND purchases.id <> ${given('id')})))`;
}

const takeCopy = prepared<CountValues & { listingVersion: number }>(sql`UPDATE ${listings}
  SET sold_count = sold_count + 1, purchase_count = purchase_count + 1,
    popularity = popularity + ${saysSomething('listing')}
  WHERE id = ${sql.placeholder('listingId')} AND status = 'active'
    AND version = CAST(${sql.placeholder('listingVersion')} AS INTEGER)`);

/**
 * Records a delivered purchase and takes its copy, all or nothing: it aborts if the listing was changed or
 * taken off in the meantime, and the table's own checks abort it when no copy is left.
 */
export function recordDelivered(purchase: Purchase): Statement[] {
  return [
    takeCopy({ ...toCount(purchase), listingVersion: purchase.listingVersion }),
    guardOneChange(LISTING_STILL_FOR_SALE),
    insertInto(purchases, {
      ...purchase,
      query: purchase.query === null ? null : JSON.stringify(purchase.query),
      receipt: purchase.receipt === null ? null : JSON.stringify(purchase.receipt),
      healthAttestation: attestationText(purchase),
    }),
  ];
}

/** As it is stored. */
export function attestationText({ healthAttestation }: Purchase): string | null {
  return healthAttestation === null ? null : JSON.stringify(healthAttestation);
}

const countPurchased = prepared<CountValues>(sql`UPDATE ${listings} SET purchase_count = purchase_count + 1,
    popularity = popularity + ${saysSomething('listing')}
  WHERE id = ${sql.placeholder('listingId')}`);

/** Counts a purchase whose copy was taken before. */
export function countPurchase(purchase: ToCount): Statement {
  return countPurchased(toCount(purchase));
}

const delivered = prepared<CountValues>(sql`UPDATE ${sellers} SET delivered_count = delivered_count + 1
  WHERE agent_id = ${sql.placeholder('sellerId')} AND ${saysSomething('seller')}`);

/** Counts a delivery towards the seller's reputation; it goes with the record of what was delivered. */
export function countDelivered(purchase: ToCount): Statement {
  return delivered(toCount(purchase));
}

const undelivered = prepared<CountValues>(sql`UPDATE ${sellers} SET failed_count = failed_count + 1
  WHERE agent_id = ${sql.placeholder('sellerId')} AND ${saysSomething('seller')}`);

/** The same of a delivery that failed. */
export function countFailed(purchase: ToCount): Statement {
  return undelivered(toCount(purchase));
}

function toCount({ id, sellerId, listingId, buyerId, amountCents }: ToCount) {
  return { id, sellerId, listingId, buyerId, amountCents };
}
