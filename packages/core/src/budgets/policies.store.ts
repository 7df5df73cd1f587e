import { and, asc, eq, getTableColumns, or, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { build } from '../db/build.ts';
import { insertInto } from '../db/insert-into.ts';
import { type Params, query, toStatement } from '../db/query.ts';
import { sellers } from '../db/tables/agents.ts';
import { spendLineages, spendPolicies, spendWindows } from '../db/tables/budgets.ts';
import type { Database, Statement } from '../kernel/ports/database.ts';
import type { SpendPolicy } from '../kernel/spend-policy.ts';
import type { IsoTime } from '../kernel/time.ts';
import type { WindowUse } from './budget.rules.ts';
import type { SpendLimits } from './policy.rules.ts';
import type { SpendWindow } from './windows.rules.ts';

/** A policy's row. */
export type PolicyRow = typeof spendPolicies.$inferInsert;

/** A policy and those above it, as one JSON text: its own first. Part of the look-up of a key, so that it costs no round trip. */
export function lineageOf(policyId: SQLWrapper): SQL<readonly SpendPolicy[]> {
  return sql`(SELECT json_group_array(json(policy)) FROM (SELECT json_object(
      'id', id, 'perPurchaseCents', per_purchase_cents, 'perDayCents', per_day_cents, 'perWeekCents', per_week_cents,
      'perMonthCents', per_month_cents, 'totalCents', total_cents, 'approvalAboveCents', approval_above_cents,
      'sellers', json(sellers), 'verticals', json(verticals), 'rails', json(rails), 'changedAt', changed_at) AS policy
    FROM spend_lineages JOIN spend_policies ON id = ancestor_id
    WHERE policy_id = ${policyId} ORDER BY depth))`.mapWith(JSON.parse);
}

export function insertPolicy(policy: PolicyRow): Statement {
  return insertInto(spendPolicies, policy);
}

/** New limits, from now on; those that are lower than what is spent stop further spending. */
export function changePolicy(id: string, limits: Partial<SpendLimits>, at: IsoTime): Statement {
  return toStatement(
    build
      .update(spendPolicies)
      .set({ ...limits, changedAt: at })
      .where(eq(spendPolicies.id, id)),
  );
}

const { agentId: _agentId, createdAt: _createdAt, ...POLICY } = getTableColumns(spendPolicies);

const lineage = query((p: Params<{ policyId: string }>) =>
  build
    .select(POLICY)
    .from(spendLineages)
    .innerJoin(spendPolicies, eq(spendPolicies.id, spendLineages.ancestorId))
    .where(eq(spendLineages.policyId, p.policyId))
    .orderBy(asc(spendLineages.depth)),
);

/** The policy with this id, and those above it. */
export function readLineage(market: Database, policyId: string) {
  return lineage.all(market, { policyId });
}

const knownSellers = query((p: Params<{ ids: string }>) =>
  build
    .select({ id: sellers.agentId })
    .from(sellers)
    .where(sql`${sellers.agentId} IN (SELECT value FROM json_each(${p.ids}))`),
);

/** Those of these ids that are sellers'. */
export async function listKnownSellers(market: Database, ids: readonly string[]): Promise<string[]> {
  return (await knownSellers.all(market, { ids: JSON.stringify(ids) })).map(({ id }) => id);
}

const uses = query((p: Params<{ policyId: string; day: string; week: string; month: string }>) =>
  build
    .select({
      policyId: spendWindows.policyId,
      period: spendWindows.period,
      reservedCents: spendWindows.reservedCents,
      spentCents: spendWindows.spentCents,
    })
    .from(spendLineages)
    .innerJoin(spendWindows, eq(spendWindows.policyId, spendLineages.ancestorId))
    .where(
      and(
        eq(spendLineages.policyId, p.policyId),
        or(
          and(eq(spendWindows.period, 'day'), eq(spendWindows.startsOn, p.day)),
          and(eq(spendWindows.period, 'week'), eq(spendWindows.startsOn, p.week)),
          and(eq(spendWindows.period, 'month'), eq(spendWindows.startsOn, p.month)),
          eq(spendWindows.period, 'total'),
        ),
      ),
    ),
);

/** What is used of the present windows of a policy and of those above it. A window without a row is empty. */
export function readUses(
  market: Database,
  policyId: string,
  [day, week, month]: readonly SpendWindow[],
): Promise<WindowUse[]> {
  return uses.all(market, {
    policyId,
    day: day?.startsOn ?? '',
    week: week?.startsOn ?? '',
    month: month?.startsOn ?? '',
  });
}
