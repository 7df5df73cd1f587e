import { instant } from '../../format/figures.ts';
import { oneLine, visibleText } from '../../format/text.ts';

type Content = Node | string | null | undefined | false;

/** An element made of text and elements: never of markup. */
export function element(
  name: string,
  attributes: Readonly<Record<string, string>> = {},
  ...content: readonly Content[]
): HTMLElement {
  const made = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value);
  made.append(...content.filter((one) => one !== null && one !== undefined && one !== false));
  return made;
}

/** What somebody else wrote. */
export function othersText(text: string): HTMLElement {
  return element('bdi', { class: 'seller-text', dir: 'auto' }, visibleText(text));
}

/** A listing's title in a row; what is not among those that were read has none. */
export function titleOf(title: string | null): HTMLElement | string {
  return title === null ? 'an earlier listing' : othersText(oneLine(title, 80) || 'Untitled');
}

export function timeOf(iso: string): HTMLElement {
  return element('time', { datetime: iso, class: 'nowrap' }, instant(iso));
}

export function section(title: string, ...content: readonly Content[]): HTMLElement {
  return element('section', { class: 'stack' }, element('h2', {}, title), ...content);
}

export function facts(rows: readonly (readonly [string, Content])[]): HTMLElement {
  const parts = rows.flatMap(([label, value]) => [element('dt', {}, label), element('dd', {}, value)]);
  return element('dl', { class: 'facts' }, ...parts);
}

/** Figures at the end of a line of dots; the last one is the sum. */
export function ledger(rows: readonly (readonly [string, string])[], hasTotal = false): HTMLElement {
  const lines = rows.map(([label, value], index) =>
    element(
      'div',
      hasTotal && index === rows.length - 1 ? { class: 'total' } : {},
      element('dt', {}, label),
      element('dd', {}, value),
    ),
  );
  return element('dl', { class: 'ledger half' }, ...lines);
}

/**
 * A table that may be wider than the window, and is a list of cards on a phone. Columns whose head begins with `#`
 * hold amounts. The roles are said, since some browsers forget them where a table is not laid out as one.
 */
export function table(
  label: string,
  heads: readonly string[],
  rows: readonly (readonly Content[])[],
): HTMLElement {
  const isAmount = heads.map((head) => head.startsWith('#'));
  const classOf = (index: number): Record<string, string> => (isAmount[index] ? { class: 'amount' } : {});
  const names = heads.map((text) => text.replace(/^#/, ''));
  const head = names.map((text, index) =>
    element('th', { scope: 'col', role: 'columnheader', ...classOf(index) }, text),
  );
  const body = rows.map((cells) =>
    element(
      'tr',
      { role: 'row' },
      ...cells.map((cell, index) =>
        element(
          'td',
          { role: 'cell', 'data-head': names[index] ?? '', ...classOf(index) },
          element('span', {}, cell),
        ),
      ),
    ),
  );
  return element(
    'div',
    { class: 'scroll cards', role: 'region', 'aria-label': label, tabindex: '0' },
    element(
      'table',
      { role: 'table' },
      element('thead', { role: 'rowgroup' }, element('tr', { role: 'row' }, ...head)),
      element('tbody', { role: 'rowgroup' }, ...body),
    ),
  );
}

/** Offers what is shown as a file. It is made in the browser: nothing is asked for again. */
export function offerFile(text: string, name: string): HTMLElement {
  const href = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  return element('a', { class: 'button quiet', download: name, href }, 'Save as a file');
}
