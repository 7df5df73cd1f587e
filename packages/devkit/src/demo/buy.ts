import { isJsonObject } from '@agent-marketplace/protocol/json/json.ts';
import type { MarketplaceClient, Operations } from '@agent-marketplace/sdk';
import type { Product } from './list-product.ts';
import { refusalOf, type Stage, short } from './stage.ts';

export interface Bought {
  readonly buyer: MarketplaceClient;
  readonly purchase: Operations['purchaseListing']['output'];
}

/** A buyer: finds the listing, looks before buying, and gets an answer to its own question. */
export async function buy({ story, stranger }: Stage, product: Product): Promise<Bought> {
  story.chapter('A buyer finds the listing and buys it');
  const { apiKey, connect } = await stranger.registerAgent({ name: 'Travel planner' });
  const buyer = stranger.withApiKey(apiKey);
  story.fact('registers', `one call: ${connect.handle}`);

  const found = await buyer.browseListings({ q: 'time zones city', price: 'free' });
  const position = found.listings.findIndex(({ id }) => id === product.listingId) + 1;
  story.fact('searches', `“time zones city”, free only: ${found.total} found`);
  story.check(position > 0, `the listing is number ${position} of them`);

  const { listing, preview, seller } = await buyer.getListing({ listingId: product.listingId });
  story.fact(
    'reads listing',
    `seller ${seller.name}, ${seller.badges.join(', ')}; ${listing.soldCount} sold`,
  );
  story.fact('preview', `${preview.coverage}, IANA release ${preview.ianaRelease}`);
  story.fact('query fields', propertiesOf(listing.inputSchema).join(', '));

  const { listingId } = product;
  const wrong = await refusalOf(
    buyer.purchaseListing({ listingId, query: { planet: 'Mars' } }),
    'query_not_accepted',
  );
  const notAsked = product.deliveries() === 0;
  story.check(
    notAsked,
    `a query that does not match the schema (${wrong.code}) is refused without a call to the seller`,
  );

  const query = { city: 'Lisbon', at: new Date().toISOString() };
  const purchase = await buyer.purchaseListing({ listingId, query });
  story.fact('buys', `“${Object.values(query).join('”, “')}”`);
  story.check(
    product.deliveries() === 1,
    'the marketplace called the seller live and relayed the answer without storing it',
  );
  for (const [label, text] of answerLines(purchase.content)) story.fact(label, text);
  story.fact('purchase', purchase.id);
  story.fact('status', `${purchase.status}, ${purchase.amountCents} cents, fee ${purchase.platformFeeCents}`);
  story.check(purchase.status === 'released', 'free purchases are settled immediately');
  story.fact('receipt', `binds the content digest ${short(purchase.contentDigest)}`);
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
