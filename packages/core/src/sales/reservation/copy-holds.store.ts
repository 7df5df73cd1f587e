import { and, count, eq, gt, lte, or, sql } from 'drizzle-orm';
import { asBoolean, asInteger, build } from '../../db/build.ts';
import { isGuard } from '../../db/constraint.ts';
import { abortWhere } from '../../db/guard.ts';
import { insertInto } from '../../db/insert-into.ts';
import { type Params, query, write } from '../../db/query.ts';
import { purchases } from '../../db/tables/purchases.ts';
import { copyHolds, payments } from '../../db/tables/sales.ts';
import type { Database, Statement } from '../../kernel/ports/database.ts';
import type { IsoTime } from '../../kernel/time.ts';
import type { CopyHold } from './copy-holds.rules.ts';

export interface HoldOwner {
  readonly buyerId: string | null;
  readonly instrument: string | null;
}

const HOLDS_UNCHANGED = 'copy_holds_unchanged';

const holdsOf = (p: Params<HoldOwner & { since: IsoTime }>) => {
  const isLapsed = eq(purchases.status, 'expired');
  return build
    .select({ heldUntil: copyHolds.heldUntil, isLapsed: asBoolean(isLapsed) })
    .from(copyHolds)
    .innerJoin(purchases, eq(purchases.id, copyHolds.purchaseId))
    .innerJoin(payments, eq(payments.purchaseId, copyHolds.purchaseId))
    .where(
      and(
        or(eq(copyHolds.buyerId, p.buyerId), eq(copyHolds.instrument, p.instrument)),
        gt(copyHolds.heldUntil, p.since),
        // A seller that was asked and did not deliver is no fault of the buyer.
        or(eq(purchases.status, 'authorized'), and(isLapsed, sql`${payments.failedCollections} = '[]'`)),
      ),
    );
};

const holds = query(holdsOf);

/** What is held for this buyer or card, and what they let lapse. */
export function readCopyHolds(market: Database, owner: HoldOwner, since: IsoTime): Promise<CopyHold[]> {
  return holds.all(market, { ...owner, since });
}

const requireUnchanged = write((p: Params<HoldOwner & { since: IsoTime; known: number }>) => {
  const held = build.select({ count: count() }).from(holdsOf(p).as('holds'));
  return abortWhere(HOLDS_UNCHANGED, sql`${held} <> ${asInteger(p.known)}`);
});

/** Holds a copy, unless there are other holds by now than those it was judged by. */
export function insertCopyHold(
  hold: HoldOwner & { readonly purchaseId: string; readonly heldUntil: IsoTime },
  since: IsoTime,
  known: readonly CopyHold[],
): Statement[] {
  const { buyerId, instrument } = hold;
  return [requireUnchanged({ buyerId, instrument, since, known: known.length }), insertInto(copyHolds, hold)];
}

/** Of one run: the next one goes on. */
const PAGE = 500;

const deleteUntil = write((p: Params<{ until: IsoTime }>) => {
  const ended = build
    .select({ id: copyHolds.purchaseId })
    .from(copyHolds)
    .where(lte(copyHolds.heldUntil, p.until))
    .limit(PAGE);
  return build.delete(copyHolds).where(sql`${copyHolds.purchaseId} IN ${ended}`);
});

/** Deletes holds that ended by then. */
export const deleteCopyHolds = (until: IsoTime): Statement => deleteUntil({ until });

export const isHoldConflict = (error: unknown): boolean => isGuard(error, HOLDS_UNCHANGED);
