import { defineErrors } from '../../kernel/errors.ts';

export const emailErrors = defineErrors({
  email_link_not_found: {
    kind: 'not_found',
    title: 'This link is unknown, was used, or has expired.',
    remedy: 'Ask for another with PATCH /agents/me and `email`.',
  },
  recovery_not_found: {
    kind: 'not_found',
    title: 'This link is unknown or has expired.',
    remedy: 'Ask for another with POST /agents/recovery.',
  },
  recovery_over: {
    kind: 'conflict',
    title: 'This recovery was cancelled or has ended.',
    remedy: 'Ask for another with POST /agents/recovery.',
  },
  recovery_delayed: {
    kind: 'conflict',
    title: 'The new key is not given yet.',
    remedy: 'Wait for the seconds in `Retry-After`. Any key of the account can cancel until then.',
    retryable: true,
  },
});
