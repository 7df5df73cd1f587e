import type { Database } from '../kernel/ports/database.ts';
import { listingsOfPage } from './listings-of-page.ts';
import { type BrowseFilter, matchExpression, type Sort } from './search.rules.ts';
import { type BrowsePage, browseDocuments } from './search.store.ts';

const NOTHING: BrowsePage = { summaries: [], total: 0 };

/** A page of what is for sale, as the summaries show it, and the count of all that fit. */
export async function findDocuments<View>(
  search: Database,
  words: string | undefined,
  filter: Omit<BrowseFilter, 'match'>,
  sort: Sort,
  page: { readonly limit: number; readonly offset: number },
): Promise<{ listings: View[]; total: number }> {
  const hasWords = words !== undefined && words.trim() !== '';
  const match = hasWords ? matchExpression(words) : null;
  // A text without any word in it, as `!?`, matches nothing.
  const found =
    hasWords && match === null ? NOTHING : await browseDocuments(search, { ...filter, match }, sort, page);
  return { listings: listingsOfPage(found), total: found.total };
}
