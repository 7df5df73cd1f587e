import { PLATFORM_LISTINGS, publishPlatformListings } from '@agent-marketplace/core/platform/index.ts';
import { settleAccount } from '@agent-marketplace/core/sales/index.ts';
import { sellerOf } from '@agent-marketplace/core/testing/doubles/fake-seller-endpoint.ts';
import { createMcpFace } from '@agent-marketplace/core/testing/marketplace/mcp-face.ts';
import { createQueryMarketplace } from '@agent-marketplace/core/testing/marketplace/query-marketplace.ts';
import { sessionOf } from '@agent-marketplace/core/testing/marketplace/sales-marketplace.ts';
import { PRODUCTS } from '../../packages/devkit/src/example-seller/products.ts';
import { createClient, type Json, type Send } from './client.ts';

/** A running marketplace, a server of sellers, and what people do with it. The only file here that knows the product. */
export function startMarketplace() {
  const shop = createQueryMarketplace();
  const { market, sales } = shop;
  const mcp = createMcpFace(market);
  market.sellerEndpoint.script = sellerOf({ answer: 42 });
  market.depth.live = 0;

  const send: Send = (method, path, body, headers) =>
    path === '/mcp'
      ? mcp.request({ method, headers, ...(body === null ? {} : { body }) })
      : market.request(method, path, { headers, ...(body === null ? {} : { body }) });
  const client = createClient(send);

  return {
    client,
    market,
    shop,

    /** What the sellers' server delivers from now on. */
    deliver: (data: unknown) => {
      market.sellerEndpoint.script = sellerOf(data);
    },
    publishPlatformListings: () => publishPlatformListings(market.newPorts()),
    platformListingIds: PLATFORM_LISTINGS.map(({ id }) => id),

    /** A person fills in what the card processor asks of a seller. */
    async connectPayouts(sellerId: string): Promise<void> {
      const accountId = await sales.connect({ id: sellerId } as Json);
      sales.cards.onboard(accountId);
      await settleAccount(market.newPorts(), accountId);
    },

    /** A person pays at the address of a checkout, and the processor reports it. */
    async payCheckout(checkoutUrl: string): Promise<void> {
      sales.cards.payCheckout(sessionOf(checkoutUrl), 'available_at_once');
      await sales.finish();
    },

    /** The seller of the development kit, with its own listings and answers. */
    async startExampleSeller(apiKey: string): Promise<string[]> {
      const ids: string[] = [];
      for (const { listing } of PRODUCTS) {
        const { body } = await client.post('/marketplace/listings', {
          ...(listing as Json),
          api_key: apiKey,
        });
        ids.push(body.listing.id);
      }
      market.sellerEndpoint.script = (request) => {
        const { listingId, query } = JSON.parse(request.body) as Json;
        const product = PRODUCTS[ids.indexOf(listingId)];
        const data = product?.answer(query, market.clock.now()) ?? null;
        return sellerOf(data)(request);
      };
      return ids;
    },
  };
}

export type Marketplace = ReturnType<typeof startMarketplace>;
