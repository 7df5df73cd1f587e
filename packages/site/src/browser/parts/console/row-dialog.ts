import { errorText } from '../../../order/error-text.ts';
import { element } from '../dom.ts';
import { doneNote } from '../say-done.ts';

/** What the content of a dialog may do with it. */
export interface OpenDialog {
  close(): void;
  /** Draws the content anew, from what is true by now, and says above it what was done. */
  redraw(done: string): Promise<void>;
}

interface RowDialog {
  /** On the button. */
  readonly text: string;
  /** What it is about: for readers of screens, who meet many such buttons, and as the title. */
  readonly what: string;
  draw(dialog: OpenDialog): Promise<readonly HTMLElement[]> | readonly HTMLElement[];
}

/** The one action of a row: a dialog over the page. Escape closes it, and the focus goes back to the row. */
export function rowDialog({ text, what, draw }: RowDialog): HTMLElement {
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
    document.querySelector('#keyed-content')?.append(dialog);
    dialog.showModal();
    const fill = async (done: string | null): Promise<void> => {
      try {
        const note = done === null ? [] : [doneNote(done)];
        content.replaceChildren(...note, ...(await draw({ close: () => dialog.close(), redraw: fill })));
        // What had the focus is gone.
        note[0]?.focus();
      } catch (error) {
        content.replaceChildren(element('p', { class: 'note stop', role: 'alert' }, errorText(error)));
      }
    };
    await fill(null);
  });
  return button;
}
