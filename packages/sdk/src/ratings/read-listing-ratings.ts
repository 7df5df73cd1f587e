import type { GetListingHistoryOutput } from '../generated/api.ts';
import { pageAsRead } from '../log/page-as-read.ts';

/** An entry of a listing's history: of its members, those that the numbers are made with. */
export type HistoryLink = Pick<
  GetListingHistoryOutput['entries'][number],
  'version' | 'digest' | 'changedAt'
>;

/** What a marketplace shows of a listing's ratings. */
export interface ListingRatings {
  readonly listingId: string;
  /** Of the listing: each entry is signed. */
  readonly history: readonly HistoryLink[];
  /** All pages of ratings as they came, each with its signature. */
  readonly pages: readonly string[];
}

const PAGE = 100;

/** @param ask gives the body of an answer to GET of this path below the base URL, with these query parameters. */
export async function readListingRatings(
  listingId: string,
  ask: (path: string, query: Readonly<Record<string, string>>) => Promise<string>,
): Promise<ListingRatings> {
  const path = `/marketplace/listings/${encodeURIComponent(listingId)}`;
  const history: HistoryLink[] = [];
  for (let after: number | null = 0; after !== null; ) {
    const text = await ask(`${path}/history`, after === 0 ? {} : { after: String(after) });
    const { entries, nextAfter } = pageAsRead(text);
    if (Array.isArray(entries)) history.push(...(entries as unknown as HistoryLink[]));
    after = typeof nextAfter === 'number' && nextAfter > after ? nextAfter : null;
  }
  const pages: string[] = [];
  for (let total = 1; pages.length * PAGE < total; ) {
    const offset = String(pages.length * PAGE);
    const text = await ask(`${path}/ratings`, { limit: String(PAGE), offset });
    pages.push(text);
    const page = pageAsRead(text);
    // What is counted may be more than what is shown: a page that is not full is the last.
    const isFull = Array.isArray(page.ratings) && page.ratings.length >= PAGE;
    total = isFull ? Number(page.total) : 0;
  }
  return { listingId, history, pages };
}
