import * as z from 'zod';
import { Refusal } from '../../kernel/errors.ts';
import { defineOperation } from '../../kernel/operation/operation.ts';
import { hasNoPayoutWallet, payoutErrors, setBearsGas } from '../../payouts/index.ts';

export const setPayoutGas = defineOperation({
  name: 'setPayoutGas',
  summary: 'Choose whether small payouts in USDC wait, or go at once and you bear their gas.',
  description:
    'A payout whose gas would cost too large a part of it waits for your next sales, a week at most, and then goes at the ' +
    "marketplace's cost. With `bearsGas` it goes within six hours of falling due, less its gas in whole cents: `gasCents` of the payout, " +
    '`payoutGasCents` of your statements. Payouts that cover their gas cost you nothing either way.',
  area: 'Selling',
  auth: 'seller',
  scope: 'manage',
  input: z.object({ bearsGas: z.boolean() }),
  output: z.object({ bearsGas: z.boolean() }),
  errors: [payoutErrors.no_payout_wallet],
  http: { method: 'post', path: '/sell/payouts/gas', status: 200 },
  rate: 'write',
  replay: 'stored',
  async handle({ caller, commit }, { bearsGas }) {
    const answer = { bearsGas };
    try {
      await commit(setBearsGas(caller.agentId, bearsGas), answer);
    } catch (error) {
      throw hasNoPayoutWallet(error) ? new Refusal(payoutErrors.no_payout_wallet) : error;
    }
    return answer;
  },
});
