export { getBroadcast } from './get-broadcast.ts';
export { getMarketplaceStats } from './get-marketplace-stats.ts';
export { getStats } from './get-stats.ts';
