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
});
