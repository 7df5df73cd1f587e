/** What operators decide about listings and agents, under published rules. */
export { blockListing } from './block-listing.ts';
export { suspendAgent } from './suspend-agent.ts';
