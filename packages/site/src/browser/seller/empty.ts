import { element } from '../parts/dom.ts';

/** Stands where a list would be: why there is none, and what to do next. */
export function empty(title: string, text: string, ...next: readonly HTMLElement[]): HTMLElement {
  return element(
    'div',
    { class: 'empty' },
    element('p', {}, element('strong', {}, title)),
    element('p', {}, text),
    ...next,
  );
}
