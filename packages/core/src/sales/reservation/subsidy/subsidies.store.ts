import { and, eq, gte, lte, type SQL, sql } from 'drizzle-orm';
import { asInteger, build } from '../../../db/build.ts';
import { isGuard } from '../../../db/constraint.ts';
import { insertInto } from '../../../db/insert-into.ts';
import { type Params, write } from '../../../db/query.ts';
import { subsidies, subsidyTotals } from '../../../db/tables/sales.ts';
import type { Statement } from '../../../kernel/ports/database.ts';
import type { SubsidyLimit, SubsidyPeriod } from './subsidy.rules.ts';

const PERIODS: readonly SubsidyPeriod[] = ['day', 'month'];
const guardOf = (period: SubsidyPeriod): string => `subsidy_spent_${period}`;

/** Whose budget has no room left; null: another reason, or none. */
export function spentPeriod(error: unknown): SubsidyPeriod | null {
  return PERIODS.find((period) => isGuard(error, guardOf(period))) ?? null;
}

interface Room {
  readonly name: string;
  readonly scope: string;
  readonly since: string;
  readonly day: string;
  readonly cents: number;
  readonly limitCents: number;
}

const requireRoom = write((p: Params<Room>): SQL => {
  const spent = build
    .select({ cents: sql`COALESCE(SUM(${subsidyTotals.cents}), 0)` })
    .from(subsidyTotals)
    .where(
      and(eq(subsidyTotals.scope, p.scope), gte(subsidyTotals.day, p.since), lte(subsidyTotals.day, p.day)),
    );
  return sql`INSERT INTO guards (name) SELECT ${p.name}
    WHERE ${spent} + ${asInteger(p.cents)} > ${asInteger(p.limitCents)}`;
});

/** Aborts where no more of a budget may be spent up to this day. */
export function requireRoomIn(
  { period, scope, since, limitCents }: SubsidyLimit,
  spent: { readonly day: string; readonly cents: number },
): Statement {
  return requireRoom({ name: guardOf(period), scope, since, limitCents, ...spent });
}

export function insertSubsidy(row: typeof subsidies.$inferInsert): Statement {
  return insertInto(subsidies, row);
}

const deleteOf = write((p: Params<{ purchaseId: string }>) =>
  build.delete(subsidies).where(eq(subsidies.purchaseId, p.purchaseId)),
);

export function deleteSubsidies(purchaseId: string): Statement {
  return deleteOf({ purchaseId });
}
