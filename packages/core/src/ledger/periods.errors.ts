import { defineErrors } from '../kernel/errors.ts';

export const periodErrors = defineErrors({
  period_not_found: {
    kind: 'not_found',
    title: 'The ledger has no such month, or it is not over yet.',
    remedy: 'List the months with GET /admin/periods. A month is there an hour after it ended, in UTC.',
  },
  records_ended: {
    kind: 'gone',
    title: 'The records of this time have ended.',
    remedy:
      'Nothing brings them back: records of money are kept for the years that the operator states, and what was taken out of ' +
      'the marketplace before is still valid.',
  },
  period_already_closed: {
    kind: 'conflict',
    title: 'This month is closed.',
    remedy:
      'Nothing: a closed month stays as it is. What is corrected later is posted in the month of the correction.',
  },
  period_not_reconciled: {
    kind: 'conflict',
    title: 'The reconciliation has findings, or was not read to the end of the month outside.',
    remedy:
      'Look at GET /admin/reconciliation: wait until each of `objects.readings` is up to date, mend what is found, or close ' +
      'with `note`, which says why it may stand.',
  },
});
