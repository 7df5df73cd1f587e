import { rowDialog as dialogOfRow } from '../parts/console/row-dialog.ts';
import { sayDone } from '../parts/say-done.ts';
import type { OperatorSession } from './operator-session.ts';

/** Closes the dialog, draws the page anew and says what was done. */
export type Done = (text: string) => Promise<null>;

interface OperatorDialog {
  readonly text: string;
  readonly what: string;
  draw(done: Done): Promise<readonly HTMLElement[]> | readonly HTMLElement[];
}

/** The one action of a row, after which the page is drawn anew. */
export function rowDialog(session: OperatorSession, { draw, ...dialog }: OperatorDialog): HTMLElement {
  return dialogOfRow({
    ...dialog,
    draw: ({ close }) =>
      draw((text) => {
        close();
        return sayDone(session, text);
      }),
  });
}
