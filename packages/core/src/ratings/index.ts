/** What paying buyers say of what they bought. */
export { attestRefunds } from './attest-refunds.ts';
export { listRatings } from './list-ratings.ts';
export { rateListing } from './rate-listing.ts';
