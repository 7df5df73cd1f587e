import { visibleText } from '../../format/text.ts';

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

/** A table that may be wider than the window. Columns whose head begins with `#` hold amounts. */
export function table(
  label: string,
  heads: readonly string[],
  rows: readonly (readonly Content[])[],
): HTMLElement {
  const isAmount = heads.map((head) => head.startsWith('#'));
  const classOf = (index: number): Record<string, string> => (isAmount[index] ? { class: 'amount' } : {});
  const head = heads.map((text, index) =>
    element('th', { scope: 'col', ...classOf(index) }, text.replace(/^#/, '')),
  );
  const body = rows.map((cells) =>
    element('tr', {}, ...cells.map((cell, index) => element('td', classOf(index), cell))),
  );
  return element(
    'div',
    { class: 'scroll', role: 'region', 'aria-label': label, tabindex: '0' },
    element('table', {}, element('thead', {}, element('tr', {}, ...head)), element('tbody', {}, ...body)),
  );
}

/** Offers what is shown as a file. It is made in the browser: nothing is asked for again. */
export function offerFile(text: string, name: string): HTMLElement {
  const href = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  return element('a', { class: 'button quiet', download: name, href }, 'Save as a file');
}
