import { canonicalJson } from '@agent-marketplace/protocol/json/canonical-json.ts';
import type { Json } from '@agent-marketplace/protocol/json/json.ts';
import { averageRating, bayesianRating } from '../agents/index.ts';
import { searchWordsOf, verticalBySlug } from '../catalogue/index.ts';
import type { Ports } from '../kernel/ports/ports.ts';
import { splitIntoBatches } from '../kernel/split-into-batches.ts';
import {
  listWaiting,
  markIndexed,
  putDocument,
  readMarks,
  readMeanRating,
  removeDocument,
  type SearchDocument,
  spellingsOf,
} from '../search/index.ts';
import type { Listing } from './listing.ts';
import { viewListing } from './listing-view.rules.ts';
import { findListings } from './listings.store.ts';
import { priceMicrosOf } from './price/price.rules.ts';
import { isSoldOut } from './state/listing-state.rules.ts';

type IndexPorts = Pick<Ports, 'market' | 'search' | 'clock'>;

/** How many documents one transaction of the search database writes. */
const BATCH = 50;

/**
 * Brings the search documents of these listings up to date. The outbox keeps what is still to be done, so a failure
 * here loses nothing: the next sweep repeats it.
 */
export async function refreshSearchDocuments(
  ports: IndexPorts,
  listingIds: readonly string[],
): Promise<void> {
  for (const batch of splitIntoBatches(listingIds, BATCH)) await refreshBatch(ports, batch);
}

async function refreshBatch({ market, search, clock }: IndexPorts, ids: readonly string[]): Promise<void> {
  // Marks are read with the rows, in one transaction: a row can only be newer than its mark says.
  const [marks, listings, mean] = await Promise.all([
    readMarks(market, ids),
    findListings(market, ids),
    readMeanRating(market),
  ]);
  const byId = new Map(listings.map((listing) => [listing.id, listing]));
  const nowMs = clock.now();
  await search.commit(
    [...marks].flatMap(([id, mark]) => {
      const listing = byId.get(id);
      return listing && isBrowsable(listing)
        ? putDocument(documentOf(listing, mean, nowMs), mark)
        : removeDocument(id, mark);
    }),
  );
  await market.commit([markIndexed(marks)]);
}

/** Browsing shows what can be bought now. Releasing a reserved copy marks its listing, so it is shown again. */
function isBrowsable(listing: Listing): boolean {
  return listing.status === 'active' && !listing.seller.isSmokeTest && !isSoldOut(listing);
}

/** How many listings one run indexes. The next one, a minute later, continues. */
const SWEEP_LIMIT = 10_000;
const SWEEP_PAGE = 500;

/** Indexes the listings that wait in the outbox. Returns how many there were. */
export async function sweepSearchOutbox(ports: IndexPorts): Promise<number> {
  let indexed = 0;
  while (indexed < SWEEP_LIMIT) {
    const ids = await listWaiting(ports.market, SWEEP_PAGE);
    await refreshSearchDocuments(ports, ids);
    indexed += ids.length;
    if (ids.length < SWEEP_PAGE) break;
  }
  return indexed;
}

export function documentOf(listing: Listing, meanOfAll: number, nowMs: number): SearchDocument {
  const vertical = verticalBySlug(listing.verticalSlug);
  if (!vertical) throw new Error(`Listing ${listing.id} is in an unknown vertical.`);
  const ratings = { count: listing.ratingCount, sum: listing.ratingSum };
  const view = viewListing(listing, vertical, nowMs);
  const tags = [...textsIn(listing.contextTags), listing.subcategory ?? ''].join(' ').trim();
  const verticalWords = searchWordsOf(vertical);
  return {
    listingId: listing.id,
    title: listing.title,
    description: listing.description,
    tags,
    verticalWords,
    spellings: spellingsOf([listing.title, listing.description, tags, verticalWords]),
    verticalSlug: listing.verticalSlug,
    categorySlug: vertical.categorySlug,
    subcategory: listing.subcategory,
    listingType: listing.listingType,
    isSample: listing.isSample,
    isFree: listing.priceCents === 0,
    priceCents: listing.priceCents,
    priceMicros: priceMicrosOf(listing),
    createdAt: listing.createdAt,
    popularity: listing.popularity,
    ratingAvg: ratings.count === 0 ? null : averageRating(ratings),
    quality: bayesianRating(listing, meanOfAll),
    trust: view.sellerReputation,
    successRate: view.measured?.successRate ?? null,
    p95Ms: view.measured?.p95Ms ?? null,
    isReachable: view.unreachableSince === null,
    summary: canonicalJson(view),
  };
}

/** The texts in a JSON value, without the names of members. */
function textsIn(value: Json | null): string[] {
  if (typeof value === 'string') return [value];
  return value !== null && typeof value === 'object' ? Object.values(value).flatMap(textsIn) : [];
}

/**
 * Shows a committed change in browsing at once. If that fails the change stands, and the next sweep of the outbox
 * indexes it.
 */
export async function refreshAfterChange(
  ports: IndexPorts & Pick<Ports, 'log'>,
  listingIds: readonly string[],
): Promise<void> {
  await refreshSearchDocuments(ports, listingIds).catch((error: unknown) => {
    ports.log.error('search_refresh_failed', { listingIds, message: String(error) });
  });
}
