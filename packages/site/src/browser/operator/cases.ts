import { RULES } from '@agent-marketplace/core/kernel/rules.data.ts';
import type { Operations } from '@agent-marketplace/sdk';
import { element, emptyText, facts, section, table, timeOf, untrustedText } from '../parts/dom.ts';
import { actionForm, type Field } from '../parts/forms.ts';
import { inPages } from '../parts/pages.ts';
import { forRole, type OperatorSession } from './operator-session.ts';
import { type Done, rowDialog } from './row-dialog.ts';

type Cases = Operations['listReports']['output'];
type Case = Cases['cases'][number];
type Report = Operations['getReport']['output'];
type Decision = Operations['decideReport']['input'];
type Filtered = Operations['listReports']['input'];
type State = 'open' | 'appealed' | 'decided';

const TITLES = {
  open: 'Reports to decide',
  appealed: 'Appeals to decide',
  decided: 'Decided before',
} as const satisfies Readonly<Record<State, string>>;

const KINDS = [
  ['', 'everything'],
  ['listing', 'listings'],
  ['rating', 'ratings'],
  ['agent', 'agents'],
] as const;

/** Kept while the page is drawn again after each decision. */
let subjectType: NonNullable<Filtered['subjectType']> | '' = '';

/** What was reported, the oldest first; a row opens the case. */
export async function operatorCases(session: OperatorSession, state: State): Promise<readonly HTMLElement[]> {
  const read = (cursor?: string) =>
    session.api.listReports({
      state,
      limit: 50,
      ...(subjectType === '' ? {} : { subjectType }),
      ...(cursor === undefined ? {} : { cursor }),
    });
  const lists = inPages(await read(), { draw: ({ cases }) => listOf(session, cases), next: read });
  return [section(TITLES[state], kindFilter(session), ...lists)];
}

function listOf(session: OperatorSession, cases: readonly Case[]): HTMLElement {
  if (cases.length === 0) return emptyText();
  const rows = cases.map((one) => [
    timeOf(one.openedAt),
    one.subjectType,
    element('code', { title: one.subjectId }, one.subjectId.slice(0, 8)),
    (one.firstReports[0]?.reason ?? one.rule ?? '–').replaceAll('_', ' '),
    String(one.reports),
    rowDialog(session, {
      text: one.state === 'decided' ? 'Look' : 'Decide',
      what: `The ${one.subjectType} ${one.subjectId.slice(0, 8)}`,
      draw: async (done) => caseDialog(session, await session.api.getReport({ caseId: one.id }), done),
    }),
  ]);
  return table('Cases', ['Since', 'What', 'Id', 'Rule', '#Reports', 'Action'], rows);
}

function kindFilter({ refresh }: OperatorSession): HTMLElement {
  const select = element(
    'select',
    { id: 'case-kind' },
    ...KINDS.map(([one, text]) =>
      element('option', { value: one, ...(one === subjectType ? { selected: '' } : {}) }, text),
    ),
  ) as HTMLSelectElement;
  select.addEventListener('change', async () => {
    subjectType = select.value as typeof subjectType;
    await refresh();
    // The page was drawn again: the focus goes back to where it was.
    document.querySelector<HTMLElement>('#case-kind')?.focus();
  });
  return element('div', { class: 'field half' }, element('label', { for: 'case-kind' }, 'Show'), select);
}

function caseDialog(session: OperatorSession, one: Report, done: Done): HTMLElement[] {
  const texts = one.firstReports.map(({ createdAt, reason, text }) => [
    timeOf(createdAt),
    reason.replaceAll('_', ' '),
    text === null ? '–' : untrustedText(text),
  ]);
  return [
    facts([
      ['Id', element('code', {}, one.subjectId)],
      ['Whose', element('code', {}, one.agentId)],
      ...(one.listingId === null
        ? []
        : [['Listing', element('a', { href: `/listings/${one.listingId}` }, 'Its page')] as const]),
      ...(one.action === null ? [] : ([['Decided', `${one.action}: ${one.reason ?? ''}`]] as const)),
      ...(one.appealText === null ? [] : ([['The appeal', untrustedText(one.appealText)]] as const)),
    ]),
    element('h3', {}, 'What was reported'),
    texts.length === 0 ? emptyText() : table('What was reported', ['When', 'Rule', 'Text'], texts),
    element('h3', {}, 'What happens to open purchases'),
    effectsOf(one),
    ...(one.state === 'decided'
      ? []
      : [
          forRole(session, 'support', () =>
            one.state === 'open' ? decisionForm(session, one, done) : appealForm(session, one, done),
          ),
        ]),
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

function decisionForm({ api }: OperatorSession, one: Case, done: Done): HTMLElement {
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
      options: [
        ['', 'none'],
        ...Object.keys(RULES).map((rule) => [rule, rule.replaceAll('_', ' ')] as const),
      ],
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
    return done('It is decided, and both sides are told. The entry is in the audit chain.');
  });
}

function appealForm({ api }: OperatorSession, one: Case, done: Done): HTMLElement {
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
    return done('The appeal has ended, and both sides are told. The entry is in the audit chain.');
  });
}
