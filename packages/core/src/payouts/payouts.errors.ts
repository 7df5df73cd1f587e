import { defineErrors, Refusal } from '../kernel/errors.ts';
import type { IsoTime } from '../kernel/time.ts';

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
  payout_change_pending: {
    kind: 'conflict',
    title: 'Another change of where you are paid is under way.',
    remedy: 'Wait until it takes effect, or cancel it with POST /sell/payouts/changes/{id}/cancel.',
  },
  payout_changes_frozen: {
    kind: 'conflict',
    title: 'A change of where you are paid was cancelled, so nothing can be changed for 7 days.',
    remedy:
      'Wait until the time that `detail` names. If it was not you who cancelled, write to the operator.',
  },
  payout_change_not_found: {
    kind: 'not_found',
    title: 'No change of payouts has this id, or the link to it is incomplete.',
    remedy:
      'Open the whole link of the mail. GET /sell/me lists those that are pending in `payouts.changes`.',
  },
  payout_change_not_yours: {
    kind: 'forbidden',
    title: 'Only the seller can cancel this change.',
    remedy:
      "Send the seller's API key, the `token` of the link in the mail to the seller, or the signature of the wallet that " +
      'was paid before over the `message` of the change.',
  },
  payout_change_over: {
    kind: 'conflict',
    title: 'This change has taken effect and cannot be cancelled any more.',
    remedy: 'Ask for another change. What fell due before this one took effect is paid as before.',
  },
  no_payout_wallet: {
    kind: 'conflict',
    title: 'No wallet is bound, so nothing is paid to you in USDC.',
    remedy: 'Bind one first: POST /sell/payout-wallet/challenge.',
  },
  payout_wallet_not_signed: {
    kind: 'unprocessable',
    title: 'The signature is not of this account over the message of the challenge.',
    remedy: 'Have the account sign the exact `message` of the challenge (EIP-191), and send the signature.',
  },
});

/** The refusal of a change while changes are frozen. */
export function changesFrozen(until: IsoTime): Refusal {
  return new Refusal(payoutErrors.payout_changes_frozen, {
    detail: `Nothing can be changed until ${until}.`,
  });
}
