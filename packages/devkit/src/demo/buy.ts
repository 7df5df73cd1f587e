import { isJsonObject } from '@agent-marketplace/core/kernel/json/json.ts';
import type { MarketplaceClient, Operations } from '@agent-marketplace/sdk';
import type { Shop } from './open-shop.ts';
import { refusalOf, type Stage, short } from './stage.ts';

export interface Bought {
  readonly buyer: MarketplaceClient;
  readonly purchase: Operations['purchaseListing']['output'];
}

/** A buyer: finds the listing, looks before buying, and gets an answer to its own question. */
export async function buy({ story, stranger }: Stage, shop: Shop): Promise<Bought> {
  story.chapter('A buyer finds it and buys');
  const { apiKey, connect } = await stranger.registerAgent({ name: 'Travel planner' });
  const buyer = stranger.withApiKey(apiKey);
  story.fact('registers', `one call: ${connect.handle}`);

  const found = await buyer.browseListings({ q: 'time zones city', price: 'free' });
  const position = found.listings.findIndex(({ id }) => id === shop.listingId) + 1;
  story.fact('searches', `“time zones city”, free only: ${found.total} found`);
  story.check(position > 0, `the listing is number ${position} of them`);

  const { listing, preview, seller } = await buyer.getListing({ listingId: shop.listingId });
  story.fact('looks closer', `seller ${seller.name}, ${seller.badges.join(', ')}; ${listing.soldCount} sold`);
  story.fact('preview', `${preview.coverage}, IANA release ${preview.ianaRelease}`);
  story.fact('may ask for', propertiesOf(listing.inputSchema).join(', '));

  const { listingId } = shop;
  const wrong = await refusalOf(
    buyer.purchaseListing({ listingId, query: { planet: 'Mars' } }),
    'query_not_accepted',
  );
  const notAsked = shop.deliveries() === 0;
  story.check(notAsked, `a query that does not fit (${wrong.code}) is refused without asking the seller`);

  const query = { city: 'Lisbon', at: new Date().toISOString() };
  const purchase = await buyer.purchaseListing({ listingId, query });
  story.fact('buys', `“${Object.values(query).join('”, “')}”`);
  story.check(
    shop.deliveries() === 1,
    'the seller was asked live, and its answer relayed without storing it',
  );
  for (const [label, text] of answerLines(purchase.content)) story.fact(label, text);
  story.fact('purchase', purchase.id);
  story.fact('status', `${purchase.status}, ${purchase.amountCents} cents, fee ${purchase.platformFeeCents}`);
  story.check(purchase.status === 'released', 'free purchases are settled at once');
  story.fact('receipt', `binds the content by ${short(purchase.contentDigest)}`);
  return { buyer, purchase };
}

function propertiesOf(schema: unknown): string[] {
  return isJsonObject(schema) && isJsonObject(schema.properties) ? Object.keys(schema.properties) : [];
}

function answerLines(content: unknown): [string, string][] {
  const zones =
    isJsonObject(content) && Array.isArray(content.zones) ? content.zones.filter(isJsonObject) : [];
  return zones.map((zone, index) => [
    index === 0 ? 'answer' : '',
    `${zone.zone}: ${zone.localTime}, ${zone.name}${zone.isDaylightSavingTime ? ', daylight saving' : ''}`,
  ]);
}
