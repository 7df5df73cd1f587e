import type { BrowsePage } from './browse.store.ts';
import { listingsOfPage } from './listings-of-page.ts';
import { correctText } from './search.rules.ts';

/** What was asked of a page of a search. */
interface SearchTerms {
  readonly q?: string | undefined;
  readonly fields?: string | undefined;
}

/** A page of a search as answers show it. What does not apply is left out. */
export function viewSearch<View>({ q: text, fields }: SearchTerms, found: BrowsePage) {
  const { corrections = {}, matched, total } = found;
  const isCorrected = text !== undefined && Object.keys(corrections).length > 0;
  return {
    correctedQuery: isCorrected ? { correctedQuery: correctText(text, corrections) } : {},
    listings: listingsOfPage<View>(found, fields),
    matched: matched === undefined ? {} : { matched },
    total,
  };
}
