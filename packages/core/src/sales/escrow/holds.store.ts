import { and, eq, exists, isNull, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { build } from '../../db/build.ts';
import { isGuard } from '../../db/constraint.ts';
import { guardOneChange } from '../../db/guard.ts';
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

const hold = write(
  (p: Params<{ id: string; at: IsoTime }>) => sql`INSERT INTO ${operatorHolds} (purchase_id, held_at)
    SELECT id, ${p.at} FROM ${purchases} WHERE id = ${p.id} AND status = 'held'
    ON CONFLICT (purchase_id) DO UPDATE SET lifted_at = NULL, by_suspension = 0,
      held_at = CASE WHEN lifted_at IS NULL THEN held_at ELSE excluded.held_at END
      WHERE lifted_at IS NOT NULL OR by_suspension = 1`,
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
