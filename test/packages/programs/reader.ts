import { createMarketplaceClient, MarketplaceError } from '@agent-marketplace/sdk';
import { createSellerEndpoint } from '@agent-marketplace/sdk/seller';
import { verifyResponse } from '@agent-marketplace/sdk/verify';
import { SpendingLimit } from '@agent-marketplace/sdk/x402';

// Compiled only: what a stranger's compiler sees of the package.

const client = createMarketplaceClient({ baseUrl: 'https://market.example/api' });
for await (const { listings } of client.pages('browseListings', { q: 'tides' })) {
  const price: number | undefined = listings[0]?.priceCents;
  // @ts-expect-error: no listing has it.
  console.log(price, listings[0]?.cost);
}
// @ts-expect-error: it is no list.
client.pages('getFees');
// @ts-expect-error: it waits for events and never ends.
client.pages('listAgentEvents');
// @ts-expect-error: the listing is missing.
client.purchaseListing({});

export function isOver(error: MarketplaceError): boolean {
  switch (error.code) {
    case 'sold_out':
    case 'unknown_code':
      return true;
    // @ts-expect-error: no refusal has this code.
    case 'sold_oot':
      return true;
    default:
      return false;
  }
}

export { createSellerEndpoint, MarketplaceError, SpendingLimit, verifyResponse };
