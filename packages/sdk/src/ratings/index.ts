/** Verifies against the log of a marketplace that all ratings of a listing are shown, offline. */
export { type ListingRatings, readListingRatings } from './read-listing-ratings.ts';
export {
  type RatingFault,
  type RatingFinding,
  type RatingsEvidence,
  type RatingsVerified,
  verifyRatings,
} from './verify-ratings.ts';
