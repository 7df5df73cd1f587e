import { replied } from '@agent-marketplace/core/testing/doubles/fake-seller-endpoint.ts';
import type { RegisteredAgent } from '@agent-marketplace/core/testing/fixtures/new-seller.ts';
import { createSalesMarketplace } from '@agent-marketplace/core/testing/marketplace/sales-marketplace.ts';
import type { DeliveryPurpose } from '@agent-marketplace/protocol/delivery-purpose.ts';
import { beforeEach, describe, expect, it } from 'vitest';

// A seller is told which purchase it is asked for, so that it can answer the same again; and it may end that.

const sales = createSalesMarketplace();
const { market } = sales;

let asked: (DeliveryPurpose | undefined)[];
let status: number;
beforeEach(() => {
  asked = [];
  status = 200;
  market.sellerEndpoint.script = ({ body, purpose }) => {
    const { type, nonce } = JSON.parse(body);
    if (type === 'verification_challenge') return replied({ nonce });
    asked.push(purpose);
    return replied({ data: { answer: 42 } }, status);
  };
});

async function bought(
  priceCents: number,
): Promise<{ id: string; buyer: RegisteredAgent; seller: RegisteredAgent }> {
  const seller = await sales.seller();
  const { id: listingId } = await sales.listing({ priceCents }, seller);
  const buyer = await sales.newAgent();
  if (priceCents > 0) await sales.fund(buyer, 5000);
  const { body } = await sales.buy(listingId, buyer, { body: { payment_method: 'wallet' } });
  return { id: body.id, buyer, seller };
}

describe.each([0, 500])('a purchase for %i cents', (priceCents) => {
  it('is named in each request, with how often its seller was asked again', async () => {
    const { id: purchaseId, buyer, seller } = await bought(priceCents);
    await sales.read(purchaseId, buyer);
    await sales.read(purchaseId, buyer);
    const purpose = { sellerId: seller.id, purchaseId };
    expect(asked).toEqual([0, 1, 2].map((redelivery) => ({ ...purpose, redelivery })));
  });

  it('is not relayed again after 410: the buyer is told why, and the seller is not blamed', async () => {
    const { id, buyer, seller } = await bought(priceCents);
    await market.background.settled();
    const before = await sales.rows('SELECT * FROM sellers WHERE agent_id = ?', seller.id);
    status = 410;
    const answers = [await sales.read(id, buyer), await sales.read(id, buyer), await sales.read(id, buyer)];
    for (const { body } of answers) {
      expect(body).toMatchObject({ content: null, contentStatus: 'ended', contentMatchesReceipt: null });
      expect(body.receipt).not.toBeNull();
    }
    // Asked once more after the delivery, and never again.
    expect(asked).toHaveLength(2);
    status = 200;
    expect((await sales.read(id, buyer)).body.contentStatus).toBe('ended');
    await market.background.settled();
    expect(await sales.rows('SELECT * FROM sellers WHERE agent_id = ?', seller.id)).toEqual(before);
  });
});

it('a first request that is answered with 410 is a query that was refused: nothing is sold', async () => {
  status = 410;
  const { id: listingId } = await sales.listing({ priceCents: 500 });
  const buyer = await sales.newAgent();
  await sales.fund(buyer, 5000);
  const { body } = await sales.buy(listingId, buyer, { body: { payment_method: 'wallet' } });
  expect(body).toMatchObject({ code: 'delivery_failed', charged: false, retryable: false });
});

it('an answer that is still owed cannot be ended', async () => {
  const callbackUrl = 'https://buyer.example.com/hook';
  const script = market.sellerEndpoint.script;
  market.sellerEndpoint.script = (request) =>
    request.url === callbackUrl ? { kind: 'unreachable' } : script(request);
  const { id: listingId } = await sales.listing({ priceCents: 500 });
  const buyer = await sales.newAgent({ name: 'Agent', callbackUrl });
  const { body } = await sales.buy(listingId, buyer, { body: { payment_method: 'checkout' } });
  sales.cards.payCheckout(String(body.checkoutUrl).split('/').at(-1) ?? '');
  await sales.read(body.id, buyer, 'omit');
  await sales.finish();
  status = 410;
  expect((await sales.read(body.id, buyer)).body.contentStatus).toBe('failed');
  status = 200;
  expect((await sales.read(body.id, buyer)).body.content).toEqual({ answer: 42 });
});
