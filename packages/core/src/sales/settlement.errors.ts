import { defineErrors } from '../kernel/errors.ts';

const RESEND =
  'Send the same request with the same payment again after `Retry-After`. Do not sign another payment: this one may be settled already.';

/** Of rails whose capture may take longer than a request, and cannot be undone. */
export const settlementErrors = defineErrors({
  settlement_pending: {
    kind: 'unavailable',
    title: 'It is not known yet whether the payment is settled on chain.',
    remedy: RESEND,
    retryable: true,
  },
  paid_not_delivered: {
    kind: 'unavailable',
    title: 'The payment is settled, and the seller did not deliver this time.',
    remedy:
      'Send the same request with the same payment again after `Retry-After`. Do not sign another payment: this one is ' +
      'paid, and stays good for a day.',
    retryable: true,
  },
  payment_in_progress: {
    kind: 'conflict',
    title: 'Another request with this payment is being worked on.',
    remedy: 'Wait for the seconds in `Retry-After` and send the same request with the same payment again.',
    retryable: true,
    mayStillBeCharged: true,
  },
});
