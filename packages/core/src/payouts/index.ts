/** Where sellers are paid: their accounts at the card processor. */
export {
  findByAccountId,
  findPayoutAccount,
  type PayoutAccount,
  saveAccountState,
} from './payout-accounts.store.ts';
export { payoutErrors } from './payouts.errors.ts';
export { type Onboarding, startOnboarding } from './start-onboarding.ts';
