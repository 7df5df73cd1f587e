import { Refusal } from '../kernel/errors.ts';
import type { Database } from '../kernel/ports/database.ts';
import type { SpendPolicy } from '../kernel/spend-policy.ts';
import type { EpochMs } from '../kernel/time.ts';
import { isoTime } from '../kernel/time.ts';
import { budgetErrors, fundingErrors } from './budgets.errors.ts';
import { type Commitment, policyFault } from './policy.rules.ts';
import { findFullWindow, type SpentLimit, spentLimit } from './spends.store.ts';
import { windowOf } from './windows.rules.ts';

const ERRORS = {
  seller: budgetErrors.seller_not_allowed,
  vertical: budgetErrors.vertical_not_allowed,
  rail: budgetErrors.rail_not_allowed,
} as const;

/** Refuses a key with a budget where money is brought in: its owner decides how much there is to spend. */
export function requireUnbounded({ policies }: { readonly policies: readonly SpendPolicy[] }): void {
  if (policies.length > 0) throw new Refusal(fundingErrors.key_is_bounded, { charged: false });
}

/** Refuses what is against the policies of the key that buys. What they leave in total is for `commitBudget`. */
export function requireWithinPolicy(policies: readonly SpendPolicy[], commitment: Commitment): void {
  const fault = policyFault(policies, commitment);
  if (fault === null) return;
  if (fault.kind !== 'price') throw new Refusal(ERRORS[fault.kind], { charged: false });
  const { limitCents } = fault;
  throw new Refusal(budgetErrors.budget_exceeded, {
    charged: false,
    detail: `It costs ${commitment.amountCents} cents; this key may spend ${limitCents} cents for one purchase.`,
    budget: { endsAt: null, leftCents: limitCents, limitCents, period: 'purchase' },
  });
}

/** Why a commitment was not written down, where a budget is the reason; null: it is not. */
export function budgetRefusal(error: unknown, now: EpochMs): Refusal | null {
  const spent = spentLimit(error);
  return spent && refusalOfSpent(spent, now);
}

/** Refuses what the budgets of a key have no room for, before its holder signs anything. A purchase is judged anew. */
export async function requireRoomInBudget(
  market: Database,
  policies: readonly SpendPolicy[],
  amountCents: number,
  now: EpochMs,
): Promise<void> {
  const full = await findFullWindow(market, policies, amountCents, now);
  if (full !== null) throw refusalOfSpent(full, now);
}

function refusalOfSpent({ period, limitCents, leftCents }: SpentLimit, now: EpochMs): Refusal {
  const { endsAt } = windowOf(period, isoTime(now));
  const over = period === 'total' ? 'in total' : `per ${period}`;
  const until = endsAt === null ? '' : ` until ${endsAt}`;
  return new Refusal(budgetErrors.budget_exceeded, {
    charged: false,
    detail: `Of the ${limitCents} cents that this key may spend ${over}, ${leftCents} are left${until}.`,
    budget: { endsAt, leftCents, limitCents, period },
  });
}
