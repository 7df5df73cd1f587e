import { and, asc, eq, exists, isNotNull, isNull, lte, ne, not, or, sql } from 'drizzle-orm';
import { build } from '../../db/build.ts';
import { type Params, query } from '../../db/query.ts';
import { payoutAccounts, payoutWallets } from '../../db/tables/payouts.ts';
import { purchases } from '../../db/tables/purchases.ts';
import {
  disputes,
  gatheredSales,
  operatorHolds,
  payments,
  shipments,
  transfers,
} from '../../db/tables/sales.ts';
import { usdcPayments } from '../../db/tables/usdc-payments.ts';
import type { Database } from '../../kernel/ports/database.ts';
import { isChargedBack, isPaymentReturnOwed } from '../../sales/index.ts';
import { type OverduePage, within } from './overdue-page.store.ts';

const canBePaid = sql`(${exists(
  build
    .select({ id: payoutAccounts.sellerId })
    .from(payoutAccounts)
    .where(and(eq(payoutAccounts.sellerId, purchases.sellerId), eq(payoutAccounts.payoutsEnabled, true))),
)} OR ${exists(
  build
    .select({ id: payoutWallets.sellerId })
    .from(payoutWallets)
    .where(eq(payoutWallets.sellerId, purchases.sellerId)),
)})`;

/** Of the price, without what banks took. */
const LEFT_CENTS =
  sql`${purchases.amountCents} - ${payments.takenNetCents} - ${payments.takenFeeCents}`.mapWith(Number);

const SALE = {
  id: payments.purchaseId,
  amountCents: LEFT_CENTS,
  rail: purchases.rail,
};

const inEscrow = query((p: Params<OverduePage>) =>
  build
    .select({
      ...SALE,
      since: payments.holdUntil,
      status: purchases.status,
      refusals: transfers.refusals,
      heldAt: operatorHolds.heldAt,
      liftedAt: operatorHolds.liftedAt,
      canBePaid: sql`${canBePaid}`.mapWith(Boolean),
    })
    .from(payments)
    .innerJoin(purchases, eq(purchases.id, payments.purchaseId))
    .leftJoin(transfers, eq(transfers.purchaseId, payments.purchaseId))
    .leftJoin(operatorHolds, eq(operatorHolds.purchaseId, payments.purchaseId))
    .leftJoin(gatheredSales, eq(gatheredSales.purchaseId, payments.purchaseId))
    .where(
      and(
        isNotNull(payments.dueAt),
        isNotNull(payments.holdUntil),
        isNull(payments.refundRequestedAt),
        sql`${purchases.status} IN ('held', 'releasing')`,
        or(isNull(gatheredSales.waitsUntil), lte(gatheredSales.waitsUntil, p.until)),
        // What is kept in reserve is due at its end.
        or(isNull(payments.reserveUntil), lte(payments.reserveUntil, p.until)),
        not(isChargedBack(payments.purchaseId)),
        within(payments.holdUntil, payments.purchaseId, p),
      ),
    )
    .orderBy(asc(payments.holdUntil), asc(payments.purchaseId))
    .limit(p.limit),
);

/** As the index has it: no clock is to look at it, or it waits for a shipment. */
const UNMOVED = sql`${payments.capturedCents} > 0 AND ${payments.refundedAt} IS NULL
  AND ${payments.transferredCents} = 0 AND (${payments.dueAt} IS NULL OR ${payments.holdUntil} IS NULL)`;

const isDisputed = exists(
  build
    .select({ id: disputes.purchaseId })
    .from(disputes)
    .where(and(eq(disputes.purchaseId, payments.purchaseId), isNull(disputes.decision))),
);

/**
 * In escrow, though neither a dispute nor a bank is waited for and no refund was begun: orders that were not shipped in
 * time, and whatever no clock looks at.
 */
const unmoved = query((p: Params<OverduePage>) =>
  build
    .select({
      ...SALE,
      since: payments.capturedAt,
      status: purchases.status,
      refusals: transfers.refusals,
      heldAt: operatorHolds.heldAt,
      liftedAt: operatorHolds.liftedAt,
      // Where it is to be sent is not what keeps it.
      canBePaid: sql`1`.mapWith(Boolean),
    })
    .from(payments)
    .innerJoin(purchases, eq(purchases.id, payments.purchaseId))
    .leftJoin(transfers, eq(transfers.purchaseId, payments.purchaseId))
    .leftJoin(operatorHolds, eq(operatorHolds.purchaseId, payments.purchaseId))
    .leftJoin(shipments, eq(shipments.purchaseId, payments.purchaseId))
    .where(
      and(
        UNMOVED,
        isNull(payments.refundRequestedAt),
        eq(purchases.status, 'held'),
        or(lte(shipments.shipBy, p.until), isNull(payments.dueAt)),
        // A refund that failed is listed as such.
        or(isNull(payments.failure), ne(payments.failure, 'refund_failed'), isNotNull(payments.dueAt)),
        not(isDisputed),
        not(isChargedBack(payments.purchaseId)),
        within(payments.capturedAt, payments.purchaseId, p),
      ),
    )
    .orderBy(asc(payments.capturedAt), asc(payments.purchaseId))
    .limit(p.limit),
);

const beingRefunded = query((p: Params<OverduePage>) =>
  build
    .select({ ...SALE, since: payments.refundRequestedAt, failures: payments.refundFailures })
    .from(payments)
    .innerJoin(purchases, eq(purchases.id, payments.purchaseId))
    .where(
      and(
        isNotNull(payments.refundRequestedAt),
        isNull(payments.refundedAt),
        eq(purchases.status, 'held'),
        within(payments.refundRequestedAt, payments.purchaseId, p),
      ),
    )
    .orderBy(asc(payments.refundRequestedAt), asc(payments.purchaseId))
    .limit(p.limit),
);

const refundFailed = query((p: Params<OverduePage>) =>
  build
    .select({ ...SALE, since: payments.capturedAt })
    .from(payments)
    .innerJoin(purchases, eq(purchases.id, payments.purchaseId))
    .where(
      and(
        eq(payments.failure, 'refund_failed'),
        isNull(payments.refundedAt),
        eq(payments.transferredCents, 0),
        isNull(payments.refundRequestedAt),
        eq(purchases.status, 'held'),
        // Decided anew, it is in escrow like any other.
        isNull(payments.dueAt),
        within(payments.capturedAt, payments.purchaseId, p),
      ),
    )
    .orderBy(asc(payments.capturedAt), asc(payments.purchaseId))
    .limit(p.limit),
);

/** When a dispute became the operator's own: its rule is past, or there is none. */
const undecidedSince = sql<string>`COALESCE(${disputes.decideBy}, ${disputes.openedAt})`;

const disputesUndecided = query((p: Params<OverduePage>) =>
  build
    .select({ ...SALE, since: undecidedSince })
    .from(disputes)
    .innerJoin(payments, eq(payments.purchaseId, disputes.purchaseId))
    .innerJoin(purchases, eq(purchases.id, disputes.purchaseId))
    .where(
      and(
        isNull(disputes.decision),
        eq(purchases.status, 'held'),
        isNull(payments.refundRequestedAt),
        // A refund that failed is listed as such.
        or(isNull(payments.failure), ne(payments.failure, 'refund_failed')),
        not(isChargedBack(disputes.purchaseId)),
        within(undecidedSince, disputes.purchaseId, p),
      ),
    )
    .orderBy(undecidedSince, asc(disputes.purchaseId))
    .limit(p.limit),
);

/** As the index has it. */
const decidedAt = sql<string>`COALESCE(${payments.authorizedAt}, ${payments.dueAt})`;

const outcomeUndone = query((p: Params<OverduePage>) =>
  build
    .select({ ...SALE, since: decidedAt, outcome: payments.outcome })
    .from(payments)
    .innerJoin(purchases, eq(purchases.id, payments.purchaseId))
    .where(
      and(isNotNull(payments.outcome), isNotNull(payments.dueAt), within(decidedAt, payments.purchaseId, p)),
    )
    .orderBy(decidedAt, asc(payments.purchaseId))
    .limit(p.limit),
);

const paymentReturns = query((p: Params<OverduePage>) =>
  build
    .select({ ...SALE, since: purchases.createdAt })
    .from(usdcPayments)
    .innerJoin(payments, eq(payments.purchaseId, usdcPayments.purchaseId))
    .innerJoin(purchases, eq(purchases.id, usdcPayments.purchaseId))
    .where(and(isPaymentReturnOwed, within(purchases.createdAt, usdcPayments.purchaseId, p)))
    .orderBy(asc(purchases.createdAt), asc(usdcPayments.purchaseId))
    .limit(p.limit),
);

/** The money of purchases that should have moved by then. */
export async function readOverdueSales(db: Database, page: OverduePage) {
  const [escrow, waiting, refunds, failed, undecided, outcomes, paymentsBack] = await Promise.all([
    inEscrow.all(db, page),
    unmoved.all(db, page),
    beingRefunded.all(db, page),
    refundFailed.all(db, page),
    disputesUndecided.all(db, page),
    outcomeUndone.all(db, page),
    paymentReturns.all(db, page),
  ]);
  return [
    ...[...escrow, ...waiting].map(({ heldAt, liftedAt, ...row }) => ({
      ...row,
      of: 'escrow' as const,
      isOnHold: heldAt !== null && liftedAt === null,
    })),
    ...refunds.map((row) => ({ ...row, of: 'refund' as const })),
    ...failed.map((row) => ({ ...row, of: 'failed_refund' as const })),
    ...undecided.map((row) => ({ ...row, of: 'dispute' as const })),
    ...outcomes.map((row) => ({ ...row, of: 'outcome' as const })),
    ...paymentsBack.map((row) => ({ ...row, of: 'payment_return' as const })),
  ];
}
