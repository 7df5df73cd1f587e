import type { BrowsePage } from './browse.store.ts';
import { listingsOfPage } from './listings-of-page.ts';
import { correctText } from './search.rules.ts';

/** A page of a search as answers show it. What does not apply is left out. `fields`: the members of a listing to give. */
export function viewSearch<View>(text: string | undefined, fields: readonly string[], found: BrowsePage) {
  const { corrections = {}, matched, total } = found;
  const isCorrected = text !== undefined && Object.keys(corrections).length > 0;
  return {
    correctedQuery: isCorrected ? { correctedQuery: correctText(text, corrections) } : {},
    listings: listingsOfPage<View>(found, fields),
    matched: matched === undefined ? {} : { matched },
    total,
  };
}
