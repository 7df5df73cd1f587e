import type { Operations } from '@agent-marketplace/sdk';
import type { Desk } from './desk.ts';
import { element, emptyText, section, table, timeOf, untrustedText } from './dom.ts';
import { actionForm } from './forms.ts';

type Actions = Operations['listOperatorActions']['output'];
type Filter = Pick<
  Operations['listOperatorActions']['input'],
  'operator' | 'subjectType' | 'subjectId' | 'from' | 'until'
>;

interface Shown {
  readonly values: Filter;
  show(next: Filter): Promise<void>;
}

/** What operators did, the latest first, and whether the chain of it holds. */
export function operatorAudit({ api }: Desk, first: Actions, shown?: Shown): HTMLElement {
  const pages = element('div', { class: 'stack' }, ...pageOf(first));
  const more = element('div', { class: 'actions' });
  const showMore = (before: number | null) => {
    if (before === null) return more.replaceChildren();
    const button = element('button', { type: 'button', class: 'quiet' }, 'Show earlier ones');
    button.addEventListener('click', async () => {
      const next = await api.listOperatorActions({ limit: 20, before, ...shown?.values });
      pages.append(...pageOf(next));
      showMore(next.nextBefore);
    });
    more.replaceChildren(button);
  };
  showMore(first.nextBefore);
  return section('What operators did', shown && filterForm(shown), pages, more);
}

function filterForm({ values, show }: Shown): HTMLElement {
  const plain = (value: string | undefined) => ({ value: value ?? '', spellcheck: 'false' });
  const day = (value: string | undefined) => ({ value: value?.slice(0, 10) ?? '' });
  return actionForm(
    'Show these',
    [
      { name: 'operator', label: 'Operator, by id', attributes: plain(values.operator) },
      { name: 'subjectType', label: 'Kind of subject', attributes: plain(values.subjectType) },
      { name: 'subjectId', label: 'Subject, by id', attributes: plain(values.subjectId) },
      { name: 'from', label: 'From (UTC)', type: 'date', attributes: day(values.from) },
      { name: 'until', label: 'Before (UTC)', type: 'date', attributes: day(values.until) },
    ],
    async ({ from, until, ...others }) => {
      const texts = Object.entries(others).filter(([, text]) => text.trim() !== '');
      await show({
        ...Object.fromEntries(texts.map(([name, text]) => [name, text.trim()])),
        ...(from ? { from: `${from}T00:00:00.000Z` } : {}),
        ...(until ? { until: `${until}T00:00:00.000Z` } : {}),
      });
      return null;
    },
  );
}

function pageOf({ actions, chainValid }: Actions): HTMLElement[] {
  if (actions.length === 0) return [emptyText()];
  const rows = actions.map(({ after, before, isErased, operatorName, reason, statement }) => [
    String(statement.sequence),
    timeOf(statement.at),
    untrustedText(operatorName),
    element('code', {}, statement.operation),
    statement.subject.id === null
      ? statement.subject.type
      : element('span', {}, `${statement.subject.type} `, element('code', {}, statement.subject.id)),
    reason === null ? (isErased ? 'erased' : '–') : untrustedText(reason),
    before === null && after === null ? '–' : changeOf(before, after),
  ]);
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
    table(
      'What operators did',
      ['#No.', 'When', 'Operator', 'Operation', 'Subject', 'Reason', 'Change'],
      rows,
    ),
  ];
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
