import { and, count, eq, getTableColumns, isNull } from 'drizzle-orm';
import { build } from '../db/build.ts';
import { isConflictIn, isGuard } from '../db/constraint.ts';
import { guardOneChange } from '../db/guard.ts';
import { insertInto } from '../db/insert-into.ts';
import { type Params, query, write } from '../db/query.ts';
import { purchases } from '../db/tables/purchases.ts';
import { disputes, payments, shipments } from '../db/tables/sales.ts';
import type { Database, Statement } from '../kernel/ports/database.ts';
import type { IsoTime } from '../kernel/time.ts';
import type { Decision, Dispute } from './sale.ts';
import { hasStatus } from './sales.store.ts';

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

/** Opens a dispute, once, and stops the clock: only while the money is in escrow and stays there. */
export function openDispute(purchaseId: string, reason: string, openedAt: IsoTime): Statement[] {
  return [
    stopClock({ id: purchaseId }),
    guardOneChange('purchase_held'),
    insertInto(disputes, { purchaseId, reason, openedAt }),
  ];
}

export function isDisputedBefore(error: unknown): boolean {
  return isConflictIn(error, disputes);
}

const endHold = write((p: Params<{ id: string; at: IsoTime }>) =>
  build.update(payments).set({ dueAt: p.at, holdUntil: p.at }).where(eq(payments.purchaseId, p.id)),
);

/** Decides an open dispute, once. To release is to end the time in escrow now. */
export function decideDispute(purchaseId: string, decision: Decision, decidedAt: IsoTime): Statement[] {
  return [
    closeDispute(purchaseId, decision, decidedAt),
    guardOneChange('dispute_open'),
    ...(decision === 'release' ? [endHold({ id: purchaseId, at: decidedAt })] : []),
  ];
}

const close = write((p: Params<{ id: string; decision: Decision; decidedAt: IsoTime }>) =>
  build
    .update(disputes)
    .set({ decision: p.decision, decidedAt: p.decidedAt })
    .where(and(eq(disputes.purchaseId, p.id), isNull(disputes.decision))),
);

/** Decides a dispute if one is open. */
export function closeDispute(purchaseId: string, decision: Decision, decidedAt: IsoTime): Statement {
  return close({ id: purchaseId, decision, decidedAt });
}

/** Has the operator decide, whether or not the buyer had asked for it before. */
export function reopenDispute(purchaseId: string, reason: string, openedAt: IsoTime): Statement {
  return reopen({ purchaseId, reason, openedAt });
}

const reopen = write((p: Params<{ purchaseId: string; reason: string; openedAt: IsoTime }>) =>
  build
    .insert(disputes)
    .values({ purchaseId: p.purchaseId, reason: p.reason, openedAt: p.openedAt })
    .onConflictDoUpdate({ target: disputes.purchaseId, set: { decision: null, decidedAt: null } }),
);

export function isDecidedBefore(error: unknown): boolean {
  return isGuard(error, 'dispute_open');
}
