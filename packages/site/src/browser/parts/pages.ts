import { element } from './dom.ts';

interface Paged<Page> {
  /** One page by itself: a table, or what says that there is nothing. */
  draw(page: Page): HTMLElement;
  /** The page that a cursor names. */
  next(cursor: string): Promise<Page>;
}

/** A table in pages: the first one, and a button that adds the rows of the next. */
export function inPages<Page extends { readonly nextCursor: string | null }>(
  first: Page,
  { draw, next }: Paged<Page>,
): readonly [list: HTMLElement, more: HTMLElement] {
  const list = draw(first);
  const more = element('div', { class: 'actions' });
  const offer = ({ nextCursor }: Page): HTMLElement => {
    more.replaceChildren();
    if (nextCursor === null) return list;
    const button = element('button', { type: 'button', class: 'quiet' }, 'Show more');
    button.addEventListener('click', async () => {
      const page = await next(nextCursor);
      list.querySelector('tbody')?.append(...draw(page).querySelectorAll('tbody > tr'));
      // The button that had the focus is gone.
      offer(page).focus();
    });
    more.append(button);
    return button;
  };
  offer(first);
  return [list, more];
}
