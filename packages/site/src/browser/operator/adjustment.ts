import type { Operations } from '@agent-marketplace/sdk';
import { money } from '../../format/figures.ts';
import { element, section } from '../parts/dom.ts';
import { actionForm, centsOf } from '../parts/forms.ts';
import { sayDone } from '../parts/say-done.ts';
import { forRole, type OperatorSession } from './operator-session.ts';

type Input = Operations['adjustLedger']['input'];

const ACCOUNTS: Readonly<Record<Input['account'], string>> = {
  bank: 'bank',
  card_clearing: 'card clearing',
  usdc_clearing: 'USDC clearing',
  processor_fees: 'processor fees',
  dispute_fees: 'dispute fees',
  chargebacks: 'chargebacks',
  transfer_reversals: 'transfer reversals',
  unexplained: 'unexplained',
  adjustments: 'adjustments',
};
const accounts = Object.entries(ACCOUNTS);

/** Posts a movement of the platform's own money that cannot be read anywhere. */
export function operatorAdjustment(session: OperatorSession): readonly HTMLElement[] {
  const required = { required: '' };
  const adjustment = section(
    'Adjust the ledger',
    element(
      'p',
      {},
      'For money of the platform that neither the card processor nor the chain tells of. A reference is posted once.',
    ),
    forRole(session, 'finance', () =>
      actionForm(
        'Post the amount',
        [
          { name: 'account', label: 'Account that holds so much more', type: 'select', options: accounts },
          {
            name: 'counterAccount',
            label: 'Account that it comes from',
            type: 'select',
            options: [['adjustments', 'adjustments'], ...accounts.filter(([name]) => name !== 'adjustments')],
          },
          {
            name: 'dollars',
            label: 'US dollars; negative the other way round',
            type: 'number',
            attributes: { ...required, step: '0.01', inputmode: 'decimal' },
          },
          {
            name: 'reference',
            label: 'Reference: an item of the reconciliation, a statement, an invoice',
            attributes: { ...required, maxlength: '255' },
          },
          { name: 'reason', label: 'Reason', attributes: { ...required, maxlength: '1000' } },
        ],
        async ({ account, counterAccount, dollars, reference = '', reason = '' }) => {
          const posted = await session.api.adjustLedger({
            account: account as Input['account'],
            counterAccount: counterAccount as Input['account'],
            amountCents: centsOf(dollars),
            reference,
            reason,
          });
          return sayDone(
            session,
            `Posted ${money(posted.amountCents)} to ${ACCOUNTS[posted.account as Input['account']]}.`,
          );
        },
      ),
    ),
  );
  return [adjustment];
}
