import { eq, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { build } from '../db/build.ts';
import { insertInto } from '../db/insert-into.ts';
import { type Params, query } from '../db/query.ts';
import { spendPolicies, spends } from '../db/tables/budgets.ts';
import type { Database, Statement } from '../kernel/ports/database.ts';
import type { SpendPolicy } from '../kernel/spend-policy.ts';

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

const ofOffer = query((p: Params<{ offerId: string }>) =>
  build
    .select({ policies: lineageOf(spends.policyId) })
    .from(spends)
    .where(eq(spends.id, p.offerId)),
);

/** The policies of the key that made an offer, as they are now; none where it was not bounded. */
export async function readOfferPolicies(market: Database, offerId: string): Promise<readonly SpendPolicy[]> {
  return (await ofOffer.first(market, { offerId }))?.policies ?? [];
}

export function insertPolicy(policy: PolicyRow): Statement {
  return insertInto(spendPolicies, policy);
}
