import type { Desk } from './desk.ts';
import { element } from './dom.ts';

/** Draws the page anew and says above it what was done; the focus goes there, since what had it is gone. */
export async function sayDone({ refresh }: Pick<Desk, 'refresh'>, text: string): Promise<null> {
  await refresh();
  const note = doneNote(text);
  document.querySelector('#desk')?.prepend(note);
  note.focus();
  return null;
}

/** Says what was done; it takes the focus once it is on the page. */
export function doneNote(text: string): HTMLElement {
  return element('p', { class: 'note done', role: 'status', tabindex: '-1' }, text);
}
