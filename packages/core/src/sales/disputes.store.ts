import { and, count, eq, getTableColumns, gte, isNotNull, isNull, lte, not, sql } from 'drizzle-orm';
import { asInteger, build } from '../db/build.ts';
import { isConflictIn, isGuard } from '../db/constraint.ts';
import { guardOneChange } from '../db/guard.ts';
import { insertWhere } from '../db/insert-from.ts';
import { type Params, query, write } from '../db/query.ts';
import { purchases } from '../db/tables/purchases.ts';
import { disputes, payments, shipments } from '../db/tables/sales.ts';
import type { Database, Statement } from '../kernel/ports/database.ts';
import type { IsoTime } from '../kernel/time.ts';
import { isHeldByOperator } from './escrow/holds.store.ts';
import type { Decision, Dispute, Sale } from './sale.ts';
import { hasStatus, isChargedBack } from './sales.store.ts';

/** A dispute with what the operator needs to decide it. */
export interface OpenDispute extends Dispute {
  readonly purchaseId: string;
  readonly listingId: string;
  readonly sellerId: string;
  readonly buyerId: string | null;
  readonly amountCents: number;
  readonly rail: string;
  readonly deliveredAt: IsoTime | null;
  readonly shippedAt: IsoTime | null;
}

const open = query((p: Params<{ limit: number; offset: number }>) =>
  build
    .select({
      ...getTableColumns(disputes),
      listingId: purchases.listingId,
      sellerId: purchases.sellerId,
      buyerId: purchases.buyerId,
      amountCents: purchases.amountCents,
      rail: purchases.rail,
      deliveredAt: purchases.deliveredAt,
      shippedAt: shipments.shippedAt,
    })
    .from(disputes)
    .innerJoin(purchases, eq(purchases.id, disputes.purchaseId))
    .leftJoin(shipments, eq(shipments.purchaseId, disputes.purchaseId))
    .where(isNull(disputes.decision))
    .orderBy(disputes.openedAt, disputes.purchaseId)
    .limit(p.limit)
    .offset(p.offset),
);

const countOpen = query(() =>
  build.select({ total: count() }).from(disputes).where(isNull(disputes.decision)),
);

export async function listOpenDisputes(
  market: Database,
  page: { limit: number; offset: number },
): Promise<{ disputes: OpenDispute[]; total: number }> {
  const [rows, counted] = await Promise.all([open.all(market, page), countOpen.first(market)]);
  return { disputes: rows, total: counted?.total ?? 0 };
}

const stopClock = write((p: Params<{ id: string }>) =>
  build
    .update(payments)
    .set({ dueAt: null })
    .where(
      and(
        eq(payments.purchaseId, p.id),
        isNull(payments.refundRequestedAt),
        isNull(payments.reserveUntil),
        hasStatus(p.id, 'held'),
      ),
    ),
);

interface NewDispute {
  readonly purchaseId: string;
  readonly buyerId: string | null;
  readonly reason: string;
  readonly openedAt: IsoTime;
  readonly decideBy: IsoTime;
}

const insertDispute = write((p: Params<NewDispute & { mostOpen: number }>) => {
  const { purchaseId, buyerId, reason, openedAt, decideBy } = p;
  const open = build
    .select({ count: count() })
    .from(disputes)
    .where(and(eq(disputes.buyerId, buyerId), isNull(disputes.decision), isNotNull(disputes.decideBy)));
  return insertWhere(
    disputes,
    { purchaseId, buyerId, reason, openedAt, decideBy },
    sql`${open} < ${asInteger(p.mostOpen)}`,
  );
});

/**
 * Opens a dispute, once, and stops the clock: only while the money is in escrow and stays there, and its buyer has fewer
 * than `mostOpen`.
 */
export function openDispute(dispute: NewDispute, mostOpen: number): Statement[] {
  return [
    stopClock({ id: dispute.purchaseId }),
    guardOneChange('purchase_held'),
    insertDispute({ ...dispute, mostOpen }),
    guardOneChange('dispute_room'),
  ];
}

export function isDisputedBefore(error: unknown): boolean {
  return isConflictIn(error, disputes);
}

/** The buyer has as many open as it may. */
export function hasNoDisputeRoom(error: unknown): boolean {
  return isGuard(error, 'dispute_room');
}

const rejected = query((p: Params<{ buyerId: string; since: IsoTime }>) =>
  build
    .select({ total: count() })
    .from(disputes)
    .where(
      and(
        eq(disputes.buyerId, p.buyerId),
        gte(disputes.decidedAt, p.since),
        sql`${disputes.decision} = 'release'`,
      ),
    ),
);

/** How many disputes of a buyer were decided for the seller since a time. */
export async function countRejectedDisputes(
  market: Database,
  buyerId: string | null,
  since: IsoTime,
): Promise<number> {
  if (buyerId === null) return 0;
  return (await rejected.first(market, { buyerId, since }))?.total ?? 0;
}

const endHold = write((p: Params<{ id: string; at: IsoTime }>) =>
  build.update(payments).set({ dueAt: p.at, holdUntil: p.at }).where(eq(payments.purchaseId, p.id)),
);

/** Decides an open dispute, once. To release is to end the time in escrow now. */
export function decideDispute(purchaseId: string, decision: Decision, decidedAt: IsoTime): Statement[] {
  return decisionStatements(
    closeDispute(purchaseId, decision, 'operator', decidedAt),
    purchaseId,
    decision,
    decidedAt,
  );
}

function decisionStatements(close: Statement, id: string, decision: Decision, at: IsoTime): Statement[] {
  return [close, guardOneChange('dispute_open'), ...(decision === 'release' ? [endHold({ id, at })] : [])];
}

const close = write(
  (p: Params<{ id: string; decision: Decision; decidedBy: Dispute['decidedBy']; decidedAt: IsoTime }>) =>
    build
      .update(disputes)
      .set({ decision: p.decision, decidedAt: p.decidedAt, decidedBy: p.decidedBy })
      .where(and(eq(disputes.purchaseId, p.id), isNull(disputes.decision))),
);

/** Decides a dispute if one is open. `decidedBy` null: nobody had to, as the money was taken back outside. */
export function closeDispute(
  id: string,
  decision: Decision,
  decidedBy: Dispute['decidedBy'],
  decidedAt: IsoTime,
): Statement {
  return close({ id, decision, decidedBy, decidedAt });
}

const isPast = (p: Params<{ at: IsoTime }>) =>
  and(
    isNull(disputes.decision),
    lte(disputes.decideBy, p.at),
    not(isChargedBack(disputes.purchaseId)),
    not(isHeldByOperator(disputes.purchaseId)),
  );

const past = query((p: Params<{ at: IsoTime; limit: number }>) =>
  build
    .select({ purchaseId: disputes.purchaseId })
    .from(disputes)
    .where(isPast(p))
    .orderBy(disputes.decideBy)
    .limit(p.limit),
);

/** Purchases whose dispute nobody decided in time, but those that a bank or the operator looks into. */
export async function listUndecidedDisputes(market: Database, at: IsoTime, limit: number): Promise<string[]> {
  return (await past.all(market, { at, limit })).map(({ purchaseId }) => purchaseId);
}

const closeByRule = write(
  (p: Params<{ id: string; decision: Decision; at: IsoTime; shippedAt: IsoTime | null }>) => {
    const shipment = build
      .select({ at: shipments.shippedAt })
      .from(shipments)
      .where(eq(shipments.purchaseId, p.id));
    return build
      .update(disputes)
      .set({ decision: p.decision, decidedAt: p.at, decidedBy: 'rule' })
      .where(and(eq(disputes.purchaseId, p.id), isPast(p), sql`${shipment} IS ${p.shippedAt}`));
  },
);

/**
 * Decides a dispute that nobody decided in time, once: not while a bank or the operator looks into it, and not by a
 * shipment that was read before it was recorded.
 */
export function decideByRule(
  { id, shipment }: Pick<Sale, 'id' | 'shipment'>,
  decision: Decision,
  at: IsoTime,
): Statement[] {
  const close = closeByRule({ id, decision, at, shippedAt: shipment?.shippedAt ?? null });
  return decisionStatements(close, id, decision, at);
}

const postpone = write((p: Params<{ id: string; until: IsoTime }>) =>
  build
    .update(disputes)
    .set({ decideBy: p.until })
    .where(and(eq(disputes.purchaseId, p.id), isNull(disputes.decision), isNotNull(disputes.decideBy))),
);

/** The rule comes back to a dispute that it cannot end now. */
export function postponeRule(id: string, until: IsoTime): Statement {
  return postpone({ id, until });
}

const resume = write((p: Params<{ id: string; decideBy: IsoTime }>) =>
  build
    .update(disputes)
    .set({ decision: null, decidedAt: null, decideBy: p.decideBy })
    .where(and(eq(disputes.purchaseId, p.id), isNotNull(disputes.decision), isNull(disputes.decidedBy))),
);

/** A dispute that ended because a bank took the money, which nobody judged: it is open until then at the latest. */
export function resumeDispute(id: string, decideBy: IsoTime): Statement {
  return resume({ id, decideBy });
}

/** Has the operator decide, and no rule, whether or not the buyer had asked for it before. */
export function reopenDispute(
  { id: purchaseId, buyerId }: Pick<Sale, 'id' | 'buyerId'>,
  reason: string,
  openedAt: IsoTime,
): Statement {
  return reopen({ purchaseId, buyerId, reason, openedAt });
}

const reopen = write(
  (p: Params<{ purchaseId: string; buyerId: string | null; reason: string; openedAt: IsoTime }>) =>
    build
      .insert(disputes)
      .values({ purchaseId: p.purchaseId, buyerId: p.buyerId, reason: p.reason, openedAt: p.openedAt })
      .onConflictDoUpdate({
        target: disputes.purchaseId,
        set: { decision: null, decidedAt: null, decidedBy: null, decideBy: null },
      }),
);

export function isDecidedBefore(error: unknown): boolean {
  return isGuard(error, 'dispute_open');
}
