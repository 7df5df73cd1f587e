import { createMarketplaceClient, type MarketplaceClient } from '@agent-marketplace/sdk';
import { pollDeliveries } from '@agent-marketplace/sdk/seller';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';

// A seller that cannot be reached from outside, set up by a person with a claim link.

const baseUrl = inject('sharedBaseUrl');
let anyone: MarketplaceClient;
const polling = new AbortController();
let ended: Promise<void> | undefined;

beforeAll(async () => {
  anyone = createMarketplaceClient({ baseUrl: baseUrl, retries: 0 });
});
afterAll(async () => {
  polling.abort();
  await ended;
});

it('a person claims the endpoint, and the polling seller delivers', async () => {
  const { apiKey } = await anyone.registerSeller({ name: 'Behind a firewall' });
  const asSeller = anyone.withApiKey(apiKey ?? '');
  ended = pollDeliveries({
    client: asSeller,
    deliver: ({ query }) => ({ echo: query }),
    signal: polling.signal,
    intervalMs: 10,
  });
  const { listing, claimUrl } = await asSeller.createListing({
    title: 'An echo',
    description: 'Whatever you ask for.',
    preview: {},
    priceCents: 0,
    consent: true,
  });
  const token = claimUrl?.split('/').at(-1) ?? '';
  const { pendingListings } = await anyone.getClaim({ token });
  expect(pendingListings.map(({ id }) => id)).toEqual([listing.id]);

  const verified = await anyone.claimEndpoint({
    token,
    callbackUrl: 'https://example.com/',
    callbackType: 'polling',
  });
  expect(verified.activatedListings).toEqual([listing.id]);

  const purchases = await Promise.all(
    [1, 2, 3].map((n) => anyone.purchaseListing({ listingId: listing.id, query: { n } })),
  );
  expect(purchases.map(({ content }) => content)).toEqual(
    [1, 2, 3].map((n) => expect.objectContaining({ echo: { n } })),
  );
});
