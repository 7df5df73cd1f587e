import { AMOUNTS_AND_TIMES } from './amounts.data.ts';
import { BEFORE_PAYOUTS } from './before-payouts.data.ts';
import { CALLS } from './calls.data.ts';
import { GIVE_BACK } from './give-back.data.ts';
import { GUARDS_DROPPED } from './guards.data.ts';
import type { Mutant } from './mutant.ts';
import { OPERATOR } from './operator.data.ts';
import { PAID_QUERIES } from './paid-queries.data.ts';
import { PAYOUTS } from './payouts.data.ts';
import { CLAIM_RECOVERIES } from './recoveries.data.ts';
import { SUBSIDIES } from './subsidies.data.ts';
import { TAB_MUTANTS } from './tabs.data.ts';

export const MUTANTS: readonly Mutant[] = [
  ...GUARDS_DROPPED,
  ...CALLS,
  ...AMOUNTS_AND_TIMES,
  ...PAYOUTS,
  ...OPERATOR,
  ...BEFORE_PAYOUTS,
  ...SUBSIDIES,
  ...CLAIM_RECOVERIES,
  ...GIVE_BACK,
  ...TAB_MUTANTS,
  ...PAID_QUERIES,
];
