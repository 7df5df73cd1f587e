import type { Operations } from '@agent-marketplace/sdk';
import { money } from '../../format/figures.ts';
import type { Desk } from './desk.ts';
import { element, emptyText, facts, section, table, timeOf } from './dom.ts';
import { mendingForm, mendingLabel } from './operator-mending.ts';
import { inPages } from './pages.ts';

type Overdue = Operations['listOverdue']['output'];
type Entry = Overdue['overdue'][number];

const KIND_LABELS: Readonly<Record<Entry['kind'], string>> = {
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

interface Filter {
  readonly kind: string;
  show(kind: string): Promise<void>;
}

const amountOf = ({ amountCents }: Entry): string => (amountCents === null ? '–' : money(amountCents));

/** The list, the longest waiting first; what mends an entry opens below it. */
export function operatorOverdue(desk: Desk, page: Overdue, filter: Filter): HTMLElement {
  const panel = element('div', { class: 'stack', tabindex: '-1', id: 'mend' });
  const kind = filter.kind === '' ? {} : { kind: filter.kind as Entry['kind'] };
  const lists = inPages(page, {
    draw: ({ overdue }) => listOf(desk, overdue, panel),
    next: (cursor) => desk.api.listOverdue({ limit: 50, cursor, ...kind }),
  });
  return section('Waiting', kindFilter(filter), ...lists, panel);
}

function kindFilter({ kind, show }: Filter): HTMLElement {
  const select = element(
    'select',
    { id: 'overdue-kind' },
    element('option', { value: '' }, 'all kinds'),
    ...Object.entries(KIND_LABELS).map(([value, label]) =>
      element('option', { value, ...(value === kind ? { selected: '' } : {}) }, label),
    ),
  ) as HTMLSelectElement;
  select.addEventListener('change', async () => {
    await show(select.value);
    // The page was drawn again: the focus goes back to where it was.
    document.querySelector<HTMLElement>('#overdue-kind')?.focus();
  });
  return element('div', { class: 'field half' }, element('label', { for: 'overdue-kind' }, 'Show'), select);
}

function listOf(desk: Desk, entries: readonly Entry[], panel: HTMLElement): HTMLElement {
  if (entries.length === 0) return emptyText();
  const rows = entries.map((entry) => {
    const button = element(
      'button',
      { type: 'button', class: 'quiet', 'aria-label': `Mend ${KIND_LABELS[entry.kind]}, ${entry.subjectId}` },
      'Mend',
    );
    button.addEventListener('click', () => {
      panel.replaceChildren(...mendingPanel(desk, entry));
      panel.focus();
      panel.scrollIntoView({ block: 'nearest' });
    });
    return [
      timeOf(entry.since),
      KIND_LABELS[entry.kind],
      entry.rail ?? '–',
      amountOf(entry),
      element('code', {}, entry.subjectId),
      button,
    ];
  });
  return table('Overdue money', ['Since', 'What', 'Rail', '#Amount', 'Id', 'Mend'], rows);
}

function mendingPanel({ api, refresh }: Desk, entry: Entry): HTMLElement[] {
  const done = async (text: string) => {
    await refresh();
    const panel = document.querySelector<HTMLElement>('#mend');
    panel?.replaceChildren(element('p', { class: 'note', role: 'status' }, text));
    panel?.focus();
  };
  const ways = entry.mendWith.map((name, index) => {
    const form = mendingForm(api, name, entry.subjectId, done);
    return element(
      'details',
      index === 0 ? { open: '' } : {},
      element('summary', {}, mendingLabel(name)),
      form ?? element('p', {}, element('code', {}, name)),
    );
  });
  return [
    element('h3', {}, `${KIND_LABELS[entry.kind]}: ${amountOf(entry)}`),
    element('p', {}, entry.reason),
    facts([
      ['Id', element('code', {}, entry.subjectId)],
      ['Waiting since', timeOf(entry.since)],
    ]),
    ...ways,
  ];
}
