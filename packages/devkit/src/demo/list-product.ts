import type { MarketplaceClient } from '@agent-marketplace/sdk';
import { timeZones } from '../example-seller/time-zones.ts';
import { startSellerServer } from '../seller-server.ts';
import type { Stage } from './stage.ts';
import { StepFailed } from './story.ts';

export interface Product {
  readonly seller: MarketplaceClient;
  readonly listingId: string;
  /** How often the seller was asked to deliver. */
  deliveries(): number;
}

/** A seller: registered, listed and live. */
export async function listProduct({ story, lifetime, baseUrl, stranger }: Stage): Promise<Product> {
  story.chapter('A seller lists a product');
  const { apiKey, sellerId } = await stranger.registerSeller({ name: 'Clockmaker' });
  if (apiKey === null) throw new StepFailed('The registration of a new seller returned no API key.');
  const seller = stranger.withApiKey(apiKey);
  story.fact('registers', `one call, no human: seller ${sellerId}`);

  const created = await seller.createListing(timeZones.listing);
  const { id: listingId, title, status, verticalName } = created.listing;
  story.fact('lists', `“${title}”`);
  story.fact('', `free, filed under ${verticalName}`);
  story.check(status === 'pending', "the listing is pending until the seller's endpoint is verified");
  story.fact('claim link', 'for a person who prefers to finish this on a page:');
  story.fact('', created.claimUrl ?? 'none');
  story.check(created.claimUrl !== undefined, 'the answer has this link');

  let deliveries = 0;
  const server = await startSellerServer({
    marketplace: baseUrl,
    deliver: ({ query }) => {
      deliveries += 1;
      return timeZones.answer(query, Date.now());
    },
  });
  lifetime.defer(server.close);
  story.fact('endpoint', `${server.callbackUrl}, made with the SDK`);
  const { activatedListings } = await seller.setDeliveryEndpoint({ callbackUrl: server.callbackUrl });
  story.check(true, 'the endpoint received a signed challenge, verified it and returned the nonce');
  story.check(activatedListings.includes(listingId), 'so the listing went live at once');
  story.page(`/listings/${listingId}`);
  return { seller, listingId, deliveries: () => deliveries };
}
