import {
  and,
  asc,
  eq,
  exists,
  gt,
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
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import { build } from '../../db/build.ts';
import { type Params, query } from '../../db/query.ts';
import { payoutAccounts, payoutBatches, payoutWallets } from '../../db/tables/payouts.ts';
import { purchases } from '../../db/tables/purchases.ts';
import { cardEvents, deadMessages } from '../../db/tables/reports.ts';
import {
  chargebacks,
  disputes,
  gatheredSales,
  operatorHolds,
  payments,
  sellerClaims,
  shipments,
  transfers,
} from '../../db/tables/sales.ts';
import { usdcPayments } from '../../db/tables/usdc-payments.ts';
import { topUpRefunds, walletTopUps } from '../../db/tables/wallet.ts';
import type { Database } from '../../kernel/ports/database.ts';
import type { IsoTime } from '../../kernel/time.ts';
import { isChargedBack, isPaymentReturnOwed } from '../../sales/index.ts';
import type { OverdueFacts } from './overdue.rules.ts';

/** Rows after a place in the list, up to a time. */
interface Page {
  readonly after: string;
  readonly afterId: string;
  readonly until: IsoTime;
  readonly limit: number;
}

const within = (since: SQL | SQLiteColumn, id: SQLWrapper, p: Params<Page>) =>
  and(
    lte(since as SQL, p.until),
    sql`${since} >= ${p.after}`,
    or(gt(since as SQL, p.after), sql`${id} > ${p.afterId}`),
  );

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

const inEscrow = query((p: Params<Page>) =>
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
const unmoved = query((p: Params<Page>) =>
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

const beingRefunded = query((p: Params<Page>) =>
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

const refundFailed = query((p: Params<Page>) =>
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

const disputesUndecided = query((p: Params<Page>) =>
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

const outcomeUndone = query((p: Params<Page>) =>
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

const paymentReturns = query((p: Params<Page>) =>
  build
    .select({ ...SALE, since: purchases.createdAt })
    .from(usdcPayments)
    .innerJoin(payments, eq(payments.purchaseId, usdcPayments.purchaseId))
    .innerJoin(purchases, eq(purchases.id, usdcPayments.purchaseId))
    .where(and(isPaymentReturnOwed, within(purchases.createdAt, usdcPayments.purchaseId, p)))
    .orderBy(asc(purchases.createdAt), asc(usdcPayments.purchaseId))
    .limit(p.limit),
);

const payoutsSending = query((p: Params<Page>) =>
  build
    .select({
      id: payoutBatches.id,
      amountCents: payoutBatches.amountCents,
      since: payoutBatches.createdAt,
      attempts: payoutBatches.attempts,
    })
    .from(payoutBatches)
    .where(and(eq(payoutBatches.status, 'sending'), within(payoutBatches.createdAt, payoutBatches.id, p)))
    .orderBy(asc(payoutBatches.createdAt), asc(payoutBatches.id))
    .limit(p.limit),
);

const topUpsUndecided = query((p: Params<Page>) =>
  build
    .select({ id: walletTopUps.id, amountCents: walletTopUps.amountCents, since: walletTopUps.expiresAt })
    .from(walletTopUps)
    .where(and(eq(walletTopUps.status, 'open'), within(walletTopUps.expiresAt, walletTopUps.id, p)))
    .orderBy(asc(walletTopUps.expiresAt), asc(walletTopUps.id))
    .limit(p.limit),
);

const returnsOwed = query((p: Params<Page>) =>
  build
    .select({
      id: walletTopUps.id,
      amountCents: walletTopUps.amountCents,
      since: walletTopUps.returnOwedSince,
    })
    .from(walletTopUps)
    .where(
      and(isNotNull(walletTopUps.returnOwedSince), within(walletTopUps.returnOwedSince, walletTopUps.id, p)),
    )
    .orderBy(asc(walletTopUps.returnOwedSince), asc(walletTopUps.id))
    .limit(p.limit),
);

const refundsToCards = query((p: Params<Page>) =>
  build
    .select({
      id: topUpRefunds.topUpId,
      amountCents: topUpRefunds.amountCents,
      since: topUpRefunds.createdAt,
    })
    .from(topUpRefunds)
    .where(
      and(
        sql`${topUpRefunds.status} IN ('decided', 'sent')`,
        within(topUpRefunds.createdAt, topUpRefunds.topUpId, p),
      ),
    )
    .orderBy(asc(topUpRefunds.createdAt), asc(topUpRefunds.topUpId))
    .limit(p.limit),
);

const eventsMissed = query((p: Params<Page>) =>
  build
    .select({ id: cardEvents.eventId, since: cardEvents.createdAt })
    .from(cardEvents)
    .where(and(isNull(cardEvents.takenAt), within(cardEvents.createdAt, cardEvents.eventId, p)))
    .orderBy(asc(cardEvents.createdAt), asc(cardEvents.eventId))
    .limit(p.limit),
);

const messagesDead = query((p: Params<Page>) =>
  build
    .select({ id: deadMessages.id, since: deadMessages.diedAt })
    .from(deadMessages)
    .where(within(deadMessages.diedAt, deadMessages.id, p))
    .orderBy(asc(deadMessages.diedAt), asc(deadMessages.id))
    .limit(p.limit),
);

const OPEN_CENTS = sql<number>`${sellerClaims.claimCents} - ${sellerClaims.withheldCents}`;
const claimedSince = sql<string>`COALESCE(${chargebacks.settledAt}, ${chargebacks.openedAt})`;

const claimsOpen = query((p: Params<Page>) =>
  build
    .select({
      id: sellerClaims.disputeId,
      amountCents: sql<number>`ABS(${OPEN_CENTS})`,
      rail: purchases.rail,
      since: claimedSince,
      isOwedToSeller: sql`${OPEN_CENTS} < 0`.mapWith(Boolean),
    })
    .from(sellerClaims)
    .innerJoin(chargebacks, eq(chargebacks.disputeId, sellerClaims.disputeId))
    .innerJoin(purchases, eq(purchases.id, sellerClaims.purchaseId))
    .where(
      and(
        ne(sellerClaims.claimCents, sellerClaims.withheldCents),
        within(claimedSince, sellerClaims.disputeId, p),
      ),
    )
    .orderBy(claimedSince, asc(sellerClaims.disputeId))
    .limit(p.limit),
);

/** What was to be done by then and is not: of each kind no more than the page holds, in one round trip. */
export async function readOverdue(
  db: Database,
  page: Page & { readonly topUpsUntil: IsoTime },
): Promise<OverdueFacts[]> {
  const [
    escrow,
    waiting,
    refunds,
    failed,
    undecided,
    outcomes,
    paymentsBack,
    payouts,
    topUps,
    returns,
    refundedTopUps,
    events,
    messages,
    claims,
  ] = await Promise.all([
    inEscrow.all(db, page),
    unmoved.all(db, page),
    beingRefunded.all(db, page),
    refundFailed.all(db, page),
    disputesUndecided.all(db, page),
    outcomeUndone.all(db, page),
    paymentReturns.all(db, page),
    payoutsSending.all(db, page),
    topUpsUndecided.all(db, { ...page, until: page.topUpsUntil }),
    returnsOwed.all(db, page),
    refundsToCards.all(db, page),
    eventsMissed.all(db, page),
    messagesDead.all(db, page),
    claimsOpen.all(db, page),
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
    ...payouts.map((row) => ({ ...row, of: 'payout' as const, rail: null })),
    ...topUps.map((row) => ({ ...row, of: 'top_up' as const, rail: null })),
    ...[...returns, ...refundedTopUps].map((row) => ({ ...row, of: 'top_up_return' as const, rail: null })),
    ...events.map((row) => ({ ...row, of: 'card_event' as const, amountCents: null, rail: null })),
    ...messages.map((row) => ({ ...row, of: 'message' as const, amountCents: null, rail: null })),
    ...claims.map((row) => ({ ...row, of: 'claim' as const })),
  ].map((row) => ({ ...row, since: row.since ?? '' }));
}
