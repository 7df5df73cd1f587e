import { element } from '../parts/dom.ts';

/** The four kinds of state, as `StateBadge` draws them on the server: the word always stands beside the colour. */
export function stateBadge(kind: 'waiting' | 'done' | 'attention' | 'failed', text: string): HTMLElement {
  return element('span', { class: `state ${kind}` }, text);
}
