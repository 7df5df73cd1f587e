/** What the keys of an agent may spend: policies, the windows in which spending counts, and their guard. */
export { boundKeyErrors, budgetErrors, fundingErrors } from './budgets.errors.ts';
export { changePolicy, insertPolicy, lineageOf, readLineage } from './policies.store.ts';
export { isAllowed, NO_LIMITS, needsApproval, type SpendLimits } from './policy.rules.ts';
export { mergeLimits, policyInput, policyView } from './policy.schema.ts';
export {
  budgetRefusal,
  requireRoomInBudget,
  requireUnbounded,
  requireWithinPolicy,
} from './require-within-policy.ts';
export { requireSensible, requireTighter, viewBudget } from './set-policy.ts';
export { commitBudget, passBudgetOn, returnExpiredOffers } from './spends.store.ts';
export { windowOf } from './windows.rules.ts';
