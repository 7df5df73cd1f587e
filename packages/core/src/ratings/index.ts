/** What paying buyers say of what they bought. */

export { attestRatings } from './attest-ratings.ts';
export { listRatings } from './list-ratings.ts';
export { numberRatings } from './number-ratings.ts';
export { rateListing } from './rate-listing.ts';
export { setRatingRemoved } from './ratings.store.ts';
export { uncountRatings } from './uncounted-ratings.store.ts';
