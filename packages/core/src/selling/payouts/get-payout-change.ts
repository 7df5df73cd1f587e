import * as z from 'zod';
import { Refusal } from '../../kernel/errors.ts';
import { id } from '../../kernel/id.ts';
import { defineOperation } from '../../kernel/operation/operation.ts';
import { findPayoutChange, payoutErrors } from '../../payouts/index.ts';
import { payoutChange, viewPayoutChange } from './payout-change.schema.ts';

/** For the wallet that was paid before, whose owner may have no key. */
export const getPayoutChange = defineOperation({
  name: 'getPayoutChange',
  summary: 'A change of where a seller is paid: when it takes effect, and what cancels it.',
  description: 'Needs no key: only those that were told of the change know its id.',
  area: 'Selling',
  auth: 'none',
  input: z.object({ changeId: id }),
  output: payoutChange,
  errors: [payoutErrors.payout_change_not_found],
  http: { method: 'get', path: '/sell/payouts/changes/{id}', status: 200, names: { changeId: 'id' } },
  rate: 'read',
  async handle({ ports, baseUrl, now }, { changeId }) {
    const change = await findPayoutChange(ports.market, changeId);
    if (change === null) throw new Refusal(payoutErrors.payout_change_not_found);
    return viewPayoutChange(change, { baseUrl, now });
  },
});
