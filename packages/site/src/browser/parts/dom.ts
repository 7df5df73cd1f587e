import { instant } from '../../format/figures.ts';
import { oneLine, visibleText } from '../../format/text.ts';

type Content = Node | string | null | undefined | false;

/** An element made of text and elements, never of markup: untrusted text cannot become HTML. */
export function element(
  name: string,
  attributes: Readonly<Record<string, string>> = {},
  ...content: readonly Content[]
): HTMLElement {
  const node = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) node.setAttribute(attribute, value);
  node.append(...content.filter((one) => one !== null && one !== undefined && one !== false));
  return node;
}

/** Text by another author. */
export function untrustedText(text: string): HTMLElement {
  return element('bdi', { class: 'seller-text', dir: 'auto' }, visibleText(text));
}

/** The title of a listing in a row; listings outside of the page that was read have none. */
export function titleOf(title: string | null): HTMLElement | string {
  return title === null ? 'an earlier listing' : untrustedText(oneLine(title, 80) || 'Untitled');
}

export function timeOf(iso: string): HTMLElement {
  return element('time', { datetime: iso, class: 'nowrap' }, instant(iso));
}

export function section(title: string, ...content: readonly Content[]): HTMLElement {
  return element('section', { class: 'stack' }, element('h2', {}, title), ...content);
}

/** The few figures that matter most, each with a note below it. */
export function keyFigures(
  figures: readonly (readonly [label: Content, value: string, note?: string])[],
): HTMLElement {
  return element(
    'dl',
    { class: 'key-figures' },
    ...figures.map(([label, value, note]) =>
      element(
        'div',
        { class: 'key-figure' },
        element('dt', {}, label),
        element('dd', {}, value),
        note !== undefined && element('dd', { class: 'fine' }, note),
      ),
    ),
  );
}

export function facts(rows: readonly (readonly [string, Content])[]): HTMLElement {
  const parts = rows.flatMap(([label, value]) => [element('dt', {}, label), element('dd', {}, value)]);
  return element('dl', { class: 'facts' }, ...parts);
}

/** Labels with figures; with `hasTotal`, the last row is the sum. */
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
 * A table that scrolls on a wide screen and is a list of cards on a phone. Heads that begin with `#` mark columns
 * of amounts. The roles are explicit, since some browsers drop them when the layout is not a table's.
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

/** A link that saves the content as a file. It is made in the browser, so the seller is not called again. */
export function offerFile(
  content: string | Uint8Array<ArrayBuffer>,
  name: string,
  { type = 'application/json', label = 'Save as a file' } = {},
): HTMLElement {
  const href = URL.createObjectURL(new Blob([content], { type }));
  return element('a', { class: 'button quiet', download: name, href }, label);
}

export const offerCsv = (text: string, name: string) =>
  offerFile(text, name, { type: 'text/csv', label: `Save ${name}` });

/** Stands in for the entries of an empty list. */
export function emptyText(): HTMLElement {
  return element('p', { class: 'soft' }, 'None.');
}

/** Stands where a list would be: why there is none, and what to do next. */
export function emptyPlace(title: string, text: string, ...next: readonly HTMLElement[]): HTMLElement {
  return element(
    'div',
    { class: 'empty' },
    element('p', {}, element('strong', {}, title)),
    element('p', {}, text),
    ...next,
  );
}
