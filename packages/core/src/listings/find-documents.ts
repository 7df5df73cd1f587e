import type { Database } from '../kernel/ports/database.ts';
import type { ListingView } from './listings.schema.ts';
import { listingsOfPage } from './listings-of-page.ts';
import { type BrowseFilter, matchExpression, type Sort } from './search.rules.ts';
import { type BrowsePage, browseDocuments } from './search.store.ts';

const NOTHING: BrowsePage = { summaries: [], total: 0 };

/** A page of what is for sale, and how much there is in all. */
export async function findDocuments(
  search: Database,
  words: string | undefined,
  filter: Omit<BrowseFilter, 'match'>,
  sort: Sort,
  page: { readonly limit: number; readonly offset: number },
): Promise<{ listings: ListingView[]; total: number }> {
  const isAsked = words !== undefined && words.trim() !== '';
  const match = isAsked ? matchExpression(words) : null;
  // A text without any word in it fits nothing.
  const found =
    isAsked && match === null ? NOTHING : await browseDocuments(search, { ...filter, match }, sort, page);
  return { listings: listingsOfPage(found), total: found.total };
}
