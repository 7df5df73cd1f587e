import { defineErrors } from '../kernel/errors.ts';

export const subsidyErrors = defineErrors({
  subsidy_spent: {
    kind: 'rate_limited',
    title: 'This way to pay costs the marketplace more than its fee, and it bears no more of that for now.',
    remedy: 'Nothing was charged. Pay in another way, or after `Retry-After`.',
    retryable: true,
  },
  cost_not_borne: {
    kind: 'payment_required',
    title: 'This way to pay costs the marketplace more at this price than it ever bears beyond its fee.',
    remedy: 'Nothing was charged. Pay in another way.',
  },
});
