import { defineErrors } from '../kernel/errors.ts';

export const demandErrors = defineErrors({
  affiliated_receipt_not_found: {
    kind: 'not_found',
    title: 'No affiliated receipt has this id.',
    remedy: 'Take the id from `affiliatedRail.ledger` of GET /proof/demand.',
  },
});
