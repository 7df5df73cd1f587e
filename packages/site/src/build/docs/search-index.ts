import MiniSearch from 'minisearch';
import { SEARCH_OPTIONS, type SearchSection } from '../../docs/search-options.ts';
import type { Guide } from './guides.ts';
import type { ReferencePage } from './reference/reference-page.ts';

/** One row for each clause would make up half of the index, and each says what a guide says. */
const HEADINGS_ONLY: readonly string[] = ['docs/conformance.md', 'docs/adr/packages.md'];

/** The index that browsers search in. */
export function buildSearchIndex(guides: readonly Guide[], reference: readonly ReferencePage[]): string {
  const sections: Omit<SearchSection, 'id'>[] = [
    ...guides.flatMap(({ file, path, title, sections }) =>
      sections.map(({ id, heading, text }) => ({
        path: id === null ? path : `${path}#${id}`,
        page: title,
        heading,
        text: HEADINGS_ONLY.includes(file) ? '' : text,
      })),
    ),
    ...reference.map(({ path, title, searchText }) => ({
      path,
      page: 'API reference',
      heading: title,
      text: searchText,
    })),
  ];
  const index = new MiniSearch<SearchSection>(SEARCH_OPTIONS);
  index.addAll(sections.map((section, id) => ({ id, ...section })));
  return JSON.stringify(index);
}
