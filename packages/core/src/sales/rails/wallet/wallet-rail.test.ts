import { afterEach, describe, expect, it } from 'vitest';
import { clause } from '../../../../../../test/conformance/clause.ts';
import { replied, sellerOf } from '../../../testing/doubles/fake-seller-endpoint.ts';
import { createSalesMarketplace } from '../../../testing/marketplace/sales-marketplace.ts';

const sales = createSalesMarketplace();
const { market } = sales;

afterEach(async () => {
  market.market.fault = () => undefined;
  market.sellerEndpoint.script = sellerOf({ answer: 42 });
  await market.background.settled();
  await sales.audit();
});

async function buyerWith(cents: number) {
  const buyer = await sales.newAgent();
  await sales.fund(buyer, cents);
  return buyer;
}

describe('a purchase from the wallet', () => {
  it('asks the seller, takes the money, answers the content, holds the sale for 72 hours', async () => {
    const { id, seller } = await sales.listing({ priceCents: 4000 });
    const buyer = await buyerWith(5000);
    market.sellerEndpoint.script = sellerOf({ answer: 42 });
    const { status, body } = await sales.buy(id, buyer);
    expect(status, JSON.stringify(body)).toBe(200);
    expect(body).toMatchObject({
      status: 'held',
      rail: 'wallet',
      amountCents: 4000,
      platformFeeCents: 200,
      content: { answer: 42 },
      contentMatchesReceipt: true,
      holdUntil: new Date(market.clock.now() + 72 * 3600_000).toISOString(),
    });
    expect(body.receipt?.statement).toMatchObject({ rail: 'wallet', platformFeeCents: 200 });
    expect(await sales.balanceOf(buyer)).toBe(1000);
    expect([await sales.account(`escrow:${seller.id}`), await sales.sold(id)]).toEqual([3800, 1]);
  });

  it('costs one read and two commits beside the delivery', async () => {
    const { id } = await sales.listing();
    const buyer = await buyerWith(5000);
    market.market.reset();
    const before: number[] = [];
    market.sellerEndpoint.script = (request) => {
      before.push(market.market.count);
      return sellerOf({ answer: 42 })(request);
    };
    await sales.buy(id, buyer);
    expect(before).toEqual([2]);
    const waited = market.market.roundTrips.filter(
      (sql) => !/^update "sellers"|from "wallets"|^select\s+coalesce/i.test(sql.join()),
    );
    expect(waited).toHaveLength(3);
  });

  it('that the wallet does not cover: 402, or with auto a checkout', async () => {
    const { id } = await sales.listing({ priceCents: 3000 });
    const buyer = await buyerWith(2000);
    const refused = await sales.buy(id, buyer, { body: { payment_method: 'wallet' } });
    expect([refused.status, refused.body.code, refused.body.charged]).toEqual([
      402,
      'wallet_insufficient',
      false,
    ]);
    const { status, body } = await sales.buy(id, buyer);
    expect([status, body.status, body.rail]).toEqual([200, 'pending_payment', 'checkout']);
    expect(body.checkoutUrl).toMatch(/^https:/);
  });

  clause('escrow.mismatch');
  it.each([
    ['404', () => replied('', 404), 'delivery_unavailable', 'failed'],
    ['available: false', () => replied({ available: false }), 'delivery_unavailable', 'failed'],
    ['no JSON', () => replied('<html>'), 'delivery_failed', 'failed'],
    ['too large', () => ({ kind: 'too_large' }) as const, 'delivery_too_large', 'failed'],
    ['timed out', () => ({ kind: 'timed_out' }) as const, 'delivery_timed_out', 'failed'],
    [
      'a wrong __sha256',
      () => replied({ data: { a: 1, __sha256: `sha256:${'0'.repeat(64)}` } }),
      'delivery_integrity_mismatch',
      'refunded',
    ],
  ])('%s: nothing is captured and the money is back', async (_, script, code, status) => {
    const { id } = await sales.listing({ listingType: 'limited', maxCopies: 1 });
    const buyer = await buyerWith(1000);
    market.sellerEndpoint.script = script;
    const { body } = await sales.buy(id, buyer);
    expect([body.code, body.charged]).toEqual([code, false]);
    expect((await sales.purchases(id)).map((one) => one.status)).toEqual([status]);
    expect([await sales.balanceOf(buyer), await sales.sold(id)]).toEqual([1000, 0]);
    market.sellerEndpoint.script = sellerOf({ answer: 42 });
    expect((await sales.buy(id, buyer)).status).toBe(200);
  });

  it('is read again later, and shows nothing once it was refunded', async () => {
    const { id } = await sales.listing();
    const buyer = await buyerWith(1000);
    market.sellerEndpoint.script = sellerOf({ n: 1 });
    const { body } = await sales.buy(id, buyer);
    expect((await sales.read(body.id, buyer)).body).toMatchObject({ content: { n: 1 }, status: 'held' });
  });
});
