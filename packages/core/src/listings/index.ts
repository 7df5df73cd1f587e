/** What is for sale: publishing, changing and reading listings, and writing their search documents. */
export { createAlert } from './alerts/create-alert.ts';
export { deleteAlert } from './alerts/delete-alert.ts';
export { listAlerts } from './alerts/list-alerts.ts';
export { matchAlerts } from './alerts/match-alerts.ts';
export { requireNotBlocked } from './blocks/require-not-blocked.ts';
export { setListingBlock } from './blocks/set-listing-block.ts';
export { fields, q, readFields, searchFields } from './browse/search.schema.ts';
export { browseListings } from './browse-listings.ts';
export { createListing } from './create-listing.ts';
export { deactivateListing } from './deactivate-listing.ts';
export { getListing } from './get-listing.ts';
export { getListingHistory } from './get-listing-history.ts';
export { getVertical } from './get-vertical.ts';
export { fingerprintAt } from './history.rules.ts';
export { fetchListingImages } from './images/fetch-listing-images.ts';
export { getListingImage } from './images/get-listing-image.ts';
export type { Listing, ListingEndpoint, ListingSeller } from './listing.ts';
export { listingErrors } from './listings.errors.ts';
export type { ListingView } from './listings.schema.ts';
export {
  AGENT_NOTICE,
  description,
  listingId,
  listingPage,
  meter,
  meteredUnit,
  preview,
  priceMicros,
  title,
} from './listings.schema.ts';
export {
  activatePendingListings,
  addViews,
  clearConsentMarks,
  deleteListings,
  findListing,
  findListingIds,
  findListings,
  findPurchasedListing,
  insertListing,
  pauseListings,
  pauseUnpayable,
  readHistory,
} from './listings.store.ts';
export { getListingQuality } from './measured/get-listing-quality.ts';
export { type ListingDraft, newListing } from './new-listing.ts';
export { listHealthDeclarations } from './personal-health/list-health-declarations.ts';
export { reviewHealthDeclaration } from './personal-health/review-health-declaration.ts';
export { HEALTH_MIN_PRICE_CENTS, isPersonalHealth, NAME_REMOVED_MESSAGE } from './personal-health.rules.ts';
export { type Meter, MICROS_PER_CENT, priceMicrosOf, usedMicrosOf } from './price/price.rules.ts';
export { publishedListing, publishListing } from './publish-listing.ts';
export { holdsName } from './published-name.rules.ts';
export { isQueryRequired, queryForOmitted } from './query/omitted-query.rules.ts';
export { refreshAfterChange, refreshSearchDocuments, sweepSearchOutbox } from './refresh-search-documents.ts';
export { closedRailsFor } from './state/closed-rails-for.ts';
export { isScarce, isSoldOut } from './state/listing-state.rules.ts';
export { type AmountLimits, railLimits } from './state/rail-limits.ts';
export { takeOffMarket } from './state/take-off-market.ts';
export { type X402Offer, x402Obstacle } from './state/x402-offer.rules.ts';
export { readX402Offer, watchX402 } from './state/x402-offer.ts';
export { listingsAnswer, publishedListingAnswer } from './tools/brief-listing.rules.ts';
export {
  countPurchase,
  giveUnitBack,
  isOnSale,
  type ListingVersion,
  reservePaidUnit,
  reserveUnit,
  takeUnitAndCount,
} from './units.store.ts';
export { updateListing } from './update-listing.ts';
