import { BRAND } from '@agent-marketplace/protocol/brand.ts';
import type { Operations } from '@agent-marketplace/sdk';
import { count } from '../format/figures.ts';
import { oneLine } from '../format/text.ts';
import { asOperator, type Desk, OPERATOR_KEY, openDesk } from './parts/desk.ts';
import { element, emptyText, section, table, untrustedText } from './parts/dom.ts';
import { actionForm, centsOf } from './parts/forms.ts';
import { operatorAnnualTotals } from './parts/operator-annual-totals.ts';
import { operatorDisputes } from './parts/operator-disputes.ts';
import { operatorInquiries } from './parts/operator-inquiries.ts';
import { operatorIdentity } from './parts/operator-list.ts';
import { operatorReconciliation } from './parts/operator-reconciliation.ts';

type Party = Operations['setDesignation']['input']['party'];

openDesk(OPERATOR_KEY, asOperator(BRAND.header.admin), async (desk) => {
  const [reconciliation, disputes, inquiries, designations, ideas, everybody] = await Promise.all([
    desk.api.getReconciliation(),
    desk.api.listDisputes({ limit: 50 }),
    desk.api.listInquiries({ limit: 50 }),
    desk.api.listDesignations({ limit: 100 }),
    desk.api.listIdeas({ limit: 20 }),
    desk.api.listOperators({}),
  ]);
  return [
    operatorIdentity(everybody),
    operatorReconciliation(desk, reconciliation),
    operatorAnnualTotals(desk, new Date(reconciliation.generatedAt).getUTCFullYear()),
    operatorDisputes(desk, disputes),
    operatorInquiries(desk, inquiries),
    designationsPart(desk, designations),
    affiliatedPart(desk),
    ideasPart(ideas),
  ];
});

function designationsPart(
  { api, refresh }: Desk,
  { designations, configured, total }: Operations['listDesignations']['output'],
): HTMLElement {
  const rows = designations.map((one) => [
    element('code', {}, one.agentId),
    one.party.replace('_', ' '),
    one.note === null ? '–' : untrustedText(one.note),
  ]);
  return section(
    `Designations (${count(total)})`,
    element(
      'p',
      {},
      configured
        ? 'The list is marked complete: all other sales count as at arm’s length.'
        : 'The list is not marked complete, so no sale counts as at arm’s length.',
    ),
    rows.length > 0 && table('Designations', ['Agent', 'Party', 'Note'], rows),
    actionForm(
      'Designate',
      [
        {
          name: 'agentId',
          label: 'Agent',
          attributes: { required: '', maxlength: '36', spellcheck: 'false' },
        },
        {
          name: 'party',
          label: 'Party',
          type: 'select',
          options: [
            ['house_buyer', 'house buyer'],
            ['house_seller', 'house seller'],
            ['internal', 'internal'],
            ['affiliated', 'affiliated'],
            ['', 'none'],
          ],
        },
        { name: 'note', label: 'Note', attributes: { maxlength: '500' } },
      ],
      async ({ agentId = '', party = '', note = '' }) => {
        const chosen = (party === '' ? null : party) as Party;
        await api.setDesignation({ agentId, party: chosen, ...(note === '' ? {} : { note }) });
        await refresh();
        return null;
      },
    ),
    actionForm(configured ? 'Mark as not complete' : 'Mark as complete', [], async () => {
      await api.configureDesignations({ configured: !configured });
      await refresh();
      return null;
    }),
  );
}

function affiliatedPart({ api }: Desk): HTMLElement {
  const required = { required: '' };
  return section(
    'Affiliated receipts',
    element(
      'p',
      {},
      'Sales of affiliated merchants that were paid elsewhere. The open books show them outside every total.',
    ),
    actionForm(
      'Record a receipt',
      [
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
          attributes: { ...required, min: '0', step: '0.01' },
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
      ],
      async (values) => {
        const { receipt } = await api.recordAffiliatedReceipt({
          merchant: {
            id: values.merchantId ?? '',
            name: values.merchantName ?? '',
            siteOrigin: values.siteOrigin ?? '',
          },
          description: values.description ?? '',
          amountCents: centsOf(values.dollars),
          rail: values.rail ?? '',
          mode: values.mode === 'test' ? 'test' : 'live',
          status: values.status === 'refunded' ? 'refunded' : 'paid',
          paidAt: new Date(`${values.paidAt}Z`).toISOString(),
        });
        return `Recorded as ${receipt.statement.id}.`;
      },
    ),
  );
}

function ideasPart({ ideas, total }: Operations['listIdeas']['output']): HTMLElement {
  const entries = ideas.map((one) =>
    element(
      'details',
      {},
      element('summary', {}, untrustedText(oneLine(one.title, 120))),
      element('div', { class: 'seller-prose', dir: 'auto' }, untrustedText(one.description)),
      one.impact !== null && element('p', { class: 'soft' }, untrustedText(one.impact)),
    ),
  );
  return section(`Ideas (${count(total)})`, ...(entries.length > 0 ? entries : [emptyText()]));
}
