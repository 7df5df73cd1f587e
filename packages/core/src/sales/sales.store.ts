import { getTableColumns, type SQL, sql } from 'drizzle-orm';
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core';
import { guardOneChange } from '../db/guard.ts';
import { prepared, statement, updateSet } from '../db/statement.ts';
import { agents } from '../db/tables/agents.ts';
import { purchases } from '../db/tables/purchases.ts';
import { chargebacks, disputes, payments, shipments, transfers } from '../db/tables/sales.ts';
import type { HealthAttestation } from '../health/index.ts';
import type { JsonObject } from '../kernel/json/json.ts';
import { type Database, DatabaseError, type Statement } from '../kernel/ports/database.ts';
import type { IsoTime } from '../kernel/time.ts';
import { type ChargebackColumns, viewChargeback } from './rails/card/chargeback-view.ts';
import { chargebackColumns } from './rails/card/chargebacks.store.ts';
import type { Payment, PurchaseReceipt, Sale } from './sale.ts';
import { isTransition, type SaleStatus } from './sale-status.rules.ts';

const TABLES = {
  sale: purchases,
  payment: payments,
  shipment: shipments,
  transfer: transfers,
  dispute: disputes,
};
type Part = keyof typeof TABLES;

/** Two tables have columns of one name: a field of a row is named after its part, too. */
const FIELDS = Object.entries(TABLES).flatMap(([part, table]) =>
  Object.entries(getTableColumns(table as SQLiteTable)).map(([field, column]) => ({
    alias: `${part}.${field}`,
    column: column as SQLiteColumn,
  })),
);

const SALE = sql`SELECT ${sql.join(
  FIELDS.map(({ alias, column }) => sql`${column} AS ${sql.identifier(alias)}`),
  sql`, `,
)}, ${chargebackColumns(sql`${purchases.id}`)}
  FROM ${purchases} LEFT JOIN ${payments} ON ${payments.purchaseId} = ${purchases.id}
    LEFT JOIN ${shipments} ON ${shipments.purchaseId} = ${purchases.id}
    LEFT JOIN ${transfers} ON ${transfers.purchaseId} = ${purchases.id}
    LEFT JOIN ${disputes} ON ${disputes.purchaseId} = ${purchases.id}`;

/** A cardholder's dispute stops the clock, whatever time it shows. */
export const isChargedBack = (purchaseId: SQL): SQL => sql`EXISTS (SELECT 1 FROM ${chargebacks}
  WHERE ${chargebacks.purchaseId} = ${purchaseId} AND ${chargebacks.settledAt} IS NULL)`;

const byId = prepared<{ id: string }>(sql`${SALE} WHERE ${purchases.id} = ${sql.placeholder('id')}`);
const ofBatch = prepared<{ batchId: string }>(sql`${SALE}
  WHERE ${transfers.payoutBatchId} = ${sql.placeholder('batchId')} ORDER BY ${purchases.id}`);
const due = prepared<{ now: IsoTime; statuses: string; limit: number }>(sql`${SALE}
  WHERE ${payments.dueAt} <= ${sql.placeholder('now')}
    AND (${payments.leasedUntil} IS NULL OR ${payments.leasedUntil} <= ${sql.placeholder('now')})
    AND ${purchases.status} IN (SELECT value FROM json_each(${sql.placeholder('statuses')}))
    AND NOT (${purchases.status} = 'held' AND ${isChargedBack(sql`${purchases.id}`)})
  ORDER BY ${payments.dueAt} LIMIT ${sql.placeholder('limit')}`);
const abandoned = prepared<{ buyerId: string; rail: string; now: IsoTime }>(sql`${SALE}
  WHERE ${purchases.buyerId} = ${sql.placeholder('buyerId')} AND ${purchases.rail} = ${sql.placeholder('rail')}
    AND ${purchases.status} = 'authorized' AND ${payments.dueAt} <= ${sql.placeholder('now')}
    AND ${payments.collectUntil} <= ${sql.placeholder('now')} LIMIT 20`);
const hasCallback = prepared<{ id: string }>(
  sql`SELECT callback_url IS NOT NULL AS hasCallback FROM ${agents} WHERE id = ${sql.placeholder('id')}`,
);

type SaleRow = Readonly<Record<string, unknown>>;

export async function findSale(market: Database, id: string): Promise<Sale | null> {
  const row = await market.first<SaleRow>(byId({ id }));
  return row && saleOf(row);
}

/** A sale that something depends on: it must be there. */
export async function requireSale(market: Database, id: string): Promise<Sale> {
  const sale = await findSale(market, id);
  if (sale === null) throw new Error(`There is no purchase ${id}.`);
  return sale;
}

/** What one payout in USDC pays. */
export async function listSalesOfBatch(market: Database, batchId: string): Promise<Sale[]> {
  return (await market.all<SaleRow>(ofBatch({ batchId }))).map(saleOf);
}

/** Those that a job has to look at now and nobody is working on, the longest waiting first. */
export async function listDueSales(
  market: Database,
  statuses: readonly SaleStatus[],
  now: IsoTime,
  limit: number,
): Promise<Sale[]> {
  return (await market.all<SaleRow>(due({ now, statuses: JSON.stringify(statuses), limit }))).map(saleOf);
}

/** Sales of a buyer whose request is long over and that nobody may collect any more. */
export async function listAbandonedSales(
  market: Database,
  buyerId: string,
  rail: string,
  now: IsoTime,
): Promise<Sale[]> {
  return (await market.all<SaleRow>(abandoned({ buyerId, rail, now }))).map(saleOf);
}

/** Whether the buyer has a URL at which events reach it. */
export async function hasCallbackUrl(market: Database, buyerId: string | null): Promise<boolean> {
  if (buyerId === null) return false;
  return (await market.first<{ hasCallback: number }>(hasCallback({ id: buyerId })))?.hasCallback === 1;
}

/** What a purchase that is recorded as delivered has in place of a payment: it is free. */
const FREE: Omit<Payment, 'purchaseId'> = {
  fingerprint: '',
  fulfilment: 'digital',
  holdHours: 0,
  payerAccount: null,
  dueAt: null,
  attempts: 0,
  leasedUntil: null,
  authorizedAt: null,
  collectUntil: null,
  holdsUnit: 1,
  outcome: null,
  failure: null,
  capturedCents: 0,
  feeCents: 0,
  transferredCents: 0,
  refundedCents: 0,
  capturedAt: null,
  holdUntil: null,
  refundReason: null,
  refundRequestedAt: null,
  refundId: null,
  refundedAt: null,
};

/** A payment of which nothing is known yet. */
export function newPayment(purchaseId: string, known: Partial<Payment>): Payment {
  return { ...FREE, ...known, purchaseId };
}

function saleOf(row: SaleRow): Sale {
  const sale = partOf<typeof purchases.$inferSelect>(row, 'sale');
  return {
    ...sale,
    query: parse<JsonObject>(sale.query),
    receipt: parse<PurchaseReceipt>(sale.receipt),
    healthAttestation: parse<HealthAttestation>(sale.healthAttestation),
    payment: partOrNull<Payment>(row, 'payment') ?? newPayment(sale.id, {}),
    shipment: partOrNull(row, 'shipment'),
    transfer: partOrNull(row, 'transfer'),
    dispute: partOrNull(row, 'dispute'),
    chargeback: viewChargeback(row as unknown as ChargebackColumns),
  };
}

function partOf<T>(row: SaleRow, part: Part): T {
  const fields = Object.keys(getTableColumns(TABLES[part] as SQLiteTable));
  return Object.fromEntries(fields.map((field) => [field, row[`${part}.${field}`]])) as T;
}

function partOrNull<T>(row: SaleRow, part: Exclude<Part, 'sale'>): T | null {
  return row[`${part}.purchaseId`] === null ? null : partOf<T>(row, part);
}

function parse<T>(text: string | null): T | null {
  return text === null ? null : (JSON.parse(text) as T);
}

/** Moves a sale on, if it still stands where it was thought to; else the whole transaction is off. */
export function moveSale(id: string, from: SaleStatus, to: SaleStatus): Statement[] {
  if (!isTransition(from, to)) throw new Error(`A purchase does not go from ${from} to ${to}.`);
  return [
    updateSet(purchases, { status: to }, sql`id = ${id} AND status = ${from}`),
    guardOneChange(`purchase_${from}`),
  ];
}

export function setPayment(id: string, changes: Partial<Payment>): Statement {
  return updateSet(payments, changes, sql`purchase_id = ${id}`);
}

/**
 * Has a job look again later, unless the sale moved on since it was read: only its own time is put off, never that of
 * a later step.
 */
export function rescheduleCheck(
  { id, payment }: Pick<Sale, 'id' | 'payment'>,
  dueAt: IsoTime,
  attempts: number,
): Statement {
  return statement(sql`UPDATE ${payments} SET due_at = ${dueAt}, attempts = CAST(${attempts} AS INTEGER)
    WHERE purchase_id = ${id} AND due_at = ${payment.dueAt}`);
}

/** The sale does not stand where it was thought to: somebody else moved it on, or decided what becomes of it. */
export function isStatusConflict(error: unknown): boolean {
  return (
    error instanceof DatabaseError &&
    error.kind === 'constraint' &&
    error.constraint.startsWith('guard purchase_')
  );
}

/** The change may have been made: only its reply is lost. */
export function isUnavailable(error: unknown): boolean {
  return error instanceof DatabaseError && error.kind === 'unavailable';
}

/** Commits once more where the reply is lost: for statements that may be written twice. */
export async function commitIdempotent(commit: () => Promise<unknown>): Promise<void> {
  try {
    await commit();
  } catch (error) {
    if (!isUnavailable(error)) throw error;
    await commit();
  }
}
