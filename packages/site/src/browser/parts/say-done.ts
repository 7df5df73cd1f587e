import { element } from './dom.ts';
import type { Session } from './session.ts';

/** Draws the page anew and says above it what was done; the focus goes there, since what had it is gone. */
export async function sayDone(
  { refresh }: Pick<Session, 'refresh'>,
  done: string | HTMLElement,
): Promise<null> {
  await refresh();
  const note = doneNote(done);
  document.querySelector('#keyed-content')?.prepend(note);
  note.focus();
  note.scrollIntoView({ block: 'nearest' });
  return null;
}

/** Says what was done, in a sentence or in steps; it takes the focus once it is on the page. */
export function doneNote(done: string | HTMLElement): HTMLElement {
  return element(
    typeof done === 'string' ? 'p' : 'div',
    { class: 'note done', role: 'status', tabindex: '-1' },
    done,
  );
}
