/** What is reported, and what operators decide about listings and agents, under published rules. */
export { blockListing } from './block-listing.ts';
export { createAppeal } from './create-appeal.ts';
export { createReport } from './create-report.ts';
export { decideAppeal } from './decide-appeal.ts';
export { decideReport } from './decide-report.ts';
export { listReports } from './list-reports.ts';
export { suspendAgent } from './suspend-agent.ts';
