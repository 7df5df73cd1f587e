/** Where sellers are paid: their accounts at the card processor, or their wallets on chain. */
export {
  findByAccountId,
  findPayoutAccount,
  type PayoutAccount,
  saveAccountState,
} from './payout-accounts.store.ts';
export {
  CHALLENGE_MS,
  challengeMessage,
  NONCE_BYTES,
} from './payout-challenge.rules.ts';
export {
  bindWallet,
  deleteEndedChallenges,
  findChallenge,
  findPayoutWallet,
  findPayoutWallets,
  insertChallenge,
  isChallengeSpent,
  isWalletOfSeller,
  type PayoutWallet,
} from './payout-wallets.store.ts';
export { payoutErrors } from './payouts.errors.ts';
export { type Onboarding, startOnboarding } from './start-onboarding.ts';
