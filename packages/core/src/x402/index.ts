/** Pay-per-query in USDC: the x402 protocol in front of purchases on their rail of that name. */

export { listX402Resources } from './discovery/list-x402-resources.ts';
export { searchX402Resources } from './discovery/search-x402-resources.ts';
export { challengePayer } from './payer/challenge-payer.ts';
export { provePayer } from './payer/prove-payer.ts';
export { queryListing } from './queries/query-listing.ts';
export { queryListingWithBody } from './queries/query-listing-with-body.ts';
export { closeTab } from './tabs/close-tab.ts';
export { getTab } from './tabs/get-tab.ts';
export { openTab } from './tabs/open-tab.ts';
export { queryTab } from './tabs/query-tab.ts';
