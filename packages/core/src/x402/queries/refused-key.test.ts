import { expect, it } from 'vitest';
import { sellerOf } from '../../testing/doubles/fake-seller-endpoint.ts';
import { createQueryMarketplace } from '../../testing/marketplace/query-marketplace.ts';

// A payment that is sent again beside a key that is refused: it was charged, whatever the key is.

const x402 = createQueryMarketplace();
const { sales, market } = x402;
market.sellerEndpoint.script = sellerOf({ answer: 42 });

it.each([1, 2] as const)(
  'is not said to be uncharged (version %i), and without the key it brings its answer',
  async (version) => {
    const { id } = await sales.listing({ priceCents: 90 });
    const { apiKey } = await sales.newAgent();
    const headers = await x402.pay(x402.newPayer(), id, version);
    expect((await x402.query(id, headers)).status).toBe(200);
    const wrong = `${apiKey.slice(0, -1)}${apiKey.endsWith('a') ? 'b' : 'a'}`;
    const refused = await x402.query(id, { ...headers, 'x-api-key': wrong });
    expect(refused).toMatchObject({ status: 401, body: { code: 'invalid_api_key' } });
    expect(refused.body).not.toHaveProperty('charged');
    expect(refused.body.detail).toMatch(/may have been charged: send it again without the key/);
    expect((await x402.query(id, headers)).status).toBe(200);
    // Without a payment nothing can have been charged.
    expect((await x402.query(id, { 'x-api-key': wrong })).body).toMatchObject({ charged: false });
  },
);

it('is not said to be uncharged beside an order that is no order, or for a listing that is none', async () => {
  const { id } = await sales.listing({ priceCents: 90 });
  const headers = await x402.pay(x402.newPayer(), id, 2);
  const NOBODYS = '00000000-0000-4000-8000-000000000000';
  for (const [listingId, given, code] of [
    [NOBODYS, headers, 'listing_not_found'],
    ['x', headers, 'validation_failed'],
  ] as const) {
    const refused = await x402.query(listingId, given);
    expect(refused.body.code).toBe(code);
    expect(refused.body).not.toHaveProperty('charged');
    expect((await x402.query(listingId)).body).toMatchObject({ code, charged: false });
  }
});
