/** What operators decide about listings, ratings and agents, under published rules, and how it is carried out. */
export { blockListing } from './block-listing.ts';
export { decideAppeal } from './decide-appeal.ts';
export { decideReport } from './decide-report.ts';
export { getReport } from './get-report.ts';
export { limitPurchases } from './limit-purchases.ts';
export { suspendAgent } from './suspend-agent.ts';
