import { visibleText } from '../../../format/text.ts';
import { element } from '../dom.ts';

/** The only one, or the one whose button is pressed; null where there is none. */
export function chooseOne<T extends { readonly name: string }>(
  all: readonly T[],
  show: (buttons: HTMLElement) => void,
): Promise<T | null> {
  const [first = null, ...others] = all;
  if (others.length === 0) return Promise.resolve(first);
  return new Promise((resolve) => {
    const buttons = all.map((one) => {
      const button = element('button', { type: 'button', class: 'quiet' }, visibleText(one.name));
      button.addEventListener('click', () => resolve(one));
      return button;
    });
    show(element('p', { class: 'actions' }, ...buttons));
  });
}
