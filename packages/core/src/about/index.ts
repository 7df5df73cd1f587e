export { aboutMarketplace } from './about-marketplace.ts';
export { getHealth } from './get-health.ts';
