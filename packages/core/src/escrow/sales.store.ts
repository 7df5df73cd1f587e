import { getTableColumns, type SQL, sql } from 'drizzle-orm';
import { guardOneChange } from '../db/guard.ts';
import { prepared, statement, updateSet } from '../db/statement.ts';
import { sellers } from '../db/tables/agents.ts';
import { purchases } from '../db/tables/purchases.ts';
import { chargebacks, disputes, payments } from '../db/tables/sales.ts';
import { usdcPayments } from '../db/tables/usdc-payments.ts';
import type { Hex } from '../kernel/ports/chain.ts';
import { type Database, DatabaseError, type Statement } from '../kernel/ports/database.ts';
import type { IsoTime } from '../kernel/time.ts';
import type { Payment, SaleStatus, StoredSale } from './sale.ts';
import { mayMove } from './sale-state.rules.ts';

type SaleRow = Omit<StoredSale, 'payment'> & Payment;

const PAYMENT_COLUMNS = sql.join(
  Object.entries(getTableColumns(payments)).map(
    ([field, column]) => sql`${column} AS ${sql.identifier(field)}`,
  ),
  sql`, `,
);
const SALE_COLUMNS = sql`${purchases.id} AS id, ${purchases.listingId} AS listingId, ${purchases.sellerId} AS sellerId,
  ${purchases.buyerId} AS buyerId, ${purchases.status} AS status, ${purchases.rail} AS rail,
  ${purchases.amountCents} AS amountCents, ${purchases.platformFeeCents} AS platformFeeCents,
  (SELECT chain_id FROM ${usdcPayments} WHERE ${usdcPayments.purchaseId} = ${purchases.id}) AS paidOnChainId,
  ${PAYMENT_COLUMNS}`;
const FROM = sql`${payments} JOIN ${purchases} ON ${purchases.id} = ${payments.purchaseId}`;

/** A cardholder's dispute stops the clock, whatever time it shows. */
const isChargedBack = (purchaseId: SQL): SQL => sql`EXISTS (SELECT 1 FROM ${chargebacks}
  WHERE ${chargebacks.purchaseId} = ${purchaseId} AND ${chargebacks.settledAt} IS NULL)`;

const byId = prepared<{ id: string }>(
  sql`SELECT ${SALE_COLUMNS} FROM ${FROM} WHERE ${payments.purchaseId} = ${sql.placeholder('id')}`,
);
const due = prepared<{
  now: IsoTime;
  statuses: string;
  limit: number;
}>(sql`SELECT ${SALE_COLUMNS} FROM ${FROM}
  WHERE ${payments.dueAt} <= ${sql.placeholder('now')}
    AND (${payments.workedUntil} IS NULL OR ${payments.workedUntil} <= ${sql.placeholder('now')})
    AND ${purchases.status} IN (SELECT value FROM json_each(${sql.placeholder('statuses')}))
    AND NOT (${purchases.status} = 'held' AND ${isChargedBack(sql`${payments.purchaseId}`)})
  ORDER BY ${payments.dueAt} LIMIT ${sql.placeholder('limit')}`);

/** A purchase with its money; null for free ones, too, which have none. */
export async function findSale(market: Database, id: string): Promise<StoredSale | null> {
  const row = await market.first<SaleRow>(byId({ id }));
  return row && saleOf(row);
}

/** Who paid a purchase on the rail x402, where, and how much: the protocol's first version lets payers send more than the price. */
export async function findUsdcPaid(
  market: Database,
  id: string,
): Promise<{ readonly chainId: number; readonly payer: Hex; readonly units: bigint } | null> {
  const row = await market.first<{ chainId: number; payer: Hex; units: string }>(
    statement(sql`SELECT chain_id AS chainId, payer, units FROM ${usdcPayments} WHERE purchase_id = ${id}`),
  );
  return row && { ...row, units: BigInt(row.units) };
}

/** What one payout in USDC pays. */
export async function listSalesOfBatch(market: Database, batchId: string): Promise<StoredSale[]> {
  const rows = await market.all<SaleRow>(
    statement(sql`SELECT ${SALE_COLUMNS} FROM ${FROM} WHERE ${payments.payoutBatchId} = ${batchId}
      ORDER BY ${payments.purchaseId}`),
  );
  return rows.map(saleOf);
}

/** Those that a job has to look at now and nobody is working on, the longest waiting first. */
export async function listDueSales(
  market: Database,
  statuses: readonly SaleStatus[],
  now: IsoTime,
  limit: number,
): Promise<StoredSale[]> {
  const rows = await market.all<SaleRow>(due({ now, statuses: JSON.stringify(statuses), limit }));
  return rows.map(saleOf);
}

function saleOf(row: SaleRow): StoredSale {
  const { id, listingId, sellerId, buyerId, status, rail, ...money } = row;
  const { amountCents, platformFeeCents, paidOnChainId, ...payment } = money;
  const sale = { id, listingId, sellerId, buyerId, status, rail };
  return { ...sale, amountCents, platformFeeCents, paidOnChainId, payment };
}

/** Moves a purchase on, if it still stands where it was thought to; else the whole transaction is off. */
export function moveSale(id: string, from: SaleStatus, to: SaleStatus): Statement[] {
  if (!mayMove(from, to)) throw new Error(`A purchase does not go from ${from} to ${to}.`);
  return [
    updateSet(purchases, { status: to }, sql`id = ${id} AND status = ${from}`),
    guardOneChange(`purchase_${from}`),
  ];
}

export function setPayment(id: string, changes: Partial<Payment>): Statement {
  return updateSet(payments, changes, sql`purchase_id = ${id}`);
}

/**
 * Has a job look again later, unless the purchase moved on since it was read: only its own time is put off,
 * never that of a later step.
 */
export function lookAgain(
  { id, payment }: Pick<StoredSale, 'id' | 'payment'>,
  dueAt: IsoTime,
  attempts: number,
): Statement {
  return statement(sql`UPDATE ${payments} SET due_at = ${dueAt}, attempts = CAST(${attempts} AS INTEGER)
    WHERE purchase_id = ${id} AND due_at = ${payment.dueAt}`);
}

/**
 * Begins the transfer of a sale whose time in escrow is over: once, however many clocks run, and never
 * while it is disputed or being refunded.
 */
export function beginTransfer(
  { id }: Pick<StoredSale, 'id'>,
  transfer: { accountId: string; amountCents: number; at: IsoTime; lookAgainAt: IsoTime | null },
): Statement[] {
  return [
    statement(sql`UPDATE ${payments} SET transferred_cents = CAST(${transfer.amountCents} AS INTEGER),
      transfer_account_id = ${transfer.accountId}, releasing_since = ${transfer.at}, due_at = ${transfer.lookAgainAt},
      attempts = 0
      WHERE purchase_id = ${id} AND due_at <= ${transfer.at} AND hold_until <= ${transfer.at}
        AND refund_requested_at IS NULL
        AND NOT EXISTS (SELECT 1 FROM ${disputes} WHERE purchase_id = ${id} AND decision IS NULL)
        AND NOT ${isChargedBack(sql`${id}`)}`),
    guardOneChange('purchase_due'),
    ...moveSale(id, 'held', 'releasing'),
  ];
}

/** Notes that a card refund will be asked for: once, and only while the money is in escrow. */
export function requestRefund(id: string, reason: string, at: IsoTime): Statement[] {
  return [
    statement(sql`UPDATE ${payments} SET refund_requested_at = ${at}, refund_reason = ${reason}, due_at = ${at},
      attempts = 0 WHERE purchase_id = ${id} AND refund_requested_at IS NULL
        AND (SELECT status FROM ${purchases} WHERE id = ${id}) = 'held'`),
    guardOneChange('purchase_held'),
  ];
}

/** Starts the clock of a physical order, which a dispute stops as it does any other. */
export function recordShipment(
  id: string,
  shipment: { shippedAt: IsoTime; carrier: string; trackingNumber: string; holdUntil: IsoTime | null },
): Statement[] {
  return [
    statement(sql`UPDATE ${payments} SET shipped_at = ${shipment.shippedAt}, carrier = ${shipment.carrier},
      tracking_number = ${shipment.trackingNumber}, hold_until = ${shipment.holdUntil},
      due_at = CASE WHEN EXISTS (SELECT 1 FROM ${disputes} WHERE purchase_id = ${id} AND decision IS NULL) THEN NULL
        ELSE ${shipment.holdUntil} END
      WHERE purchase_id = ${id} AND fulfilment = 'physical' AND shipped_at IS NULL AND refund_requested_at IS NULL
        AND (SELECT status FROM ${purchases} WHERE id = ${id}) = 'held'`),
    guardOneChange('purchase_to_be_shipped'),
  ];
}

/**
 * Ends the wait for the shipment of an order whose time is over, if it is not shipped, disputed, decided or
 * refunded by then.
 */
export function endWaitForShipment(id: string, at: IsoTime, why: string): Statement[] {
  return [
    statement(sql`UPDATE ${payments} SET failure = ${why} WHERE purchase_id = ${id} AND due_at <= ${at}
      AND ship_by <= ${at} AND shipped_at IS NULL AND hold_until IS NULL AND refund_requested_at IS NULL
      AND NOT EXISTS (SELECT 1 FROM ${disputes} WHERE purchase_id = ${id} AND decision IS NULL)
      AND NOT ${isChargedBack(sql`${id}`)}`),
    guardOneChange('purchase_unshipped'),
  ];
}

/** What the seller confirmed and never shipped counts as failed, in place of delivered. */
export function countNotShipped(sellerId: string): Statement {
  return statement(sql`UPDATE ${sellers} SET failed_count = failed_count + 1,
    delivered_count = MAX(0, delivered_count - 1) WHERE agent_id = ${sellerId}`);
}

/** Somebody else moved the purchase on first: what was to be done is done, or must not be. */
export function isOvertaken(error: unknown): boolean {
  return (
    error instanceof DatabaseError &&
    error.kind === 'constraint' &&
    error.constraint.startsWith('guard purchase_')
  );
}
