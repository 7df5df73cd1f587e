// @ts-check
import { appendFileSync } from 'node:fs';
import { createMarketplaceClient, MarketplaceError } from '@agent-marketplace/sdk';
import { listing } from './src/product.js';

// npm run register | list | buy: what a seller says to the marketplace. What is learnt is kept in .env.

try {
  process.loadEnvFile('.env');
} catch {
  // What is not in the file may be in the environment.
}
const { MARKETPLACE = '', CALLBACK_URL = '', SELLER_KEY, LISTING_ID } = process.env;
const [command = ''] = process.argv.slice(2);
const anyone = createMarketplaceClient({ baseUrl: MARKETPLACE });

/** @param {Record<string, string>} values */
function remember(values) {
  const lines = Object.entries(values).map(([name, value]) => `${name}=${value}\n`);
  appendFileSync('.env', lines.join(''), { mode: 0o600 });
}

function asSeller() {
  if (SELLER_KEY === undefined) throw new Error('Register first: npm run register');
  return anyone.withApiKey(SELLER_KEY);
}

const commands = {
  async register() {
    if (SELLER_KEY !== undefined) return 'Registered before: the key is in .env.';
    const { apiKey, sellerId } = await anyone.registerSeller({ name: '__NAME__' });
    // Null only where a key that exists is made a seller's.
    remember({ SELLER_KEY: apiKey ?? '', SELLER_ID: sellerId });
    return `Registered as seller ${sellerId}. The key is in .env. Start the server anew, so that it knows its seller.`;
  },
  async list() {
    const seller = asSeller();
    await seller.setDeliveryEndpoint({ callbackUrl: CALLBACK_URL });
    if (LISTING_ID !== undefined) {
      const { title, description, preview, priceCents } = listing;
      // The schema and the example stay as they were listed: for others, take LISTING_ID out of .env and list anew.
      await seller.updateListing({ listingId: LISTING_ID, title, description, preview, priceCents });
      return `Changed: ${LISTING_ID}`;
    }
    const { listing: listed, claimUrl } = await seller.createListing({ ...listing, consent: true });
    remember({ LISTING_ID: listed.id });
    const missing = claimUrl ? ` It goes live when somebody has connected payouts: ${claimUrl}` : '';
    return `For sale: ${listed.id} (${listed.status}).${missing} Buy one: npm run buy`;
  },
  async buy() {
    if (LISTING_ID === undefined) throw new Error('List it first: npm run list');
    const { apiKey } = await anyone.registerAgent({ name: 'a buyer of __NAME__' });
    const buyer = anyone.withApiKey(apiKey);
    const { status, content } = await buyer.purchaseListing({
      listingId: LISTING_ID,
      query: listing.exampleQuery,
    });
    return `${status}: ${JSON.stringify(content)}`;
  },
};

try {
  if (!(command in commands)) throw new Error('One of: npm run register, npm run list, npm run buy');
  console.log(await commands[/** @type {keyof typeof commands} */ (command)]());
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  if (error instanceof MarketplaceError)
    for (const { path, message } of error.fields) console.error(`${path}: ${message}`);
  process.exitCode = 1;
}
