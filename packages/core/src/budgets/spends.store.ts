import { and, eq, exists, gt, inArray, lte, or, sql } from 'drizzle-orm';
import { build } from '../db/build.ts';
import { insertFrom } from '../db/insert-from.ts';
import { insertInto } from '../db/insert-into.ts';
import { type Params, write } from '../db/query.ts';
import { spendLineages, spendPolicies, spends, spendWindows } from '../db/tables/budgets.ts';
import { guards } from '../db/tables/idempotency.ts';
import { purchases } from '../db/tables/purchases.ts';
import { offers } from '../db/tables/sales.ts';
import { type Database, guardOf, type Statement } from '../kernel/ports/database.ts';
import type { SpendPeriod, SpendPolicy } from '../kernel/spend-policy.ts';
import { type EpochMs, epochOf, type IsoTime } from '../kernel/time.ts';
import { windowsAt } from './windows.rules.ts';

/** A purchase as it begins, or an offer. */
export interface Committed {
  readonly id: string;
  readonly amountCents: number;
  readonly createdAt: IsoTime;
}

const usedCents = sql`${spendWindows.reservedCents} + ${spendWindows.spentCents}`;

const LIMITS = {
  day: spendPolicies.perDayCents,
  week: spendPolicies.perWeekCents,
  month: spendPolicies.perMonthCents,
  total: spendPolicies.totalCents,
} as const;

const requireRoom = write(
  (p: Params<{ policyId: string; cents: number; day: string; week: string; month: string }>) => {
    const startsOn = { day: p.day, week: p.week, month: p.month, total: '' } as const;
    const periods = Object.keys(LIMITS) as SpendPeriod[];
    const isCurrent = (period: SpendPeriod) =>
      and(eq(spendWindows.period, period), eq(spendWindows.startsOn, startsOn[period]));
    const limit = sql`CASE ${spendWindows.period} ${sql.join(
      periods.map((period) => sql`WHEN ${period} THEN ${LIMITS[period]}`),
      sql` `,
    )} END`;
    // The spend is counted already: a refusal tells what was left without it.
    const left = sql`MAX(0, ${limit} - (${usedCents}) + CAST(${p.cents} AS INTEGER))`;
    const name = sql`'budget_' || ${spendWindows.period} || '_' || ${limit} || '_' || ${left}`;
    return insertFrom(guards, { name }, (select) =>
      select
        .from(spendLineages)
        .innerJoin(spendPolicies, eq(spendPolicies.id, spendLineages.ancestorId))
        .innerJoin(spendWindows, eq(spendWindows.policyId, spendLineages.ancestorId))
        .where(
          and(eq(spendLineages.policyId, p.policyId), or(...periods.map(isCurrent)), gt(usedCents, limit)),
        )
        .limit(1),
    );
  },
);

/**
 * Counts a commitment in the windows of its moment, of the key's policy and of all above it; aborts where one of them
 * has no room, unless its money is spent already. To be written in one transaction with what is committed to, whose status
 * a trigger follows from then on.
 */
export function commitBudget(
  { id, amountCents: cents, createdAt: committedAt }: Committed,
  [policy]: readonly SpendPolicy[],
  { isSpent = false } = {},
): Statement[] {
  if (policy === undefined || cents === 0) return [];
  const policyId = policy.id;
  const [day, week, month] = windowsAt(epochOf(committedAt)).map(({ startsOn }) => startsOn);
  if (day === undefined || week === undefined || month === undefined) throw new Error('A window is missing.');
  return [
    insertInto(spends, { id, policyId, cents, committedAt, state: 'reserved' }),
    ...(isSpent ? [] : [requireRoom({ policyId, cents, day, week, month })]),
  ];
}

/** The same, read beforehand: nothing is committed to by it. */
const fullWindow = write(
  (p: Params<{ policyId: string; cents: number; day: string; week: string; month: string }>) => {
    const limitOfPeriod = sql`CASE period ${sql.join(
      (Object.keys(LIMITS) as SpendPeriod[]).map((period) => sql`WHEN ${period} THEN ${LIMITS[period]}`),
      sql` `,
    )} END`;
    return sql`WITH current (period, starts_on) AS
      (VALUES ('day', ${p.day}), ('week', ${p.week}), ('month', ${p.month}), ('total', ''))
    SELECT period, limit_cents AS limitCents, MAX(0, limit_cents - used_cents) AS leftCents FROM (
      SELECT period, ${limitOfPeriod} AS limit_cents, COALESCE((SELECT ${usedCents} FROM ${spendWindows}
        WHERE ${spendWindows.policyId} = ${spendPolicies.id} AND ${spendWindows.period} = current.period
          AND ${spendWindows.startsOn} = current.starts_on), 0) AS used_cents
      FROM ${spendLineages} JOIN ${spendPolicies} ON ${spendPolicies.id} = ${spendLineages.ancestorId} CROSS JOIN current
      WHERE ${spendLineages.policyId} = ${p.policyId}
    ) WHERE used_cents + CAST(${p.cents} AS INTEGER) > limit_cents LIMIT 1`;
  },
);

/** Which limit has no room for so much now; null: all have. */
export async function findFullWindow(
  market: Database,
  [policy]: readonly SpendPolicy[],
  cents: number,
  now: EpochMs,
): Promise<SpentLimit | null> {
  if (policy === undefined) return null;
  const [day = '', week = '', month = ''] = windowsAt(now).map(({ startsOn }) => startsOn);
  const [full] = await market.all<SpentLimit>(fullWindow({ policyId: policy.id, cents, day, week, month }));
  return full ?? null;
}

const GUARD = /^budget_(day|week|month|total)_(\d+)_(\d+)$/;

export interface SpentLimit {
  readonly period: SpendPeriod;
  readonly limitCents: number;
  readonly leftCents: number;
}

/** Which limit had no room; null: another reason, or none. */
export function spentLimit(error: unknown): SpentLimit | null {
  const [, period, limit, left] = GUARD.exec(guardOf(error) ?? '') ?? [];
  if (period === undefined) return null;
  return { period: period as SpendPeriod, limitCents: Number(limit), leftCents: Number(left) };
}

const pass = write((p: Params<{ offerId: string; purchaseId: string }>) => {
  const ended = build
    .select({ id: purchases.id })
    .from(purchases)
    .where(and(eq(purchases.id, p.purchaseId), inArray(purchases.status, ['failed', 'expired', 'refunded'])));
  return build
    .update(spends)
    .set({
      id: p.purchaseId,
      // The purchase may be over already: nobody would return it then.
      state: sql`CASE WHEN ${exists(ended)} THEN 'returned' ELSE ${spends.state} END`,
    })
    .where(eq(spends.id, p.offerId));
});

/** What an offer committed its buyer to is the purchase's from now on, in the windows in which it was made. */
export function passBudgetOn(offerId: string, purchaseId: string): Statement {
  return pass({ offerId, purchaseId });
}

const returnExpired = write((p: Params<{ now: IsoTime }>) => {
  const expired = build
    .select({ id: offers.id })
    .from(offers)
    .where(and(eq(offers.status, 'open'), lte(offers.expiresAt, p.now)));
  return build
    .update(spends)
    .set({ state: 'returned' })
    .where(and(eq(spends.state, 'reserved'), inArray(spends.id, expired)));
});

/** An offer ends by the clock, without anybody writing it down: what it reserved is free again. */
export function returnExpiredOffers(now: IsoTime): Statement {
  return returnExpired({ now });
}
