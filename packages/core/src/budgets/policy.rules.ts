import type { SpendPolicy } from '../kernel/spend-policy.ts';

/** The limits of a policy, without which it is and since when. */
export type SpendLimits = Omit<SpendPolicy, 'id' | 'changedAt'>;

export const NO_LIMITS: SpendLimits = {
  perPurchaseCents: null,
  perDayCents: null,
  perWeekCents: null,
  perMonthCents: null,
  totalCents: null,
  approvalAboveCents: null,
  sellers: null,
  verticals: null,
  rails: null,
};

const AMOUNTS = [
  'perPurchaseCents',
  'perDayCents',
  'perWeekCents',
  'perMonthCents',
  'totalCents',
  'approvalAboveCents',
] as const satisfies (keyof SpendLimits)[];
const LISTS = ['sellers', 'verticals', 'rails'] as const satisfies (keyof SpendLimits)[];

/** What a key is about to commit itself to. */
export interface Commitment {
  readonly sellerId: string;
  readonly verticalSlug: string;
  /** Null: not known yet. */
  readonly rail: string | null;
  readonly amountCents: number;
}

export type PolicyFault =
  | { readonly kind: 'seller' | 'vertical' | 'rail' }
  | { readonly kind: 'price'; readonly limitCents: number };

/**
 * Why a commitment is against one of the policies, the key's own or one above it; null: it is not. What is free moves no
 * money: only its seller and its vertical count.
 */
export function policyFault(policies: readonly SpendPolicy[], commitment: Commitment): PolicyFault | null {
  const { sellerId, verticalSlug, rail, amountCents } = commitment;
  if (!isAllowed(policies, 'sellers', sellerId)) return { kind: 'seller' };
  if (!isAllowed(policies, 'verticals', verticalSlug)) return { kind: 'vertical' };
  if (amountCents === 0) return null;
  if (rail !== null && !isAllowed(policies, 'rails', rail)) return { kind: 'rail' };
  const limitCents = lowest(policies.map(({ perPurchaseCents }) => perPurchaseCents));
  return limitCents !== null && amountCents > limitCents ? { kind: 'price', limitCents } : null;
}

/** Whether every policy allows the name. */
export function isAllowed(
  policies: readonly SpendPolicy[],
  list: 'sellers' | 'verticals' | 'rails',
  name: string,
): boolean {
  return policies.every((policy) => policy[list]?.includes(name) ?? true);
}

/** Whether a person has to approve what costs so much. */
export function needsApproval(policies: readonly SpendPolicy[], amountCents: number): boolean {
  const above = lowest(policies.map(({ approvalAboveCents }) => approvalAboveCents));
  return amountCents > 0 && above !== null && amountCents > above;
}

/** The lowest of those that are limits; null: none is. */
export function lowest(limits: readonly (number | null)[]): number | null {
  const known = limits.filter((limit) => limit !== null);
  return known.length === 0 ? null : Math.min(...known);
}

/** The limits of a policy below another that are wider than that one's, by name: they would promise what does not hold. */
export function widerThan(limits: SpendLimits, above: SpendLimits): readonly (keyof SpendLimits)[] {
  const amounts = AMOUNTS.filter((name) => {
    const [limit, bound] = [limits[name], above[name]];
    return limit !== null && bound !== null && limit > bound;
  });
  const lists = LISTS.filter((name) => {
    const bound = above[name];
    return bound !== null && (limits[name] ?? []).some((one) => !bound.includes(one));
  });
  return [...amounts, ...lists];
}

/** From the narrowest to the widest: none can be used up that is above a wider one. */
const NESTED = ['perPurchaseCents', 'perDayCents', 'perWeekCents', 'perMonthCents', 'totalCents'] as const;

export interface Contradiction {
  readonly limit: keyof SpendLimits;
  readonly exceeds: keyof SpendLimits;
}

/** A limit that can never be reached because another ends it first: whoever set it meant something else. Null: none. */
export function contradictionIn(limits: SpendLimits): Contradiction | null {
  const pairs = NESTED.flatMap((limit, at) => NESTED.slice(at + 1).map((exceeds) => ({ limit, exceeds })));
  // No purchase that a limit allows would ever wait for a person.
  const approvals = NESTED.map((exceeds) => ({ limit: 'approvalAboveCents', exceeds }) as const);
  const all = [...pairs, ...approvals];
  return (
    all.find(({ limit, exceeds }) => {
      const [one, other] = [limits[limit], limits[exceeds]];
      return one !== null && other !== null && one > other;
    }) ?? null
  );
}
