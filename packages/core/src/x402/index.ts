/** Pay-per-query in USDC: the x402 protocol in front of purchases on their rail of that name. */
export { challengePayer } from './challenge-payer.ts';
export { listX402Resources } from './list-x402-resources.ts';
export { provePayer } from './prove-payer.ts';
export { queryListing } from './query-listing.ts';
