import { and, eq, gt, inArray, isNotNull, isNull, type SQL } from 'drizzle-orm';
import { build, excluded } from '../../db/build.ts';
import { insertFrom } from '../../db/insert-from.ts';
import { type Params, write } from '../../db/query.ts';
import { purchases } from '../../db/tables/purchases.ts';
import { operatorHolds, payments } from '../../db/tables/sales.ts';
import type { Statement } from '../../kernel/ports/database.ts';
import type { IsoTime } from '../../kernel/time.ts';
import { type ModerationCause, saleEffect } from './sale-effect.rules.ts';

const cancelledFor = (cause: ModerationCause) =>
  (['pending_payment', 'authorized'] as const).filter((status) => saleEffect(cause, status) === 'cancel');

const COLUMNS = {
  listing_blocked: purchases.listingId,
  seller_suspended: purchases.sellerId,
  buyer_suspended: purchases.buyerId,
} as const;

const makeDue = (cause: ModerationCause) =>
  write((p: Params<{ id: string; at: IsoTime }>) => {
    const affected: SQL | undefined = and(
      eq(COLUMNS[cause], p.id),
      inArray(purchases.status, cancelledFor(cause)),
    );
    return build
      .update(payments)
      .set({ dueAt: p.at })
      .where(
        and(
          isNull(payments.outcome),
          inArray(payments.purchaseId, build.select({ id: purchases.id }).from(purchases).where(affected)),
        ),
      );
  });

const makeDueFor = {
  listing_blocked: makeDue('listing_blocked'),
  seller_suspended: makeDue('seller_suspended'),
  buyer_suspended: makeDue('buyer_suspended'),
} as const;

/** Has the jobs look at once at the sales that are cancelled for this cause. Whoever collects one sees it by itself. */
export function cancelOpenSales(cause: ModerationCause, id: string, at: IsoTime): Statement {
  return makeDueFor[cause]({ id, at });
}

const holdAll = write((p: Params<{ sellerId: string; at: IsoTime }>) =>
  insertFrom(operatorHolds, { purchaseId: purchases.id, heldAt: p.at, bySuspension: true }, (select) =>
    select
      .from(purchases)
      .innerJoin(payments, eq(payments.purchaseId, purchases.id))
      .where(
        and(
          eq(purchases.sellerId, p.sellerId),
          eq(purchases.status, 'held'),
          gt(purchases.amountCents, 0),
          isNotNull(payments.holdUntil),
        ),
      ),
  ).onConflictDoUpdate({
    target: operatorHolds.purchaseId,
    set: { ...excluded(operatorHolds, 'heldAt'), liftedAt: null, bySuspension: true },
    setWhere: isNotNull(operatorHolds.liftedAt),
  }),
);

/** Stops the time in escrow of all sales of a seller that is suspended. Orders wait for their shipment as before. */
export function holdSalesOf(sellerId: string, at: IsoTime): Statement {
  return holdAll({ sellerId, at });
}

const liftAll = write((p: Params<{ sellerId: string; at: IsoTime }>) => {
  const held = build
    .select({ id: purchases.id })
    .from(purchases)
    .where(and(eq(purchases.sellerId, p.sellerId), eq(purchases.status, 'held')));
  return build
    .update(operatorHolds)
    .set({ liftedAt: p.at })
    .where(
      and(
        eq(operatorHolds.bySuspension, true),
        isNull(operatorHolds.liftedAt),
        inArray(operatorHolds.purchaseId, held),
      ),
    );
});

/** Lets the time in escrow go on with the end of the suspension; what an operator held by itself stays so. */
export function releaseSalesOf(sellerId: string, at: IsoTime): Statement {
  return liftAll({ sellerId, at });
}
