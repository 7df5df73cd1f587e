import {
  berthKeyOf,
  buyListing,
  createMarketplaceClient,
  keySetOf,
  MarketplaceError,
  verifyPurchaseReceipt,
} from '@agent-marketplace/sdk';
import { createSellerEndpoint } from '@agent-marketplace/sdk/seller';
import { verifyResponse } from '@agent-marketplace/sdk/verify';
import { payAndQuery, SpendingLimit } from '@agent-marketplace/sdk/x402';

// What a stranger's program does with the installed package. It runs unchanged in every runtime.

const account = {
  address: '0xAAaaAAaaAAaaAAaaAAaaAAaaAAaaAAaaAAaaAAaa',
  signTypedData: async () => `0x${'11'.repeat(65)}`,
};

/** @param {string} baseUrl */
export async function consume(baseUrl) {
  const client = createMarketplaceClient({ baseUrl, retries: 0 });
  const { apiKey } = await client.registerAgent({ name: 'my agent' });
  const me = client.withApiKey(apiKey);

  const listings = [];
  for await (const page of me.pages('browseListings', { limit: 1 })) listings.push(...page.listings);
  const purchase = await buyListing(me, listings[1]);
  const keys = keySetOf(await me.getSigningKey());
  const receipt = await verifyPurchaseReceipt(purchase, keys);
  const forged = await verifyResponse({ ...purchase, content: { low: '00:00' } }, keys);
  const refusal = await me.getListing({ listingId: 'gone' }).catch((error) => error);

  const query = { harbour: 'Brest' };
  const limit = new SpendingLimit(10);
  const paid = await payAndQuery(client, 'l-1', query, account, { maxPriceCents: 5, limit });

  // Its library of curves is loaded by this alone.
  const berth = await berthKeyOf('07'.repeat(32));
  const { sig } = await berth.sign({ intentClass: 'COMMERCE', side: 'buy' }, 'r-1', 1_780_315_200);

  const { callbackUrl, headers, body, sentAt } = await client.request('GET', '/delivery');
  const deliver = async ({ query: asked }) => ({ asked });
  const handler = createSellerEndpoint({ marketplace: keys, callbackUrl, deliver, now: () => sentAt });
  const delivery = await handler(new Request(callbackUrl, { method: 'POST', headers, body }));

  return {
    bought: purchase.content,
    receipt: receipt.valid,
    forged: forged.valid,
    refused: refusal instanceof MarketplaceError && refusal.code,
    paidCents: paid.paidCents,
    sig,
    delivered: await delivery.json(),
  };
}
