import { VERTICALS } from '../catalogue/index.ts';
import { commonErrors, Refusal } from '../kernel/errors.ts';
import type { Database } from '../kernel/ports/database.ts';
import { PAYMENT_RAILS, type SpendPolicy } from '../kernel/spend-policy.ts';
import { type EpochMs, isoTime } from '../kernel/time.ts';
import { budgetWindows } from './budget.rules.ts';
import { boundKeyErrors } from './budgets.errors.ts';
import { closestNames } from './closest-names.ts';
import { listKnownSellers, readLineage, readUses } from './policies.store.ts';
import { contradictionIn, type SpendLimits, widerThan } from './policy.rules.ts';
import { viewPolicy } from './policy.schema.ts';
import { windowsAt } from './windows.rules.ts';

/** Policies below one another, the first included. */
const MAX_DEPTH = 8;

const KNOWN = { rails: PAYMENT_RAILS, verticals: VERTICALS.map(({ slug }) => slug) } as const;

/** A name that nobody has would forbid everything in silence: it is a misspelt one. */
function unknownNames(limits: SpendLimits, within: string) {
  return (['rails', 'verticals'] as const).flatMap((list) =>
    (limits[list] ?? []).flatMap((name, at) => {
      const known: readonly string[] = KNOWN[list];
      if (known.includes(name)) return [];
      const closest = closestNames(name, known).map((one) => `\`${one}\``);
      const message = `There is no \`${name}\`. The closest: ${closest.join(', ')}.`;
      return [{ path: `${within}${list}.${at}`, message }];
    }),
  );
}

/** As above: ids of agents that sell nothing are mistaken, too. */
async function unknownSellers(market: Database, { sellers }: SpendLimits, within: string) {
  if (!sellers) return [];
  const known = new Set(await listKnownSellers(market, sellers));
  return sellers.flatMap((id, at) =>
    known.has(id) ? [] : [{ path: `${within}sellers.${at}`, message: 'No seller has this id.' }],
  );
}

/**
 * Refuses limits that name what does not exist, contradict each other, or promise more than the policies above allow.
 * `within`: where in the request they stand.
 */
export async function requireSensible(
  market: Database,
  limits: SpendLimits,
  above: readonly SpendPolicy[],
  within = '',
): Promise<void> {
  if (above.length >= MAX_DEPTH) throw new Refusal(boundKeyErrors.policy_too_deep);
  const unknown = [...unknownNames(limits, within), ...(await unknownSellers(market, limits, within))];
  if (unknown.length > 0) throw new Refusal(commonErrors.validation_failed, { fields: unknown });
  const contradiction = contradictionIn(limits);
  if (contradiction !== null) {
    const message = `It is above ${contradiction.exceeds}, which ends it first.`;
    throw new Refusal(commonErrors.validation_failed, {
      fields: [{ path: within + contradiction.limit, message }],
    });
  }
  const wider = [...new Set(above.flatMap((policy) => widerThan(limits, policy)))];
  if (wider.length === 0) return;
  const message = 'It is more than the policy above allows.';
  throw new Refusal(commonErrors.validation_failed, {
    fields: wider.map((path) => ({ path: within + path, message })),
  });
}

/** Refuses what gives back what a policy takes: a key with a budget only tightens those below it. */
export function requireTighter(limits: SpendLimits, current: SpendPolicy): void {
  const isRemoved = Object.entries(limits).some(
    ([name, value]) => value === null && current[name as keyof SpendLimits] !== null,
  );
  if (isRemoved || widerThan(limits, current).length > 0)
    throw new Refusal(boundKeyErrors.policy_would_loosen);
}

/** The limits of a policy and how it stands in the windows of now. */
export async function viewBudget(market: Database, policyId: string | null, now: EpochMs) {
  const windows = windowsAt(now);
  const [lineage, uses] =
    policyId === null
      ? [[], []]
      : await Promise.all([readLineage(market, policyId), readUses(market, policyId, windows)]);
  const [own] = lineage;
  return {
    asOf: isoTime(now),
    policy: own ? viewPolicy(own) : null,
    policyId,
    windows: budgetWindows(lineage, uses, windows),
  };
}
