import * as z from 'zod';
import { fundingErrors, requireUnbounded } from '../budgets/index.ts';
import { commonErrors, Refusal } from '../kernel/errors.ts';
import { defineOperation } from '../kernel/operation/operation.ts';
import { WALLET_CAP_CENTS } from '../ledger/index.ts';
import { maybeAutoRecharge } from './auto-recharge.ts';
import { disableAutoRecharge, enableAutoRecharge, hasNoCard } from './recharge.store.ts';
import { walletErrors } from './wallet.errors.ts';
import { TOP_UP_MAX_CENTS, TOP_UP_MIN_CENTS } from './wallet.rules.ts';
import { autoRechargeView } from './wallet.schema.ts';
import { readWallet } from './wallet.store.ts';

/** Clause: the tool configure_auto_recharge. */
export const configureAutoRecharge = defineOperation({
  name: 'configureAutoRecharge',
  summary: 'Have the saved card fill the wallet when its balance falls below a threshold.',
  description:
    'If the balance is below the threshold already, the card is charged right away. After three refusals in a row, ' +
    'or one that asks for the card holder, auto-recharge turns itself off and `problem` says why. Figures that are ' +
    'left out stay as they are; they begin at 500, 2000 and, for a month, 50000 cents.',
  area: 'Purchasing',
  auth: 'agent',
  scope: 'manage',
  input: z.object({
    enabled: z.boolean().describe('true turns it on.'),
    thresholdCents: z
      .int()
      .min(1)
      .max(WALLET_CAP_CENTS)
      .optional()
      .describe('The card is charged when the balance falls below it.'),
    rechargeAmountCents: z
      .int()
      .min(TOP_UP_MIN_CENTS)
      .max(TOP_UP_MAX_CENTS)
      .optional()
      .describe('What each recharge adds.'),
    monthlyCapCents: z
      .int()
      .min(0)
      .max(1_000_000)
      .optional()
      .describe('What all recharges of a calendar month (UTC) may come to.'),
  }),
  output: autoRechargeView,
  errors: [walletErrors.no_saved_card, fundingErrors.key_is_bounded],
  http: {
    method: 'post',
    path: '/wallet/auto-recharge',
    status: 200,
    names: {
      thresholdCents: 'threshold_cents',
      rechargeAmountCents: 'recharge_amount_cents',
      monthlyCapCents: 'monthly_cap_cents',
    },
  },
  mcp: {
    tool: 'configure_auto_recharge',
    title: 'Configure auto-recharge',
    description:
      'Let the saved card (setup_payment_method) add recharge_amount_cents whenever the wallet falls below ' +
      'threshold_cents, or turn that off. It charges the card at once if the balance is low already. Next: ' +
      'get_wallet_balance.',
    hints: { readOnly: false, destructive: false, idempotent: true },
  },
  rate: 'write',
  movesMoney: true,
  replay: 'stored',
  async handle({ ports, caller, commit }, { enabled, ...changes }) {
    requireUnbounded(caller);
    const { agentId } = caller;
    const { card, autoRecharge } = await readWallet(ports.market, agentId);
    const figures = {
      thresholdCents: changes.thresholdCents ?? autoRecharge.thresholdCents,
      amountCents: changes.rechargeAmountCents ?? autoRecharge.amountCents,
      monthCents: changes.monthlyCapCents ?? autoRecharge.monthCents,
    };
    if (enabled && card === null) throw new Refusal(walletErrors.no_saved_card);
    if (figures.thresholdCents + figures.amountCents > WALLET_CAP_CENTS) {
      throw new Refusal(commonErrors.validation_failed, {
        fields: [
          {
            message: `With the threshold it may be at most ${WALLET_CAP_CENTS}, the wallet's cap.`,
            path: 'rechargeAmountCents',
          },
        ],
      });
    }
    const answer = {
      enabled,
      monthlyCapCents: figures.monthCents,
      problem: null,
      rechargeAmountCents: figures.amountCents,
      thresholdCents: figures.thresholdCents,
    };
    const statements = enabled ? enableAutoRecharge(agentId, figures) : disableAutoRecharge(agentId, figures);
    try {
      await commit(statements, answer);
    } catch (error) {
      throw hasNoCard(error) ? new Refusal(walletErrors.no_saved_card) : error;
    }
    if (enabled) ports.background.run(maybeAutoRecharge(ports, agentId));
    return answer;
  },
});
