import { errorText } from '../../order/error-text.ts';
import { element } from '../parts/dom.ts';
import { type OperatorDesk, sayDone } from './operator-desk.ts';

/** Closes the dialog, draws the page anew and says what was done. */
export type Done = (text: string) => Promise<null>;

interface RowDialog {
  /** On the button. */
  readonly text: string;
  /** What it is about: for readers of screens, who meet many such buttons, and as the title. */
  readonly what: string;
  draw(done: Done): Promise<readonly HTMLElement[]> | readonly HTMLElement[];
}

/** The one action of a row: a dialog over the page. Escape closes it, and the focus goes back to the row. */
export function rowDialog(desk: OperatorDesk, { text, what, draw }: RowDialog): HTMLElement {
  const button = element(
    'button',
    { type: 'button', class: 'quiet', 'aria-label': `${text}: ${what}` },
    text,
  );
  button.addEventListener('click', async () => {
    const content = element('div', { class: 'stack' }, element('p', { role: 'status' }, 'Loading…'));
    const close = element('button', { type: 'button', class: 'quiet' }, 'Close');
    const head = element('div', { class: 'dialog-head' }, element('h2', { id: 'dialog-title' }, what), close);
    const dialog = element(
      'dialog',
      { 'aria-labelledby': 'dialog-title' },
      head,
      content,
    ) as HTMLDialogElement;
    close.addEventListener('click', () => dialog.close());
    dialog.addEventListener('close', () => dialog.remove());
    document.querySelector('#desk')?.append(dialog);
    dialog.showModal();
    try {
      content.replaceChildren(
        ...(await draw((done) => {
          dialog.close();
          return sayDone(desk, done);
        })),
      );
    } catch (error) {
      content.replaceChildren(element('p', { class: 'note stop', role: 'alert' }, errorText(error)));
    }
  });
  return button;
}
