import type { Operations } from '../generated/api.ts';
import type { MarketplaceClient, SignedAnswer } from './client.ts';
import type { CallOptions } from './options.ts';

type PurchaseInput = Operations['purchaseListing']['input'];

/** The part of a listing that a purchase needs. Every listing that the marketplace answers with fits. */
export interface SeenListing {
  readonly id: string;
  /** The price at which it was seen, and the most that is paid for it. */
  readonly priceCents: number;
}

/**
 * Buys a listing for at most the price at which it was read: if it costs more by now, it rejects with
 * `price_above_max` (MarketplaceError) and nothing is reserved. `maxPriceCents` in `input` sets another limit.
 *
 *     const { listing } = await client.getListing({ listingId });
 *     const purchase = await buyListing(client, listing, { query: { of: 'gold' } });
 */
export function buyListing(
  client: Pick<MarketplaceClient, 'purchaseListing'>,
  { id, priceCents }: SeenListing,
  { maxPriceCents = priceCents, ...input }: Omit<PurchaseInput, 'listingId'> = {},
  options: CallOptions = {},
): Promise<SignedAnswer<Operations['purchaseListing']['output']>> {
  return client.purchaseListing({ ...input, listingId: id, maxPriceCents }, options);
}
