/** Where sellers are paid: their accounts at the card processor, or their wallets on chain, and changes of that. */

export { accountStatements } from './account-statements.ts';
export { announcePayoutChanges } from './announce-payout-changes.ts';
export { cancelPageOf, isCancelToken } from './cancel-link.ts';
export {
  findByAccountId,
  findPayoutAccount,
  isAccountGone,
  listAccountsToCheck,
  type PayoutAccount,
  setAccountChecked,
  wasEnabledBefore,
} from './payout-accounts.store.ts';
export { CHALLENGE_MS, cancelMessage, challengeMessage, NONCE_BYTES } from './payout-challenge.rules.ts';
export {
  chooseDestination,
  DEFAULT_CHANGE_HOURS,
  type Destination,
  freezeEnds,
  frozenUntil,
  stateOfChange,
} from './payout-change.rules.ts';
export {
  type CurrentChanges,
  cancelChange,
  findCurrentChanges,
  findPayoutChange,
  findPayoutRoutes,
  isNotChangeable,
  isOver,
  type PayoutChange,
  type SellerRoutes,
} from './payout-changes.store.ts';
export { cancelNotice } from './payout-notice.rules.ts';
export {
  bearsGas,
  deleteEndedChallenges,
  findChallenge,
  hasNoPayoutWallet,
  insertChallenge,
  isChallengeSpent,
  isWalletOfSeller,
  type PayoutWallet,
  setBearsGas,
} from './payout-wallets.store.ts';
export { payoutErrors } from './payouts.errors.ts';
export { planWalletBinding, type WalletBinding } from './plan-wallet-binding.ts';
export { type Onboarding, startOnboarding } from './start-onboarding.ts';
export { addTaxDetails, setTaxDetails, type TaxDetails } from './tax-details.store.ts';
