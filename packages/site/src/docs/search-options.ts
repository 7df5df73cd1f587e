import type { Options } from 'minisearch';

/** A section of a page, as it is found. */
export interface SearchSection {
  readonly id: number;
  readonly path: string;
  readonly page: string;
  readonly heading: string;
  readonly text: string;
}

/** The same for the index that is built and for the browser that reads it. The text itself is not kept. */
export const SEARCH_OPTIONS: Options<SearchSection> = {
  fields: ['heading', 'page', 'text'],
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
