export { browseListings } from './browse-listings.ts';
export { createListing } from './create-listing.ts';
export { deactivateListing } from './deactivate-listing.ts';
export { getListing } from './get-listing.ts';
export { getListingHistory } from './get-listing-history.ts';
export { getVertical } from './get-vertical.ts';
export { refreshAfterChange, refreshSearchDocuments, sweepSearchOutbox } from './index-listings.ts';
export type { Listing, ListingEndpoint, ListingSeller } from './listing.ts';
export { listingErrors } from './listings.errors.ts';
export { listingId } from './listings.schema.ts';
export {
  activatePendingListings,
  addViews,
  findListing,
  findListings,
  insertListing,
} from './listings.store.ts';
export { type ListingDraft, newListing } from './new-listing.ts';
export { checkAgainstSchema } from './query-schema.ts';
export { updateListing } from './update-listing.ts';
