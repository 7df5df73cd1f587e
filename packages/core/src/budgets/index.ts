/** What the keys of an agent may spend: policies, the windows in which spending counts, and their guard. */
export { boundKeyErrors, budgetErrors } from './budgets.errors.ts';
export { insertPolicy, lineageOf, readOfferPolicies } from './policies.store.ts';
export { isAllowed } from './policy.rules.ts';
export { budgetRefusal, requireUnbounded, requireWithinPolicy } from './require-within-policy.ts';
export { commitBudget, passBudgetOn, returnExpiredOffers } from './spends.store.ts';
export { windowOf } from './windows.rules.ts';
