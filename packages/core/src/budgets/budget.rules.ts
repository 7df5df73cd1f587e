import type { SpendPolicy } from '../kernel/spend-policy.ts';
import type { IsoTime } from '../kernel/time.ts';
import { lowest } from './policy.rules.ts';
import { limitOf, type SpendWindow } from './windows.rules.ts';

export interface WindowUse {
  readonly policyId: string;
  readonly period: SpendWindow['period'];
  readonly reservedCents: number;
  readonly spentCents: number;
}

export interface BudgetWindow {
  readonly endsAt: IsoTime | null;
  /** What may still be spent, by this policy and all above it; null: without limit. */
  readonly leftCents: number | null;
  /** Of the policy itself. */
  readonly limitCents: number | null;
  readonly period: SpendWindow['period'];
  readonly reservedCents: number;
  readonly spentCents: number;
  readonly startsOn: string | null;
}

/** How a policy (the first) and those above it stand in the windows of a moment. */
export function budgetWindows(
  lineage: readonly SpendPolicy[],
  uses: readonly WindowUse[],
  windows: readonly SpendWindow[],
): BudgetWindow[] {
  const [own] = lineage;
  return windows.map(({ period, startsOn, endsAt }) => {
    const useOf = ({ id }: SpendPolicy) =>
      uses.find((use) => use.policyId === id && use.period === period) ?? { reservedCents: 0, spentCents: 0 };
    const lefts = lineage.map((policy) => {
      const limitCents = limitOf(policy, period);
      const { reservedCents, spentCents } = useOf(policy);
      // A limit may have been lowered below what was spent.
      return limitCents === null ? null : Math.max(0, limitCents - reservedCents - spentCents);
    });
    const { reservedCents, spentCents } = own ? useOf(own) : { reservedCents: 0, spentCents: 0 };
    return {
      endsAt,
      leftCents: lowest(lefts),
      limitCents: own ? limitOf(own, period) : null,
      period,
      reservedCents,
      spentCents,
      startsOn: startsOn === '' ? null : startsOn,
    };
  });
}
