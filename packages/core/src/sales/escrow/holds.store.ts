import { and, eq, exists, isNull, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { build } from '../../db/build.ts';
import { isGuard } from '../../db/constraint.ts';
import { guardOneChange } from '../../db/guard.ts';
import { insertFrom } from '../../db/insert-from.ts';
import { type Params, write } from '../../db/query.ts';
import { purchases } from '../../db/tables/purchases.ts';
import { operatorHolds } from '../../db/tables/sales.ts';
import type { Statement } from '../../kernel/ports/database.ts';
import type { IsoTime } from '../../kernel/time.ts';

/** As a condition of a statement: the operator holds the sale. */
export function isHeldByOperator(purchaseId: SQLWrapper): SQL {
  const notLifted = and(eq(operatorHolds.purchaseId, purchaseId), isNull(operatorHolds.liftedAt));
  return exists(build.select({ id: operatorHolds.purchaseId }).from(operatorHolds).where(notLifted));
}

const hold = write((p: Params<{ id: string; at: IsoTime }>) =>
  insertFrom(operatorHolds, { purchaseId: purchases.id, heldAt: p.at }, (select) =>
    select.from(purchases).where(and(eq(purchases.id, p.id), eq(purchases.status, 'held'))),
  ).onConflictDoUpdate({
    target: operatorHolds.purchaseId,
    set: {
      liftedAt: null,
      bySuspension: false,
      heldAt: sql`CASE WHEN ${operatorHolds.liftedAt} IS NULL THEN ${operatorHolds.heldAt} ELSE excluded.held_at END`,
    },
    setWhere: sql`${operatorHolds.liftedAt} IS NOT NULL OR ${operatorHolds.bySuspension} = 1`,
  }),
);

/** Stops the time in escrow, whatever it shows: only while the money is in escrow, and no operator holds it already. One that a suspension holds stays so when that ends. */
export function holdSale(id: string, at: IsoTime): Statement[] {
  return [hold({ id, at }), guardOneChange('purchase_held')];
}

const lift = write((p: Params<{ id: string; at: IsoTime }>) =>
  build
    .update(operatorHolds)
    .set({ liftedAt: p.at })
    .where(and(eq(operatorHolds.purchaseId, p.id), isNull(operatorHolds.liftedAt))),
);

/** The hold is over, if there was one. */
export function liftHold(id: string, at: IsoTime): Statement {
  return lift({ id, at });
}

/** The same; aborts where the sale is not held. */
export function liftKnownHold(id: string, at: IsoTime): Statement[] {
  return [lift({ id, at }), guardOneChange('operator_hold')];
}

export const isNotHeld = (error: unknown): boolean => isGuard(error, 'operator_hold');
