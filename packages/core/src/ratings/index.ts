/** What paying buyers say of what they bought. */
export { listRatings } from './list-ratings.ts';
export { rateListing } from './rate-listing.ts';
