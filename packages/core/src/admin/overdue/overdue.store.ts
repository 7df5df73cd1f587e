import { and, asc, eq, isNotNull, isNull, ne, sql } from 'drizzle-orm';
import { build } from '../../db/build.ts';
import { type Params, query } from '../../db/query.ts';
import { payoutBatches } from '../../db/tables/payouts.ts';
import { purchases } from '../../db/tables/purchases.ts';
import { cardEvents, deadMessages } from '../../db/tables/reports.ts';
import { chargebacks, sellerClaims } from '../../db/tables/sales.ts';
import { topUpRefunds, walletTopUps } from '../../db/tables/wallet.ts';
import type { Database } from '../../kernel/ports/database.ts';
import type { IsoTime } from '../../kernel/time.ts';
import type { OverdueFacts } from './overdue.rules.ts';
import { type OverduePage, within } from './overdue-page.store.ts';
import { readOverdueSales } from './overdue-sales.store.ts';

const payoutsSending = query((p: Params<OverduePage>) =>
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

const topUpsUndecided = query((p: Params<OverduePage>) =>
  build
    .select({ id: walletTopUps.id, amountCents: walletTopUps.amountCents, since: walletTopUps.expiresAt })
    .from(walletTopUps)
    .where(and(eq(walletTopUps.status, 'open'), within(walletTopUps.expiresAt, walletTopUps.id, p)))
    .orderBy(asc(walletTopUps.expiresAt), asc(walletTopUps.id))
    .limit(p.limit),
);

const returnsOwed = query((p: Params<OverduePage>) =>
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

const refundsToCards = query((p: Params<OverduePage>) =>
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

const eventsMissed = query((p: Params<OverduePage>) =>
  build
    .select({ id: cardEvents.eventId, since: cardEvents.createdAt })
    .from(cardEvents)
    .where(and(isNull(cardEvents.takenAt), within(cardEvents.createdAt, cardEvents.eventId, p)))
    .orderBy(asc(cardEvents.createdAt), asc(cardEvents.eventId))
    .limit(p.limit),
);

const messagesDead = query((p: Params<OverduePage>) =>
  build
    .select({ id: deadMessages.id, since: deadMessages.diedAt })
    .from(deadMessages)
    .where(within(deadMessages.diedAt, deadMessages.id, p))
    .orderBy(asc(deadMessages.diedAt), asc(deadMessages.id))
    .limit(p.limit),
);

const OPEN_CENTS = sql<number>`${sellerClaims.claimCents} - ${sellerClaims.withheldCents}`;
const claimedSince = sql<string>`COALESCE(${chargebacks.settledAt}, ${chargebacks.openedAt})`;

const claimsOpen = query((p: Params<OverduePage>) =>
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
  page: OverduePage & { readonly topUpsUntil: IsoTime },
): Promise<OverdueFacts[]> {
  const [sales, payouts, topUps, returns, refundedTopUps, events, messages, claims] = await Promise.all([
    readOverdueSales(db, page),
    payoutsSending.all(db, page),
    topUpsUndecided.all(db, { ...page, until: page.topUpsUntil }),
    returnsOwed.all(db, page),
    refundsToCards.all(db, page),
    eventsMissed.all(db, page),
    messagesDead.all(db, page),
    claimsOpen.all(db, page),
  ]);
  return [
    ...sales,
    ...payouts.map((row) => ({ ...row, of: 'payout' as const, rail: null })),
    ...topUps.map((row) => ({ ...row, of: 'top_up' as const, rail: null })),
    ...[...returns, ...refundedTopUps].map((row) => ({ ...row, of: 'top_up_return' as const, rail: null })),
    ...events.map((row) => ({ ...row, of: 'card_event' as const, amountCents: null, rail: null })),
    ...messages.map((row) => ({ ...row, of: 'message' as const, amountCents: null, rail: null })),
    ...claims.map((row) => ({ ...row, of: 'claim' as const })),
  ].map((row) => ({ ...row, since: row.since ?? '' }));
}
