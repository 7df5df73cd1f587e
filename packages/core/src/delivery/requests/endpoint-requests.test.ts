import { describe, expect, it } from 'vitest';
import { cardWebhook } from '../../compose/card-webhook.ts';
import { replied, sellerOf } from '../../testing/doubles/fake-seller-endpoint.ts';
import type { RegisteredAgent } from '../../testing/fixtures/new-seller.ts';
import { createSalesMarketplace, sessionOf } from '../../testing/marketplace/sales-marketplace.ts';

const sales = createSalesMarketplace();
const { market } = sales;

interface Shown {
  readonly at: string;
  readonly latencyMs: number | null;
  readonly listingId: string;
  readonly redelivery: number;
  readonly verdict: string;
}

async function requestsOf(seller: RegisteredAgent): Promise<Shown[]> {
  await market.background.settled();
  const { status, body } = await sales.request('GET', '/sell/callback/requests', seller.apiKey);
  expect(status).toBe(200);
  return (body as unknown as { requests: Shown[] }).requests;
}

describe('the last requests of an endpoint', () => {
  it('are those of buyers on every rail, newest first, with verdict and time', async () => {
    market.sellerEndpoint.script = sellerOf({ answer: 42 });
    const paid = await sales.listing({ priceCents: 300 });
    const free = await sales.listing({ priceCents: 0 }, paid.seller);
    expect(await requestsOf(paid.seller)).toEqual([]);
    const buyer = await sales.newAgent();
    await sales.fund(buyer, 4000);

    const bought = await sales.buy(paid.id, buyer, { body: { payment_method: 'wallet' } });
    await sales.buy(free.id, buyer);
    market.sellerEndpoint.script = () => {
      market.clock.advance(1500);
      return replied({}, 500);
    };
    await sales.buy(free.id, buyer);
    await sales.buy(paid.id, buyer, { body: { payment_method: 'wallet' } });
    market.sellerEndpoint.script = () => ({ kind: 'timed_out' });
    await sales.request('GET', `/marketplace/purchases/${bought.body.id}`, buyer.apiKey);

    const requests = await requestsOf(paid.seller);
    expect(
      requests.map(({ listingId, verdict, latencyMs, redelivery }) => [
        listingId,
        verdict,
        latencyMs,
        redelivery,
      ]),
    ).toEqual([
      [paid.id, 'timed_out', 0, 1],
      [paid.id, 'bad_status', 1500, 0],
      [free.id, 'bad_status', 1500, 0],
      [free.id, 'delivered', 0, 0],
      [paid.id, 'delivered', 0, 0],
    ]);
    expect(requests.map(({ at }) => at)).toEqual(
      requests
        .map(({ at }) => at)
        .sort()
        .reverse(),
    );
  });

  it('are twenty at most, without a word of what was asked or answered', async () => {
    const marker = 'only-buyer-and-seller-read-this';
    market.sellerEndpoint.script = sellerOf({ answer: marker });
    const free = await sales.listing({ priceCents: 0 });
    const buyer = await sales.newAgent();
    for (let n = 0; n < 22; n += 1) {
      market.clock.advance(1000);
      await sales.buy(free.id, buyer, { body: { query: { about: marker } } });
    }
    const requests = await requestsOf(free.seller);
    expect(requests).toHaveLength(20);
    expect(new Set(requests.map(({ at }) => at)).size).toBe(20);
    const kept = await sales.rows<{ requests: string }>(
      'SELECT requests FROM endpoint_requests WHERE seller_id = ?',
      free.seller.id,
    );
    expect(kept).toHaveLength(1);
    expect(kept[0]?.requests).not.toContain(marker);
    expect(kept[0]?.requests).not.toContain(buyer.id);
  });

  it('of a paid page that failed and is collected again are two, and of one that ended with its failure one', async () => {
    const listing = await sales.listing({ priceCents: 500 });
    market.sellerEndpoint.script = () => replied({}, 503);
    const buyer = await sales.newAgent();
    const { body } = await sales.buy(listing.id, buyer, { body: { payment_method: 'checkout' } });
    sales.cards.payCheckout(sessionOf(body.checkoutUrl));
    for (const { rawBody, signatureHeader } of await sales.cards.takeWebhooks())
      await cardWebhook.take(market.newPorts(), rawBody, signatureHeader);
    await sales.read(body.id, buyer);
    market.sellerEndpoint.script = () => replied('no json');
    await sales.read(body.id, buyer);
    const requests = await requestsOf(listing.seller);
    expect(requests.map(({ verdict }) => verdict)).toEqual(['not_json', 'bad_status']);
  });

  it('are shown to the seller alone', async () => {
    const stranger = await sales.newAgent();
    const { body } = await sales.request('GET', '/sell/callback/requests', stranger.apiKey);
    expect(body.code).toBe('not_a_seller');
  });
});
