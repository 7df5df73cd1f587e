export { aboutMarketplace } from './about-marketplace.ts';
