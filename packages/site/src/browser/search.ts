import { findSuggestions, type Suggestion } from './find/suggestions.ts';
import { element, untrustedText } from './parts/dom.ts';
import { showLocalTimes } from './parts/local-time.ts';

// What happens on every page: times are shown by the reader's clock, `/` goes to the search, arrows walk suggestions and rows, Enter opens. The
// form works without it.

const PAUSE_MS = 150;
const MIN_LETTERS = 2;

const forms = [...document.querySelectorAll<HTMLFormElement>('form[data-find]')];
for (const [index, form] of forms.entries()) suggestIn(form, index);
document.addEventListener('keydown', goToSearch);
document.addEventListener('keydown', walkRows);
showLocalTimes();

function goToSearch(event: KeyboardEvent): void {
  if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
  // The last box is the largest one: that of the page itself.
  const field = forms.at(-1)?.querySelector<HTMLInputElement>('input[type=search]');
  if (!field) return;
  event.preventDefault();
  field.focus();
  field.select();
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && (target.isContentEditable || target.matches('input, select, textarea'))
  );
}

function walkRows(event: KeyboardEvent): void {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
  const links = [...document.querySelectorAll<HTMLAnchorElement>('.row-title a')];
  const place = links.indexOf(event.target as HTMLAnchorElement);
  if (place === -1) return;
  event.preventDefault();
  links[place + (event.key === 'ArrowDown' ? 1 : -1)]?.focus();
}

function suggestIn(form: HTMLFormElement, index: number): void {
  const field = form.querySelector<HTMLInputElement>('input[type=search]');
  if (!field) return;
  const list = element('ul', { id: `suggestions-${index}`, class: 'suggestions', role: 'listbox' });
  list.setAttribute('aria-label', 'Suggestions');
  list.hidden = true;
  const status = element('p', { class: 'visually-hidden', role: 'status' });
  form.append(list, status);
  for (const [name, value] of [
    ['role', 'combobox'],
    ['aria-expanded', 'false'],
    ['aria-controls', list.id],
    ['aria-autocomplete', 'list'],
    ['aria-keyshortcuts', '/'],
  ] as const)
    field.setAttribute(name, value);

  let asking: AbortController | null = null;
  let active = -1;
  const options = () => [...list.querySelectorAll<HTMLElement>('[role=option]')];

  const close = () => {
    asking?.abort();
    list.hidden = true;
    active = -1;
    field.setAttribute('aria-expanded', 'false');
    field.removeAttribute('aria-activedescendant');
  };

  const choose = (next: number) => {
    const all = options();
    active = (next + all.length + 1) % (all.length + 1);
    if (active === all.length) active = -1;
    for (const [place, option] of all.entries())
      option.setAttribute('aria-selected', String(place === active));
    const chosen = all[active];
    if (chosen) {
      field.setAttribute('aria-activedescendant', chosen.id);
      chosen.scrollIntoView({ block: 'nearest' });
    } else field.removeAttribute('aria-activedescendant');
  };

  const draw = (found: readonly Suggestion[]) => {
    list.replaceChildren(
      ...found.map(({ text, note, href, isForSale }, place) => {
        const option = element(
          'li',
          { id: `suggestion-${index}-${place}`, role: 'option', 'aria-selected': 'false' },
          element('span', isForSale ? { class: 'for-sale' } : {}, untrustedText(text)),
          element('span', { class: 'fine' }, note),
        );
        option.dataset.href = href;
        // Before the field loses the focus, and with it the list.
        option.addEventListener('mousedown', (event) => event.preventDefault());
        option.addEventListener('click', () => location.assign(href));
        return option;
      }),
    );
    active = -1;
    list.hidden = found.length === 0;
    field.setAttribute('aria-expanded', String(found.length > 0));
    status.textContent =
      found.length === 0 ? '' : `${found.length} suggestions. Use the arrow keys, and Enter to open one.`;
  };

  const ask = async () => {
    asking?.abort();
    const words = field.value.trim();
    if (words.length < MIN_LETTERS) return close();
    const request = new AbortController();
    asking = request;
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    if (request.signal.aborted) return;
    // Suggestions are a convenience: without an answer the form does its work.
    const found = await findSuggestions(form.dataset.find ?? '/api', words, request.signal).catch(() => []);
    if (!request.signal.aborted && document.activeElement === field) draw(found);
  };

  field.addEventListener('input', () => void ask());
  field.addEventListener('blur', close);
  form.addEventListener('submit', (event) => {
    const href = options()[active]?.dataset.href;
    if (list.hidden || href === undefined) return;
    event.preventDefault();
    location.assign(href);
  });
  field.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && !list.hidden) {
      event.preventDefault();
      close();
    }
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
    event.preventDefault();
    if (!list.hidden) choose(active + (event.key === 'ArrowDown' ? 1 : -1));
    else if (event.key === 'ArrowDown') document.querySelector<HTMLAnchorElement>('.row-title a')?.focus();
  });
}
