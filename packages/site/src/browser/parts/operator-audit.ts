import type { Operations } from '@agent-marketplace/sdk';
import type { Desk } from './desk.ts';
import { element, emptyText, section, table, timeOf, untrustedText } from './dom.ts';

type Actions = Operations['listOperatorActions']['output'];

/** What operators did, the latest first, and whether the chain of it holds. */
export function operatorAudit({ api }: Desk, first: Actions): HTMLElement {
  const pages = element('div', { class: 'stack' }, ...pageOf(first));
  const more = element('div', { class: 'actions' });
  const showMore = (before: number | null) => {
    if (before === null) return more.replaceChildren();
    const button = element('button', { type: 'button', class: 'quiet' }, 'Show earlier ones');
    button.addEventListener('click', async () => {
      const next = await api.listOperatorActions({ limit: 20, before });
      pages.append(...pageOf(next));
      showMore(next.nextBefore);
    });
    more.replaceChildren(button);
  };
  showMore(first.nextBefore);
  return section('What operators did', pages, more);
}

function pageOf({ actions, chainValid }: Actions): HTMLElement[] {
  if (actions.length === 0) return [emptyText()];
  const rows = actions.map(({ reason, statement }) => [
    String(statement.sequence),
    timeOf(statement.at),
    statement.operator,
    element('code', {}, statement.operation),
    statement.subject.id === null
      ? statement.subject.type
      : element('span', {}, `${statement.subject.type} `, element('code', {}, statement.subject.id)),
    reason === null ? '–' : untrustedText(reason),
  ]);
  return [
    chainValid
      ? element('p', { class: 'fine' }, 'Each entry was signed here and follows from the one before.')
      : element(
          'p',
          { class: 'note stop', role: 'alert' },
          'The chain is broken: an entry was changed or removed.',
        ),
    table('What operators did', ['#No.', 'When', 'Operator', 'Operation', 'Subject', 'Reason'], rows),
  ];
}
