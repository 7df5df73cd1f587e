import type { MarketplaceClient } from '@agent-marketplace/sdk';

const PAGE = 100;

/**
 * The public statements about a seller's listings that are on the market, by digest: each change of a listing, and each
 * rating. What they are is said in a few words. The log itself names no seller.
 */
export async function statementsOfSeller(
  client: MarketplaceClient,
  sellerId: string,
): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  const all = { samples: 'include', unreachable: 'include', fields: 'sellerId', limit: PAGE } as const;
  for await (const listing of client.items('browseListings', 'listings', all)) {
    if (listing.sellerId !== sellerId) continue;
    const listingId = listing.id;
    for await (const { digest, version } of client.items('getListingHistory', 'entries', { listingId }))
      found.set(digest, `version ${version} of listing ${listingId}`);
    for await (const { attestation } of client.items('listRatings', 'ratings', { listingId, limit: PAGE }))
      found.set(attestation.digest, `a rating of listing ${listingId}`);
  }
  return found;
}
