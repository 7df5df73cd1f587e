import type { PlatformAnswers } from '../kernel/ports/platform-answers.ts';
import { platformListing } from './platform-listings.ts';

export type { PlatformListing } from './platform-listing.ts';
export { PLATFORM_LISTINGS, platformListing } from './platform-listings.ts';
export { publishPlatformListings } from './publish-platform-listings.ts';

/** Deliveries of the platform's own listings. */
export const platformAnswers: PlatformAnswers = {
  answer: (listingId, query, now) => platformListing(listingId)?.answer(query, now) ?? null,
};
