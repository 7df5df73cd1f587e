import MiniSearch from 'minisearch';
import { SEARCH_OPTIONS, type SearchSection } from '../docs/search-options.ts';
import { element } from './parts/dom.ts';

// Searches the documentation in the browser. Until it runs, the field is hidden: the pages do without.

const MAX_RESULTS = 12;

const form = document.querySelector<HTMLFormElement>('.docs-search[data-index]');
if (form) enableSearch(form, form.dataset.index ?? '');

function enableSearch(search: HTMLFormElement, indexPath: string): void {
  const field = search.querySelector('input');
  const status = search.querySelector('[role=status]');
  const list = search.querySelector('ul');
  if (!field || !status || !list) return;
  let index: Promise<MiniSearch<SearchSection>> | null = null;
  const results = () => [...list.querySelectorAll('a')];

  async function show(query: string): Promise<void> {
    if (query === '') {
      status?.replaceChildren();
      list?.replaceChildren();
      return;
    }
    index ??= loadIndex(indexPath);
    const loaded = await index.catch(() => null);
    // The reader went on typing meanwhile.
    if (field?.value.trim() !== query) return;
    if (loaded === null) {
      // The next letter tries again.
      index = null;
      status?.replaceChildren('The search could not be loaded. Check your connection.');
      return;
    }
    const found = loaded.search(query);
    status?.replaceChildren(countText(found.length));
    list?.replaceChildren(
      ...found.slice(0, MAX_RESULTS).map(({ path, page, heading }) => {
        const within = heading === page ? [] : [element('span', { class: 'fine' }, page)];
        return element('li', {}, element('a', { href: path }, heading, ...within));
      }),
    );
  }

  field.addEventListener('input', () => show(field.value.trim()));
  search.addEventListener('submit', (event) => {
    event.preventDefault();
    results()[0]?.click();
  });
  search.addEventListener('keydown', (event) => {
    const all = results();
    const at = all.indexOf(document.activeElement as HTMLAnchorElement);
    if (event.key === 'ArrowDown') all[Math.min(at + 1, all.length - 1)]?.focus();
    else if (event.key === 'ArrowUp') (all[at - 1] ?? field).focus();
    else if (event.key === 'Escape') {
      field.value = '';
      field.focus();
      show('');
    } else return;
    event.preventDefault();
  });
  document.addEventListener('keydown', (event) => {
    const isTyping = event.target instanceof HTMLElement && event.target.matches('input, textarea, select');
    if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    field.focus();
  });
  search.hidden = false;
}

async function loadIndex(path: string): Promise<MiniSearch<SearchSection>> {
  const response = await fetch(path);
  if (!response.ok) throw new Error(`The index is not there: ${response.status}.`);
  return MiniSearch.loadJSON(await response.text(), SEARCH_OPTIONS);
}

function countText(count: number): string {
  if (count === 0) return 'Nothing found. Try another word.';
  if (count > MAX_RESULTS) return `The best ${MAX_RESULTS} of ${count} places`;
  return count === 1 ? '1 place' : `${count} places`;
}
