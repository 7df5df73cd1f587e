import { averageRating, reputationAt } from '../agents/reputation.rules.ts';
import { viewMeasured } from '../quality/measure.rules.ts';
import type { Listing } from './listing.ts';
import { isQueryRequired } from './query/omitted-query.rules.ts';

/** What a view needs to know of the listing's vertical. */
export interface VerticalNames {
  readonly name: string;
  readonly icon: string;
  readonly categorySlug: string;
}

/** The public view of a listing, its members in canonical order. `nowMs` is the time of the seller's reputation. */
export function viewListing(listing: Listing, vertical: VerticalNames, nowMs: number) {
  const {
    exampleQuery: _query,
    inputSchema: _input,
    outputSchema: _output,
    redelivery: _redelivery,
    ...view
  } = viewListingDetail(listing, vertical, nowMs);
  return view;
}

/** The public view with the schemas that a buyer needs to write a query. */
export function viewListingDetail(listing: Listing, vertical: VerticalNames, nowMs: number) {
  const { seller } = listing;
  return {
    active: listing.status === 'active',
    authorizedUses: listing.authorizedUses,
    betaFree: false,
    betaNote: null,
    collectionMethod: listing.collectionMethod,
    contextTags: listing.contextTags,
    createdAt: listing.createdAt,
    dataDate: listing.dataDate,
    dataFormat: listing.dataFormat,
    dataOrigin: listing.dataOrigin,
    deidentificationLevel: listing.deidentificationLevel,
    demographics: listing.demographics,
    description: listing.description,
    exampleQuery: listing.exampleQuery,
    exclusiveSold: listing.listingType === 'exclusive' && listing.soldCount > 0,
    fingerprint: listing.fingerprint,
    fulfilment: listing.fulfilment,
    healthConsentVerified: listing.healthConsentVerified,
    id: listing.id,
    images: [...listing.images],
    inputSchema: listing.inputSchema,
    isSample: listing.isSample,
    lastModified: listing.lastModified,
    listingType: listing.listingType,
    maxCopies: listing.maxCopies,
    measured: viewMeasured(listing.quality),
    meter: listing.meter,
    modificationCount: listing.version - 1,
    modificationHistoryUrl: `/marketplace/listings/${listing.id}/history`,
    outputSchema: listing.outputSchema,
    pictures: picturesOf(listing),
    priceCents: listing.priceCents,
    priceMicros: listing.priceMicros,
    pricingType: listing.pricingType,
    purchaseCount: listing.purchaseCount,
    queryRequired: isQueryRequired(listing),
    ratingAvg: averageRating({ count: listing.ratingCount, sum: listing.ratingSum }),
    ratingCount: listing.ratingCount,
    redelivery: listing.redelivery,
    sellerBadges: badgesOf(listing),
    sellerId: seller.id,
    sellerKind: seller.kind,
    sellerName: seller.name,
    sellerReputation: reputationAt(seller, nowMs),
    sellerState: listing.sellerState,
    soldCount: soldCountOf(listing),
    sourceAttribution: listing.sourceAttribution,
    status: listing.status,
    subcategory: listing.subcategory,
    title: listing.title,
    unreachableSince: seller.endpoint?.unreachableSince ?? null,
    verticalCategory: vertical.categorySlug,
    verticalIcon: vertical.icon,
    verticalName: vertical.name,
    verticalSlug: listing.verticalSlug,
    version: listing.version,
    viewCount: listing.viewCount,
  };
}

/** Off the market, it shows none. */
function picturesOf({ id, status, pictures }: Listing) {
  if (status !== 'active') return [];
  const pathOf = (sha256: string) => `/marketplace/listings/${id}/images/${sha256}`;
  return pictures.map(({ height, large, small, width }) => ({
    height,
    large: pathOf(large),
    small: pathOf(small),
    width,
  }));
}

/**
 * A copy of a scarce listing counts as sold once it is reserved. For other listings only deliveries count: opening
 * checkouts without paying must not make a listing look popular.
 */
function soldCountOf({ listingType, soldCount, purchaseCount }: Listing): number {
  return listingType === 'standard' ? purchaseCount : soldCount;
}

export function badgesOf({ seller }: Listing): string[] {
  if (seller.kind === 'platform') return ['platform'];
  return seller.endpoint ? ['verified'] : [];
}
