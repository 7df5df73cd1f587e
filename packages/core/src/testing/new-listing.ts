import { sellerOf } from './fake-seller-endpoint.ts';
import { newSellerOf, type RegisteredAgent } from './new-seller.ts';
import { readSigned } from './read-signed.ts';
import type { TestMarketplace } from './workers-harness.ts';

export interface ListingOnMarket {
  readonly id: string;
  readonly seller: RegisteredAgent;
}

export const LISTING_BODY = {
  title: 'Hourly weather',
  description: 'Weather observations by city, hour by hour.',
  preview: { columns: ['city', 'hour', 'celsius'] },
  priceCents: 0,
  consent: true,
};

/** A seller whose endpoint is verified. The fake endpoint of the marketplace answers for it. */
export async function verifiedSellerOf(market: TestMarketplace): Promise<RegisteredAgent> {
  const seller = await newSellerOf(market);
  const script = market.sellerEndpoint.script;
  market.sellerEndpoint.script = sellerOf({});
  // Of each seller its own: sellers that share a host may be one party.
  const body = { callbackUrl: `https://seller-${seller.id}.example.com/hook` };
  const response = await market.request('POST', '/sell/callback', { body, apiKey: seller.apiKey });
  if (response.status !== 200) throw new Error(await response.text());
  market.sellerEndpoint.script = script;
  return seller;
}

/** A live listing, through the front door. */
export async function newListingOf(
  market: TestMarketplace,
  fields: Record<string, unknown> = {},
  by?: RegisteredAgent,
): Promise<ListingOnMarket> {
  const seller = by ?? (await verifiedSellerOf(market));
  const body = { ...LISTING_BODY, ...fields };
  const response = await market.request('POST', '/marketplace/listings', { body, apiKey: seller.apiKey });
  if (response.status !== 201) throw new Error(await response.text());
  const { listing } = (await readSigned(response)).body as { listing: { id: string } };
  return { id: listing.id, seller };
}
