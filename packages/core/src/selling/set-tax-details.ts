import * as z from 'zod';
import { defineOperation } from '../kernel/operation/operation.ts';
import { isoTime } from '../kernel/time.ts';
import { setTaxDetails as setTaxDetailsRow } from '../payouts/index.ts';
import { taxDetails } from './tax-details.schema.ts';

export const setTaxDetails = defineOperation({
  name: 'setTaxDetails',
  summary: 'Say where you are taxed and under which number, or erase it.',
  description:
    'Needed of sellers that are paid in USDC, where the law has marketplaces report what sellers earn; the card processor asks the others itself. ' +
    "It is in no answer but your statements and the operator's. `null` erases it.",
  area: 'Selling',
  auth: 'agent',
  scope: 'manage',
  input: z.object({ tax: taxDetails.nullable() }),
  output: z.object({ country: z.string().nullable(), hasTaxNumber: z.boolean() }),
  errors: [],
  http: { method: 'post', path: '/sell/tax-details', status: 200 },
  rate: 'write',
  replay: 'stored',
  async handle({ caller, now, commit }, { tax }) {
    const answer = { country: tax?.country ?? null, hasTaxNumber: tax !== null };
    await commit([setTaxDetailsRow(caller.agentId, tax, isoTime(now))], answer);
    return answer;
  },
});
