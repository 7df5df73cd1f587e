import { readSigned } from '@agent-marketplace/core/testing/marketplace/read-signed.ts';
import { createSalesMarketplace } from '@agent-marketplace/core/testing/marketplace/sales-marketplace.ts';
import { buyListing, createMarketplaceClient, MarketplaceError } from '@agent-marketplace/sdk';
import { codeSamples } from '@agent-marketplace/site/order/code-samples.ts';
import { expect, it } from 'vitest';

// A seller shows 1 cent, and asks for 800 once a buyer has seen it. Whoever buys as the SDK, the pages and the listing
// itself say pays no more than was shown.

const SEEN_CENTS = 1;
const RAISED_CENTS = 800;
const BASE_URL = 'http://localhost/api';

const sales = createSalesMarketplace();

/** A listing as its buyer saw it, the buyer with money enough, and the price raised since. */
async function raised() {
  const seller = await sales.seller();
  const { id } = await sales.listing({ priceCents: SEEN_CENTS }, seller);
  const buyer = await sales.newAgent();
  await sales.fund(buyer, 2000);
  const { listing, agent_notice } = (await sales.request('GET', `/marketplace/listings/${id}`, null))
    .body as unknown as {
    listing: { id: string; priceCents: number; exampleQuery: unknown };
    agent_notice: string;
  };
  const change = { priceCents: RAISED_CENTS };
  expect((await sales.request('PATCH', `/marketplace/listings/${id}`, seller.apiKey, change)).status).toBe(
    200,
  );
  return { listing, agent_notice, buyer };
}

it('by the SDK, from the listing that was read', async () => {
  const { listing, buyer } = await raised();
  const client = createMarketplaceClient({
    baseUrl: BASE_URL,
    apiKey: buyer.apiKey,
    now: () => sales.market.clock.now(),
    fetch: (input, init) => {
      const request = new Request(input as string, init as RequestInit);
      const path = request.url.slice(BASE_URL.length);
      const headers = Object.fromEntries(request.headers);
      return request
        .text()
        .then((body) => sales.market.request(request.method, path, { headers, ...(body && { body }) }));
    },
  });
  const bought = await buyListing(client, listing, { paymentMethod: 'wallet' }).catch(
    (error: unknown) => error,
  );
  expect(bought).toBeInstanceOf(MarketplaceError);
  expect(bought).toMatchObject({ code: 'price_above_max', charged: false });
  expect(await sales.balanceOf(buyer)).toBe(2000);

  // Having seen the price of now, it buys.
  const { listing: now } = await client.getListing({ listingId: listing.id });
  expect(await buyListing(client, now, { paymentMethod: 'wallet' })).toMatchObject({ status: 'held' });
  expect(await sales.balanceOf(buyer)).toBe(2000 - RAISED_CENTS);
});

it('by the call that the page of the listing gives to copy', async () => {
  const { listing, buyer } = await raised();
  const order = { listingId: listing.id, priceCents: listing.priceCents, query: null };
  const samples = codeSamples(BASE_URL, order).map(({ id, text }) => [id, text]);
  const { curl = '', mcp = '', python, typescript } = Object.fromEntries(samples);
  const body = JSON.parse(/-d '(.*)'$/.exec(curl)?.[1] ?? '');
  const bought = await sales.buy(listing.id, buyer, { body: { ...body, payment_method: 'wallet' } });
  expect([bought.status, bought.body.code]).toEqual([409, 'price_above_max']);
  expect(await sales.balanceOf(buyer)).toBe(2000);
  expect(JSON.parse(mcp).arguments.max_price_cents).toBe(SEEN_CENTS);
  expect(typescript).toContain(`"maxPriceCents": ${SEEN_CENTS}`);
  expect(python).toContain(`"max_price_cents": ${SEEN_CENTS}`);
});

it('by agents that follow what answers with listings say', async () => {
  const { listing, agent_notice } = await raised();
  expect(agent_notice).toContain('max_price_cents');
  for (const path of ['/marketplace/listings', '/health-data/listings', '/verticals/market-data']) {
    const { body } = await readSigned(await sales.market.request('GET', path));
    expect(body.agent_notice, path).toContain('max_price_cents');
  }
  expect(listing.priceCents).toBe(SEEN_CENTS);
});
