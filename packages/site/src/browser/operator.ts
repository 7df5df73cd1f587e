import { BRAND } from '@agent-marketplace/core/kernel/brand.ts';
import type { Operations } from '@agent-marketplace/sdk';
import { count, instant, money } from '../format/figures.ts';
import { oneLine } from '../format/text.ts';
import { asOperator, type Desk, OPERATOR_KEY, openDesk } from './parts/desk.ts';
import { element, ledger, othersText, section, table } from './parts/dom.ts';
import { actionForm, centsOf } from './parts/forms.ts';
import { disputesPart } from './parts/operator-disputes.ts';

type Party = Operations['setDesignation']['input']['party'];

openDesk(OPERATOR_KEY, asOperator(BRAND.header.admin), async (desk) => {
  const [reconciliation, disputes, inquiries, designations, ideas] = await Promise.all([
    desk.api.getReconciliation(),
    desk.api.listDisputes({ limit: 50 }),
    desk.api.listInquiries({ limit: 50 }),
    desk.api.listDesignations({ limit: 100 }),
    desk.api.listIdeas({ limit: 20 }),
  ]);
  return [
    books(desk, reconciliation),
    disputesPart(desk, disputes),
    inquiriesPart(desk, inquiries),
    designationsPart(desk, designations),
    affiliatedPart(desk),
    ideasPart(ideas),
  ];
});

type Reconciliation = Operations['getReconciliation']['output'];

function books({ api }: Desk, report: Reconciliation): HTMLElement {
  const compared = element('div', { class: 'stack' }, ...comparison(report));
  const kept = {
    name: 'kept',
    label: 'What the card processor kept for its services so far, in US dollars',
    type: 'number',
    attributes: { min: '0', step: '0.01', inputmode: 'decimal', required: '', value: '0' },
  };
  const added = {
    name: 'added',
    label: 'What you put into the account on chain so far, less what you took out, in US dollars',
    type: 'number',
    attributes: { step: '0.01', required: '', value: '0' },
  };
  const part = section('Reconciliation', compared);
  const asked = [...(report.processorCompared ? [kept] : []), ...(isOnChain(report) ? [added] : [])];
  if (asked.length > 0) {
    part.append(
      actionForm('Compare again', asked, async (values) => {
        const again = await api.getReconciliation({
          processorKeptCents: centsOf(values.kept ?? '0'),
          usdcAddedCents: centsOf(values.added ?? '0'),
        });
        compared.replaceChildren(...comparison(again));
        return 'Compared.';
      }),
    );
  }
  return part;
}

const isOnChain = (report: Reconciliation): boolean => report.usdcBalanceCents !== null;

function whatAgrees(report: Reconciliation): string {
  const compared = [
    'Ledger, wallets, purchases',
    ...(report.processorCompared ? ['the card processor'] : []),
    ...(isOnChain(report) ? ['the account on chain'] : []),
  ];
  const left = [
    ...(report.processorCompared ? [] : ['the card processor']),
    ...(isOnChain(report) ? [] : ['the account on chain']),
  ];
  const agreement = `${compared.join(', ').replace(/, ([^,]+)$/, ' and $1')} agree.`;
  return left.length === 0 ? agreement : `${agreement} Not compared: ${left.join(' and ')}.`;
}

function comparison(report: Reconciliation): HTMLElement[] {
  const { findings } = report;
  return [
    findings.length === 0
      ? element('p', { class: 'note', id: 'reconciled' }, whatAgrees(report))
      : table(
          'What does not agree',
          ['Check', 'Of', '#Expected', '#Found'],
          findings.map(({ check, subject, expectedCents, actualCents }) => [
            element('code', {}, check),
            element('code', {}, subject),
            money(expectedCents),
            money(actualCents),
          ]),
        ),
    ledger([
      ['Owed to wallets', money(report.walletLiabilityCents)],
      ['Set aside for purchases', money(report.reservedCents)],
      ['In escrow for sellers', money(report.escrowCents)],
      ['Fees', money(report.feesCents)],
      ['Paid out by the card processor', money(report.payoutsCents)],
      ['Paid out in USDC', money(report.usdcPayoutsCents)],
      ['Card clearing', money(report.cardClearingCents)],
      ['USDC clearing', money(report.usdcClearingCents)],
      ['Paid above the price in USDC', money(report.usdcOverpaidCents)],
      ...(report.usdcBalanceCents === null
        ? []
        : [['In the account on chain', money(report.usdcBalanceCents)] as [string, string]]),
    ]),
    element('p', { class: 'fine' }, `As of ${instant(report.generatedAt)}`),
  ];
}

const THREADS = { open: 'waits for us', awaiting_inquirer: 'answered', closed: 'closed' } as const;

function inquiriesPart(desk: Desk, { inquiries, total }: Operations['listInquiries']['output']): HTMLElement {
  const entries = inquiries.map((one) => {
    const title = element('summary', {}, othersText(oneLine(one.subject, 120)), ` · ${THREADS[one.status]}`);
    const details = element('details', { class: 'inquiry' }, title);
    details.addEventListener('toggle', () => void fill(details, desk, one.id), { once: true });
    return details;
  });
  return section(`Inquiries (${count(total)})`, ...(entries.length > 0 ? entries : [none()]));
}

async function fill(details: HTMLElement, { api, baseUrl, refresh }: Desk, inquiryId: string): Promise<void> {
  const { inquiry, messages, thread } = await api.getInquiry({ inquiryId });
  const read = messages.map((one) =>
    element(
      'div',
      { class: 'message' },
      element(
        'p',
        { class: 'fine' },
        `${one.from === 'team' ? 'We' : 'They'}, ${instant(one.createdAt)}, mail: ${one.emailStatus}`,
      ),
      element('div', { class: 'seller-prose', dir: 'auto' }, othersText(one.body)),
      ...one.attachments.map(({ filename, url }) =>
        element(
          'p',
          {},
          element('a', { href: baseUrl + url, download: '' }, othersText(oneLine(filename, 120))),
        ),
      ),
    ),
  );
  const after = async (done: Promise<unknown>) => {
    await done;
    await refresh();
    return null;
  };
  details.append(
    element(
      'p',
      { class: 'fine' },
      `${inquiry.category}, from `,
      othersText(inquiry.email ?? inquiry.submittedBy),
    ),
    ...read,
  );
  if (thread.status === 'closed') return;
  details.append(
    actionForm(
      'Reply',
      [
        { name: 'authorName', label: 'Your name', attributes: { required: '', maxlength: '100' } },
        {
          name: 'body',
          label: 'Reply',
          type: 'textarea',
          attributes: { required: '', rows: '5', maxlength: '10000' },
        },
      ],
      ({ authorName = '', body = '' }) => after(api.replyToInquiry({ inquiryId, authorName, body })),
    ),
    actionForm(
      'Close',
      [{ name: 'reason', label: 'Why it is closed', attributes: { required: '', maxlength: '500' } }],
      ({ reason = '' }) => after(api.closeInquiry({ inquiryId, reason })),
    ),
  );
}

function designationsPart(
  { api, refresh }: Desk,
  { designations, configured, total }: Operations['listDesignations']['output'],
): HTMLElement {
  const rows = designations.map((one) => [
    element('code', {}, one.agentId),
    one.party.replace('_', ' '),
    one.note === null ? '–' : othersText(one.note),
  ]);
  return section(
    `Designations (${count(total)})`,
    element(
      'p',
      {},
      configured
        ? 'They are said to be complete: sales outside of them count as at arm’s length.'
        : 'They are not said to be complete, so no sale counts as at arm’s length.',
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
            ['', 'none of them any more'],
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
    actionForm(configured ? 'Say they are not complete' : 'Say they are complete', [], async () => {
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
      'Sales of affiliated merchants, paid elsewhere: disclosed in the open books, counted in no total.',
    ),
    actionForm(
      'Record a receipt',
      [
        { name: 'merchantId', label: 'Merchant, its id', attributes: required },
        { name: 'merchantName', label: 'Merchant, its name', attributes: required },
        {
          name: 'siteOrigin',
          label: 'Merchant, its site',
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
      element('summary', {}, othersText(oneLine(one.title, 120))),
      element('div', { class: 'seller-prose', dir: 'auto' }, othersText(one.description)),
      one.impact !== null && element('p', { class: 'soft' }, othersText(one.impact)),
    ),
  );
  return section(`Ideas (${count(total)})`, ...(entries.length > 0 ? entries : [none()]));
}

function none(): HTMLElement {
  return element('p', { class: 'soft' }, 'None.');
}
