import { defineErrors } from '../kernel/errors.ts';

export const payoutErrors = defineErrors({
  country_not_served: {
    kind: 'invalid',
    title: 'The card processor does not pay sellers in this country.',
    remedy: 'Bind a USDC payout wallet instead: POST /sell/payout-wallet/challenge.',
  },
  payouts_not_available: {
    kind: 'unavailable',
    title: 'Card payouts cannot be connected now.',
    remedy: 'Wait for the seconds in `Retry-After` and try again. Free listings need no payouts.',
    retryable: true,
  },
  usdc_payouts_not_available: {
    kind: 'unavailable',
    title: 'Payouts in USDC cannot be set up now.',
    remedy: 'Wait for the seconds in `Retry-After` and try again. Free listings need no payouts.',
    retryable: true,
  },
  payout_wallet_not_usable: {
    kind: 'invalid',
    title: 'This address cannot be paid.',
    remedy:
      'Give an account of your own that can hold USDC on Base: not the zero address, the token or the marketplace.',
  },
  payout_challenge_ended: {
    kind: 'conflict',
    title: 'This challenge is unknown, used or expired.',
    remedy: 'Ask for a fresh one with POST /sell/payout-wallet/challenge; each is good once, for 10 minutes.',
  },
  payout_wallet_not_signed: {
    kind: 'unprocessable',
    title: 'The signature is not of this account over the message of the challenge.',
    remedy: 'Have the account sign the exact `message` of the challenge (EIP-191), and send the signature.',
  },
});
