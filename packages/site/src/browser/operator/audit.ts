import { keySetOf, type Operations, verifyAuditChain } from '@agent-marketplace/sdk';
import { count, instant, shortDigest } from '../../format/figures.ts';
import { visibleText } from '../../format/text.ts';
import { element, emptyText, section, table, timeOf, untrustedText } from '../parts/dom.ts';
import { actionForm } from '../parts/forms.ts';
import type { OperatorSession } from './operator-session.ts';

type Actions = Operations['listOperatorActions']['output'];
type Filter = Pick<
  Operations['listOperatorActions']['input'],
  'operator' | 'subjectType' | 'subjectId' | 'from' | 'until'
>;

const PAGE = 20;
const CHECKED_AT_ONCE = 100;

/** Kept while the page is drawn again. */
let filter: Filter = {};

/** What operators did, the latest first, and whether the chain of it holds. */
export async function operatorAudit(session: OperatorSession): Promise<readonly HTMLElement[]> {
  const { api } = session;
  const first = await api.listOperatorActions({ limit: PAGE, ...filter });
  const pages = element('div', { class: 'stack' }, ...pageOf(first));
  const more = element('div', { class: 'actions' });
  const showMore = (before: number | null) => {
    if (before === null) return more.replaceChildren();
    const button = element('button', { type: 'button', class: 'quiet' }, 'Show earlier ones');
    button.addEventListener('click', async () => {
      const next = await api.listOperatorActions({ limit: PAGE, before, ...filter });
      pages.append(...pageOf(next));
      showMore(next.nextBefore);
    });
    more.replaceChildren(button);
  };
  showMore(first.nextBefore);
  return [
    section('Check the chain', checkForm(session)),
    section('What operators did', filterForm(session), pages, more),
  ];
}

/** Reads all entries and checks them here: the answer of the marketplace alone is not believed. */
function checkForm({ api }: OperatorSession): HTMLElement {
  const text =
    'Reads every entry and checks in this browser that each is signed, unchanged, and that none is missing between them.';
  const form = actionForm('Check all entries in this browser', [], async () => {
    const keys = keySetOf(await api.getSigningKey());
    const actions: Actions['actions'][number][] = [];
    let before: number | null = null;
    do {
      const page: Actions = await api.listOperatorActions({
        limit: CHECKED_AT_ONCE,
        ...(before === null ? {} : { before }),
      });
      actions.push(...page.actions);
      before = page.nextBefore;
    } while (before !== null);
    if (actions.length === 0) return 'There is no entry yet.';
    const checked = await verifyAuditChain(actions, keys);
    if (!checked.valid) {
      const at = checked.sequence === null ? '' : ` at entry ${checked.sequence}`;
      return element('strong', { role: 'alert' }, `The chain is broken${at}: ${checked.detail}`);
    }
    return `The chain holds: ${count(actions.length)} entries, the newest ${shortDigest(checked.head.digest)} of ${instant(checked.at)}. Note that digest to see later that none was taken from the end.`;
  });
  return element('div', { class: 'stack' }, element('p', {}, text), form);
}

function filterForm({ everybody: { operators }, refresh }: OperatorSession): HTMLElement {
  const day = (value: string | undefined) => ({ value: value?.slice(0, 10) ?? '' });
  const plain = (value: string | undefined) => ({ value: value ?? '', spellcheck: 'false' });
  const form = actionForm(
    'Show these',
    [
      {
        name: 'operator',
        label: 'Operator',
        type: 'select',
        options: [
          ['', 'all'],
          ['operator', 'Deployment secret'],
          ...operators.map(({ id, name }) => [id, visibleText(name)] as const),
        ],
      },
      { name: 'subjectType', label: 'Kind of object', attributes: plain(filter.subjectType) },
      { name: 'subjectId', label: 'Object, by id', attributes: plain(filter.subjectId) },
      { name: 'from', label: 'From (UTC)', type: 'date', attributes: day(filter.from) },
      { name: 'until', label: 'Before (UTC)', type: 'date', attributes: day(filter.until) },
    ],
    async ({ from, until, ...others }) => {
      const texts = Object.entries(others).filter(([, text]) => text.trim() !== '');
      filter = {
        ...Object.fromEntries(texts.map(([name, text]) => [name, text.trim()])),
        ...(from ? { from: `${from}T00:00:00.000Z` } : {}),
        ...(until ? { until: `${until}T00:00:00.000Z` } : {}),
      };
      await refresh();
      return null;
    },
  );
  const select = form.querySelector<HTMLSelectElement>('select');
  if (select !== null) select.value = filter.operator ?? '';
  form.classList.add('filter-form');
  return form;
}

function pageOf({ actions, chainValid }: Actions): HTMLElement[] {
  if (actions.length === 0) return [emptyText()];
  return [
    chainValid
      ? element(
          'p',
          { class: 'fine' },
          'The chain holds: each entry was signed here, and its texts are those that were signed.',
        )
      : element(
          'p',
          { class: 'note stop', role: 'alert' },
          'The chain is broken: an entry was changed or removed.',
        ),
    actionTable(actions),
  ];
}

/** Entries of the audit chain, as wherever they are shown. */
export function actionTable(actions: Actions['actions']): HTMLElement {
  const rows = actions.map(({ after, before, isErased, operatorName, reason, statement }) => [
    String(statement.sequence),
    timeOf(statement.at),
    untrustedText(operatorName),
    element('code', { class: 'nowrap' }, statement.operation),
    statement.subject.id === null
      ? statement.subject.type
      : element(
          'span',
          {},
          `${statement.subject.type} `,
          element('code', { title: statement.subject.id }, statement.subject.id.slice(0, 8)),
        ),
    reason === null ? (isErased ? 'erased' : '–') : untrustedText(reason),
    before === null && after === null ? '–' : changeOf(before, after),
  ]);
  return table(
    'What operators did',
    ['#No.', 'When', 'Operator', 'Operation', 'Object', 'Reason', 'Change'],
    rows,
  );
}

function changeOf(before: unknown, after: unknown): HTMLElement {
  return element(
    'details',
    {},
    element('summary', {}, 'Before and after'),
    element('p', {}, 'Before: ', untrustedText(JSON.stringify(before))),
    element('p', {}, 'After: ', untrustedText(JSON.stringify(after))),
  );
}
