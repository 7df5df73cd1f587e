import { RULES } from '@agent-marketplace/core/kernel/rules.data.ts';
import type { Operations } from '@agent-marketplace/sdk';
import type { Desk } from './desk.ts';
import { element, emptyText, facts, section, table, timeOf, untrustedText } from './dom.ts';
import { actionForm, type Field } from './forms.ts';
import { inPages } from './pages.ts';

type Cases = Operations['listReports']['output'];
type Case = Cases['cases'][number];
type Report = Operations['getReport']['output'];
type Decision = Operations['decideReport']['input'];
type Filtered = Operations['listReports']['input'];

export interface CaseFilter {
  readonly state: 'open' | 'appealed' | 'decided';
  readonly subjectType: NonNullable<Filtered['subjectType']> | '';
}

/** As many as one page shows. */
export function listCases(
  { api }: Desk,
  { state, subjectType }: CaseFilter,
  cursor?: string,
): Promise<Cases> {
  const more = cursor === undefined ? {} : { cursor };
  return api.listReports({ state, limit: 50, ...(subjectType === '' ? {} : { subjectType }), ...more });
}

interface Shown {
  readonly filter: CaseFilter;
  show(next: CaseFilter): Promise<void>;
}

const STATES = [
  ['open', 'reports to decide'],
  ['appealed', 'appeals to decide'],
  ['decided', 'decided'],
] as const;
const KINDS = [
  ['', 'everything'],
  ['listing', 'listings'],
  ['rating', 'ratings'],
  ['agent', 'agents'],
] as const;

/** What waits, the oldest first; a case opens below the list. */
export function operatorCases(desk: Desk, first: Cases, shown: Shown): HTMLElement {
  const panel = element('div', { class: 'stack', tabindex: '-1', id: 'case' });
  const lists = inPages(first, {
    draw: ({ cases }) => listOf(desk, cases, panel),
    next: (cursor) => listCases(desk, shown.filter, cursor),
  });
  return section('Waiting', filterForm(shown), ...lists, panel);
}

function listOf(desk: Desk, cases: readonly Case[], panel: HTMLElement): HTMLElement {
  const rows = cases.map((one) => {
    const label = `Look at the ${one.subjectType} ${one.subjectId}`;
    const button = element('button', { type: 'button', class: 'quiet', 'aria-label': label }, 'Look');
    button.addEventListener('click', async () => {
      panel.replaceChildren(...casePanel(desk, await desk.api.getReport({ caseId: one.id })));
      panel.focus();
      panel.scrollIntoView({ block: 'nearest' });
    });
    return [
      timeOf(one.openedAt),
      one.subjectType,
      element('code', {}, one.subjectId),
      one.firstReports[0]?.reason ?? one.rule ?? '–',
      String(one.reports),
      button,
    ];
  });
  return rows.length === 0
    ? emptyText()
    : table('Reports and appeals', ['Since', 'What', 'Id', 'Rule', '#Reports', 'Look'], rows);
}

function filterForm({ filter, show }: Shown): HTMLElement {
  const select = (
    id: string,
    label: string,
    options: readonly (readonly [string, string])[],
    value: string,
  ) => {
    const control = element(
      'select',
      { id },
      ...options.map(([one, text]) =>
        element('option', { value: one, ...(one === value ? { selected: '' } : {}) }, text),
      ),
    ) as HTMLSelectElement;
    control.addEventListener('change', async () => {
      const field = id === 'case-state' ? { state: control.value } : { subjectType: control.value };
      await show({ ...filter, ...field } as CaseFilter);
      // The page was drawn again: the focus goes back to where it was.
      document.querySelector<HTMLElement>(`#${id}`)?.focus();
    });
    return element('div', { class: 'field half' }, element('label', { for: id }, label), control);
  };
  return element(
    'div',
    { class: 'stack' },
    select('case-state', 'Show', STATES, filter.state),
    select('case-kind', 'Of', KINDS, filter.subjectType),
  );
}

function casePanel(desk: Desk, one: Report): HTMLElement[] {
  const done = async (text: string) => {
    await desk.refresh();
    const panel = document.querySelector<HTMLElement>('#case');
    panel?.replaceChildren(element('p', { class: 'note', role: 'status' }, text));
    panel?.focus();
    return null;
  };
  const texts = one.firstReports.map(({ createdAt, reason, text }) => [
    timeOf(createdAt),
    reason,
    text === null ? '–' : untrustedText(text),
  ]);
  return [
    element('h3', {}, `A ${one.subjectType}`),
    facts([
      ['Id', element('code', {}, one.subjectId)],
      ['Whose', element('code', {}, one.agentId)],
      ...(one.listingId === null
        ? []
        : [['Listing', element('a', { href: `/listings/${one.listingId}` }, 'Its page')] as const]),
      ...(one.action === null ? [] : ([['Decided', `${one.action}: ${one.reason ?? ''}`]] as const)),
      ...(one.appealText === null ? [] : ([['The appeal', untrustedText(one.appealText)]] as const)),
    ]),
    texts.length === 0 ? emptyText() : table('What was reported', ['When', 'Rule', 'Text'], texts),
    effectsOf(one),
    ...(one.state === 'open' ? [decisionForm(desk, one, done)] : []),
    ...(one.state === 'appealed' ? [appealForm(desk, one, done)] : []),
  ];
}

const CAUSES = {
  listing_blocked: 'block the listing',
  seller_suspended: 'suspend the agent, as a seller',
  buyer_suspended: 'suspend the agent, as a buyer',
} as const;
const EFFECTS = { cancel: 'cancelled', hold: 'held in escrow', continue: 'go on' } as const;

/** Before anything is decided: what it would do to open purchases. */
function effectsOf({ openSales }: Report): HTMLElement {
  if (openSales.length === 0) return element('p', {}, 'No open purchase is touched, whatever you decide.');
  const rows = openSales.map(({ cause, effect, sales, status }) => [
    CAUSES[cause],
    status,
    String(sales),
    EFFECTS[effect],
  ]);
  return table('What happens to open purchases', ['If you', 'Purchases that are', '#How many', 'Are'], rows);
}

const REASON: Field = {
  name: 'reason',
  label: 'Reason, as both sides read it',
  type: 'textarea',
  attributes: { required: '', maxlength: '500', rows: '3' },
};

function decisionForm({ api }: Desk, one: Case, done: (text: string) => Promise<null>): HTMLElement {
  const fields: Field[] = [
    {
      name: 'action',
      label: 'Decide',
      type: 'select',
      attributes: { required: '' },
      options: [
        // A default would decide by accident.
        ['', 'choose'],
        ['dismiss', 'dismiss: nothing changes'],
        ...(one.subjectType === 'listing' ? ([['block', 'block the listing']] as const) : []),
        ...(one.subjectType === 'rating' ? ([['block', 'remove the rating']] as const) : []),
        ['limit', 'limit the agent: it buys nothing that has a price'],
        ['suspend', 'suspend the agent'],
      ],
    },
    {
      name: 'rule',
      label: 'Rule, unless you dismiss it',
      type: 'select',
      options: [['', 'none'], ...Object.keys(RULES).map((rule) => [rule, rule] as const)],
    },
    REASON,
  ];
  return actionForm('Decide', fields, async ({ action, rule, reason = '' }) => {
    await api.decideReport({
      caseId: one.id,
      action: action as Decision['action'],
      reason,
      ...(rule === '' || rule === undefined ? {} : { rule: rule as NonNullable<Decision['rule']> }),
    });
    return done('It is decided, and both sides are told. The entry is in the audit chain below.');
  });
}

function appealForm({ api }: Desk, one: Case, done: (text: string) => Promise<null>): HTMLElement {
  const outcome: Field = {
    name: 'outcome',
    label: 'The decision',
    type: 'select',
    attributes: { required: '' },
    options: [
      ['', 'choose: it is final'],
      ['upheld', 'stands'],
      ['overturned', 'is overturned'],
    ],
  };
  return actionForm('End the appeal', [outcome, REASON], async (values) => {
    await api.decideAppeal({
      caseId: one.id,
      outcome: values.outcome === 'overturned' ? 'overturned' : 'upheld',
      reason: values.reason ?? '',
    });
    return done('The appeal has ended, and both sides are told. The entry is in the audit chain below.');
  });
}
