import type { Operations } from '@agent-marketplace/sdk';
import { money } from '../../format/figures.ts';
import { element, facts, section, table, timeOf } from '../parts/dom.ts';
import { inPages } from '../parts/pages.ts';
import { mendingForm, mendingLabel } from './mending.ts';
import { forRole, type OperatorSession } from './operator-session.ts';
import { type Done, rowDialog } from './row-dialog.ts';
import { stateBadge } from './state-badge.ts';

type Overdue = Operations['listOverdue']['output'];
type Entry = Overdue['overdue'][number];

export const KIND_LABELS: Readonly<Record<Entry['kind'], string>> = {
  sale_held: 'Held past its date',
  sale_on_hold: 'On hold',
  sale_releasing: 'Transfer unknown',
  payout_refused: 'Payout refused',
  account_unable: 'Seller cannot be paid',
  refund_pending: 'Refund pending',
  refund_failed: 'Refund failed',
  dispute_undecided: 'Dispute to decide',
  outcome_undone: 'Money not back',
  payment_return_owed: 'Late payment to be returned',
  payout_sending: 'Payout in USDC not sent',
  top_up_undecided: 'Top-up undecided',
  top_up_return_owed: 'Top-up to be returned',
  webhook_missed: 'Report that never came',
  message_given_up: 'Message given up',
  seller_debt: 'Owed by the seller',
  seller_owed: 'Owed to the seller',
};

/** Kept while the page is drawn again after each operation. */
let kind: Entry['kind'] | '' = '';

const amountOf = ({ amountCents }: Entry): string => (amountCents === null ? '–' : money(amountCents));

/** The list, the longest waiting first; a row opens what mends it. */
export async function operatorOverdue(session: OperatorSession): Promise<readonly HTMLElement[]> {
  const read = (cursor?: string) =>
    session.api.listOverdue({
      limit: 50,
      ...(kind === '' ? {} : { kind }),
      ...(cursor === undefined ? {} : { cursor }),
    });
  const lists = inPages(await read(), { draw: ({ overdue }) => listOf(session, overdue), next: read });
  return [section('Overdue money', kindFilter(session), ...lists)];
}

function kindFilter({ refresh }: OperatorSession): HTMLElement {
  const select = element(
    'select',
    { id: 'overdue-kind' },
    element('option', { value: '' }, 'all kinds'),
    ...Object.entries(KIND_LABELS).map(([value, label]) =>
      element('option', { value, ...(value === kind ? { selected: '' } : {}) }, label),
    ),
  ) as HTMLSelectElement;
  select.addEventListener('change', async () => {
    kind = select.value as typeof kind;
    await refresh();
    // The page was drawn again: the focus goes back to where it was.
    document.querySelector<HTMLElement>('#overdue-kind')?.focus();
  });
  return element('div', { class: 'field half' }, element('label', { for: 'overdue-kind' }, 'Show'), select);
}

function listOf(session: OperatorSession, entries: readonly Entry[]): HTMLElement {
  if (entries.length === 0) return element('p', {}, stateBadge('done', 'All clear'), ' No money is overdue.');
  const rows = entries.map((entry) => [
    timeOf(entry.since),
    KIND_LABELS[entry.kind],
    entry.rail ?? '–',
    amountOf(entry),
    element('code', { title: entry.subjectId }, entry.subjectId.slice(0, 8)),
    rowDialog(session, {
      text: 'Mend',
      what: `${KIND_LABELS[entry.kind]}, ${amountOf(entry)}, ${entry.subjectId.slice(0, 8)}`,
      draw: (done) => mendingDialog(session, entry, done),
    }),
  ]);
  return table('Overdue money', ['Since', 'What', 'Paid by', '#Amount', 'Id', 'Action'], rows);
}

function mendingDialog(session: OperatorSession, entry: Entry, done: Done): HTMLElement[] {
  const subject = { id: entry.subjectId, amountCents: entry.amountCents };
  const ways = entry.mendWith.map((name, index) =>
    element(
      'details',
      index === 0 ? { open: '' } : {},
      element('summary', {}, mendingLabel(name)),
      mendingForm(session.api, name, subject, done) ?? element('p', {}, element('code', {}, name)),
    ),
  );
  return [
    element('p', {}, entry.reason),
    facts([
      ['Id', element('code', {}, entry.subjectId)],
      ['Waiting since', timeOf(entry.since)],
    ]),
    forRole(session, 'finance', () => element('div', { class: 'stack' }, ...ways)),
  ];
}
