import type { Options } from 'minisearch';

/** A section of a page, as it is found. */
export interface SearchSection {
  readonly id: number;
  readonly path: string;
  readonly page: string;
  readonly heading: string;
  readonly text: string;
}

/** They stand in nearly every section: they would find nothing, and be a seventh of the index. */
const FREQUENT = new Set(
  'a an and are as at be by for from has if in is it its no not of on one or so that the they to was what which who with'.split(
    ' ',
  ),
);

/** The same for the index that is built and for the browser that reads it. The text itself is not kept. */
export const SEARCH_OPTIONS: Options<SearchSection> = {
  fields: ['heading', 'page', 'text'],
  processTerm: (term) => (FREQUENT.has(term.toLowerCase()) ? null : term.toLowerCase()),
  storeFields: ['path', 'page', 'heading'],
  searchOptions: {
    // Why something was decided is looked for less often than how it is done.
    boostDocument: (_id, _term, shown) => (String(shown?.path).startsWith('/docs/adr') ? 0.1 : 1),
    boost: { heading: 4, page: 2 },
    prefix: true,
    fuzzy: 0.2,
    combineWith: 'AND',
  },
};
