import {
  and,
  eq,
  exists,
  getTableColumns,
  inArray,
  isNotNull,
  isNull,
  lte,
  ne,
  not,
  or,
  type SQL,
  type SQLWrapper,
  sql,
} from 'drizzle-orm';
import { asInteger, build, isOneOf } from '../db/build.ts';
import { isGuardIn, isUnavailable } from '../db/constraint.ts';
import { guardOneChange } from '../db/guard.ts';
import { type Params, query, toStatement, write } from '../db/query.ts';
import { listings } from '../db/tables/listings.ts';
import { purchases } from '../db/tables/purchases.ts';
import {
  chargebackShares,
  chargebacks,
  disputes,
  gatheredSales,
  operatorHolds,
  paidElsewhere,
  payments,
  shipments,
  transfers,
} from '../db/tables/sales.ts';
import type { HealthAttestation } from '../health/index.ts';
import type { Database, Statement } from '../kernel/ports/database.ts';
import type { EpochMs, IsoTime } from '../kernel/time.ts';
import { isHeldByOperator } from './escrow/holds.store.ts';
import { isLatestChargeback } from './rails/card/chargebacks.store.ts';
import type { Payment, PurchaseReceipt, Sale } from './sale.ts';
import { isTransition, type SaleStatus } from './sale-status.rules.ts';
import { retryAt } from './sale-terms.rules.ts';

export { isClaimLost } from '../db/idempotency-records.ts';
export { isUnavailable };

const { inReserve: _inReserve, isDisputed: _isDisputed, ...SALE } = getTableColumns(purchases);
const {
  query: _query,
  sealedQuery: _sealed,
  email: _email,
  receipt: _receipt,
  healthAttestation: _health,
  ...SUMMARY
} = SALE;

const LISTING_TITLE = sql<string>`(SELECT ${listings.title} FROM ${listings} WHERE ${listings.id} = ${purchases.listingId})`;

const selectSale = () => selectParts(SALE);

/** For lists: without what may be large and what is asked for by itself. */
export const selectSaleSummary = () => selectParts({ ...SUMMARY, listingTitle: LISTING_TITLE });

const selectParts = <Columns extends typeof SUMMARY>(sale: Columns) =>
  build
    .select({
      sale,
      payment: getTableColumns(payments),
      shipment: getTableColumns(shipments),
      transfer: getTableColumns(transfers),
      dispute: getTableColumns(disputes),
      chargeback: {
        openedAt: chargebacks.openedAt,
        settledAt: chargebacks.settledAt,
        status: chargebacks.status,
      },
      operatorHold: getTableColumns(operatorHolds),
      paidElsewhere: getTableColumns(paidElsewhere),
    })
    .from(purchases)
    .leftJoin(payments, eq(payments.purchaseId, purchases.id))
    .leftJoin(shipments, eq(shipments.purchaseId, purchases.id))
    .leftJoin(transfers, eq(transfers.purchaseId, purchases.id))
    .leftJoin(disputes, eq(disputes.purchaseId, purchases.id))
    .leftJoin(operatorHolds, eq(operatorHolds.purchaseId, purchases.id))
    .leftJoin(paidElsewhere, eq(paidElsewhere.purchaseId, purchases.id))
    .leftJoin(chargebacks, isLatestChargeback(purchases.id));

/** A cardholder's dispute stops the clock, whatever time it shows: of the sale, or of a top-up that paid for it. */
export function isChargedBack(purchaseId: SQLWrapper): SQL {
  const unsettled = and(eq(chargebacks.purchaseId, purchaseId), isNull(chargebacks.settledAt));
  const ofTopUp = build
    .select({ id: chargebacks.disputeId })
    .from(chargebackShares)
    .innerJoin(chargebacks, eq(chargebacks.disputeId, chargebackShares.disputeId))
    .where(and(eq(chargebackShares.purchaseId, purchaseId), isNull(chargebacks.settledAt)));
  return sql`(${exists(build.select({ id: chargebacks.disputeId }).from(chargebacks).where(unsettled))}
    OR ${exists(ofTopUp)})`;
}

/** As a condition of a statement that writes another table. */
export function hasStatus(purchaseId: SQLWrapper, ...statuses: readonly SaleStatus[]): SQL {
  const standsThere = and(eq(purchases.id, purchaseId), inArray(purchases.status, statuses));
  return exists(build.select({ id: purchases.id }).from(purchases).where(standsThere));
}

const byId = query((p: Params<{ id: string }>) => selectSale().where(eq(purchases.id, p.id)));

const ofBatch = query((p: Params<{ batchId: string }>) =>
  selectSale().where(eq(transfers.payoutBatchId, p.batchId)).orderBy(purchases.id),
);

const isFree = (p: Params<{ now: IsoTime }>) =>
  or(isNull(payments.leasedUntil), lte(payments.leasedUntil, p.now));

const dueSales = query((p: Params<{ now: IsoTime; statuses: readonly SaleStatus[]; limit: number }>) =>
  selectSale()
    .where(
      and(
        lte(payments.dueAt, p.now),
        isFree(p),
        isOneOf(purchases.status, p.statuses),
        or(ne(purchases.status, 'held'), not(isChargedBack(purchases.id))),
        // A refund goes on: only the time in escrow stands still.
        or(
          ne(purchases.status, 'held'),
          isNotNull(payments.refundRequestedAt),
          not(isHeldByOperator(purchases.id)),
        ),
      ),
    )
    .orderBy(payments.dueAt)
    .limit(p.limit),
);

const salesToPayTogether = query((p: Params<{ now: IsoTime; sellerId: string; limit: number }>) =>
  selectSale()
    .innerJoin(gatheredSales, eq(gatheredSales.purchaseId, purchases.id))
    .where(
      and(
        eq(gatheredSales.sellerId, p.sellerId),
        // A dispute stops the clock.
        isNotNull(payments.dueAt),
        isNull(payments.refundRequestedAt),
        isFree(p),
        not(isChargedBack(purchases.id)),
        not(isHeldByOperator(purchases.id)),
      ),
    )
    .orderBy(gatheredSales.waitsUntil)
    .limit(p.limit),
);

const abandonedSales = query((p: Params<{ buyerId: string; rail: string; now: IsoTime }>) =>
  selectSale()
    .where(
      and(
        eq(purchases.buyerId, p.buyerId),
        eq(purchases.rail, p.rail),
        eq(purchases.status, 'authorized'),
        lte(payments.dueAt, p.now),
        lte(payments.collectUntil, p.now),
      ),
    )
    .limit(20),
);

const reservedSales = query((p: Params<{ buyerId: string; payerAccount: string }>) =>
  selectSale()
    .where(
      and(
        eq(purchases.buyerId, p.buyerId),
        eq(purchases.status, 'authorized'),
        eq(payments.payerAccount, p.payerAccount),
      ),
    )
    .limit(100),
);

/** What a buyer has reserved of one account, and not yet been given. */
export async function listReservedSales(
  market: Database,
  buyerId: string,
  payerAccount: string,
): Promise<Sale[]> {
  return (await reservedSales.all(market, { buyerId, payerAccount })).map(saleOf);
}

export async function findSale(market: Database, id: string): Promise<Sale | null> {
  const row = await byId.first(market, { id });
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
  return (await ofBatch.all(market, { batchId })).map(saleOf);
}

/** Those that a job has to look at now and nobody is working on, the longest waiting first. */
export async function listDueSales(
  market: Database,
  statuses: readonly SaleStatus[],
  now: IsoTime,
  limit: number,
): Promise<Sale[]> {
  return (await dueSales.all(market, { now, statuses, limit })).map(saleOf);
}

/** Due sales of a seller that wait for more, so that one payout covers its gas; the longest waiting first. */
export async function listGatheredSales(
  market: Database,
  sellerId: string,
  now: IsoTime,
  limit: number,
): Promise<Sale[]> {
  return (await salesToPayTogether.all(market, { sellerId, now, limit })).map(saleOf);
}

/** Sales of a buyer whose request is long over and that nobody may collect any more. */
export async function listAbandonedSales(
  market: Database,
  buyerId: string,
  rail: string,
  now: IsoTime,
): Promise<Sale[]> {
  return (await abandonedSales.all(market, { buyerId, rail, now })).map(saleOf);
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
  holdsUnit: true,
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
  failedCollections: [],
  takenNetCents: 0,
  takenFeeCents: 0,
  withheldCents: 0,
  refundFailures: 0,
  restorations: 0,
  redelivery: 'same',
  setAsideAt: null,
  isRevocable: true,
  reserveUntil: null,
  keyId: null,
  meter: null,
};

/** A payment of which nothing is known yet. */
export function newPayment(purchaseId: string, known: Partial<Payment>): Payment {
  return { ...FREE, ...known, purchaseId };
}

interface PartsRow<Columns extends { readonly id: string }>
  extends Pick<Sale, 'shipment' | 'transfer' | 'dispute' | 'chargeback' | 'operatorHold' | 'paidElsewhere'> {
  readonly sale: Columns;
  readonly payment: Payment | null;
}

/** The parts of a sale as one. */
export function joinParts<Columns extends { readonly id: string }>({
  sale,
  payment,
  ...parts
}: PartsRow<Columns>) {
  return { ...sale, payment: payment ?? newPayment(sale.id, {}), ...parts };
}

function saleOf({
  sale,
  ...row
}: PartsRow<Omit<typeof purchases.$inferSelect, 'inReserve' | 'isDisputed'>>): Sale {
  const receipt = sale.receipt as PurchaseReceipt | null;
  const healthAttestation = sale.healthAttestation as HealthAttestation | null;
  return joinParts({ sale: { ...sale, receipt, healthAttestation }, ...row });
}

const setStatus = write((p: Params<{ id: string; from: SaleStatus; to: SaleStatus }>) =>
  build
    .update(purchases)
    .set({ status: p.to })
    .where(and(eq(purchases.id, p.id), eq(purchases.status, p.from))),
);

/** Moves a sale on, if it still stands where it was thought to; else the whole transaction is off. */
export function moveSale(id: string, from: SaleStatus, to: SaleStatus): Statement[] {
  if (!isTransition(from, to)) throw new Error(`A purchase does not go from ${from} to ${to}.`);
  return [setStatus({ id, from, to }), guardOneChange(`purchase_${from}`)];
}

export function setPayment(id: string, changes: Partial<Payment>): Statement {
  return toStatement(build.update(payments).set(changes).where(eq(payments.purchaseId, id)));
}

const putOff = write(
  (p: Params<{ id: string; knownDueAt: IsoTime | null; dueAt: IsoTime; attempts: number }>) =>
    build
      .update(payments)
      .set({ dueAt: p.dueAt, attempts: asInteger(p.attempts) })
      .where(and(eq(payments.purchaseId, p.id), eq(payments.dueAt, p.knownDueAt))),
);

/**
 * Has a job look again later, unless the sale moved on since it was read: only its own time is put off, never that of
 * a later step.
 */
export function rescheduleCheck(
  { id, payment }: Pick<Sale, 'id' | 'payment'>,
  dueAt: IsoTime,
  attempts: number,
): Statement {
  return putOff({ id, knownDueAt: payment.dueAt, dueAt, attempts });
}

/** The same after it could not go on: one sale must not keep the others waiting. */
export function retryLater(sale: Sale, now: EpochMs): Statement {
  const { attempts } = sale.payment;
  return rescheduleCheck(sale, retryAt(attempts, now), attempts + 1);
}

/** The sale does not stand where it was thought to: somebody else moved it on, or decided what becomes of it. */
export function isStatusConflict(error: unknown): boolean {
  return isGuardIn(error, 'purchase_');
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
