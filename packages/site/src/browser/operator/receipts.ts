import { money } from '../../format/figures.ts';
import { element, section } from '../parts/dom.ts';
import { actionForm, centsOf, type Field } from '../parts/forms.ts';
import { forRole, type OperatorSession } from './operator-session.ts';

const required = { required: '' };
const FIELDS: readonly Field[] = [
  { name: 'merchantId', label: 'Merchant id', attributes: required },
  { name: 'merchantName', label: 'Merchant name', attributes: required },
  {
    name: 'siteOrigin',
    label: 'Merchant site',
    type: 'url',
    attributes: { ...required, placeholder: 'https://shop.example' },
  },
  { name: 'description', label: 'What was sold', attributes: required },
  {
    name: 'dollars',
    label: 'US dollars',
    type: 'number',
    attributes: { ...required, min: '0', step: '0.01', inputmode: 'decimal' },
  },
  { name: 'rail', label: 'Paid by', attributes: { ...required, value: 'card' } },
  {
    name: 'mode',
    label: 'Mode',
    type: 'select',
    options: [
      ['live', 'live'],
      ['test', 'test'],
    ],
  },
  {
    name: 'status',
    label: 'State',
    type: 'select',
    options: [
      ['paid', 'paid'],
      ['refunded', 'refunded'],
    ],
  },
  { name: 'paidAt', label: 'When (UTC)', type: 'datetime-local', attributes: required },
];

/** Sales of merchants that belong to the house, for the open books. It moves no money. */
export function operatorReceipts(session: OperatorSession): readonly HTMLElement[] {
  return [
    section(
      'Affiliated receipts',
      element(
        'p',
        {},
        'Sales of affiliated merchants that were paid elsewhere. The open books show them outside every total.',
      ),
      forRole(session, 'finance', () =>
        actionForm('Record a receipt', FIELDS, async (values) => {
          const amountCents = centsOf(values.dollars);
          const { receipt } = await session.api.recordAffiliatedReceipt({
            merchant: {
              id: values.merchantId ?? '',
              name: values.merchantName ?? '',
              siteOrigin: values.siteOrigin ?? '',
            },
            description: values.description ?? '',
            amountCents,
            rail: values.rail ?? '',
            mode: values.mode === 'test' ? 'test' : 'live',
            status: values.status === 'refunded' ? 'refunded' : 'paid',
            paidAt: new Date(`${values.paidAt}Z`).toISOString(),
          });
          return `Recorded ${money(amountCents)} as ${receipt.statement.id}.`;
        }),
      ),
    ),
  ];
}
