import { afterEach, describe, expect, it } from 'vitest';
import { cardWebhook } from '../compose/card-webhook.ts';
import { purchasePageOf } from '../sales/index.ts';
import { sellerOf } from '../testing/doubles/fake-seller-endpoint.ts';
import type { RegisteredAgent } from '../testing/fixtures/new-seller.ts';
import { createSalesMarketplace, sessionOf } from '../testing/marketplace/sales-marketplace.ts';

const sales = createSalesMarketplace();
const { market, cards } = sales;
const PLACE = { baseUrl: 'http://localhost/api', siteUrl: null };

afterEach(async () => {
  market.sellerEndpoint.script = sellerOf({ answer: 42 });
  await market.background.settled();
  await sales.audit();
});

const look = (purchaseId: string, buyer: RegisteredAgent | null, token = '') =>
  sales.request(
    'GET',
    `/marketplace/purchases/${purchaseId}?content=omit${token && `&token=${token}`}`,
    buyer?.apiKey ?? null,
  );

/** How often the seller was asked for it, and what the card was charged. */
async function traces(purchaseId: string, askedBefore: number) {
  const { payment_id } = await sales.payment(purchaseId);
  const payment = payment_id ? await market.newPorts().cards?.getPayment(String(payment_id)) : null;
  return {
    asked: market.sellerEndpoint.requests.length - askedBefore,
    capturedCents: payment?.capturedCents ?? 0,
  };
}

async function checkout() {
  const { id } = await sales.listing({ priceCents: 2000 });
  const buyer = await sales.newAgent();
  const { body } = await sales.buy(id, buyer, { body: { payment_method: 'checkout' } });
  return { buyer, id: body.id, checkoutUrl: body.checkoutUrl };
}

describe('looking at a purchase without its content', () => {
  it('shows where to pay, and asks nobody', async () => {
    const { buyer, id, checkoutUrl } = await checkout();
    const before = market.sellerEndpoint.requests.length;
    const { status, body } = await look(id, buyer);
    expect([status, body.status, body.contentStatus]).toEqual([200, 'pending_payment', 'awaiting_payment']);
    expect(body.checkoutUrl).toBe(checkoutUrl);
    expect(await traces(id, before)).toEqual({ asked: 0, capturedCents: 0 });
  });

  it.each([
    ['reported', true],
    ['not reported', false],
  ])('once paid (%s) it collects nothing, however often', async (_, isReported) => {
    const { buyer, id, checkoutUrl } = await checkout();
    cards.payCheckout(sessionOf(checkoutUrl));
    if (isReported) {
      for (const { rawBody, signatureHeader } of await cards.takeWebhooks())
        await cardWebhook.take(market.newPorts(), rawBody, signatureHeader);
    }
    const before = market.sellerEndpoint.requests.length;
    const looks = await Promise.all([look(id, buyer), look(id, buyer), look(id, buyer)]);
    for (const { status, body } of looks) {
      expect([status, body.status, body.contentStatus]).toEqual([200, 'authorized', 'omitted']);
      expect([body.content, body.receipt]).toEqual([null, null]);
    }
    expect(await traces(id, before)).toEqual({ asked: 0, capturedCents: 0 });
    expect((await sales.read(id, buyer)).body).toMatchObject({ status: 'held', content: { answer: 42 } });
  });

  it('of what was delivered shows the receipt only', async () => {
    const { buyer, id, checkoutUrl } = await checkout();
    cards.payCheckout(sessionOf(checkoutUrl));
    const { body: delivered } = await sales.read(id, buyer);
    const before = market.sellerEndpoint.requests.length;
    const { body } = await look(id, buyer);
    expect(body).toMatchObject({
      status: 'held',
      content: null,
      contentStatus: 'omitted',
      contentMatchesReceipt: null,
      contentDigest: delivered.contentDigest,
      receipt: delivered.receipt,
    });
    expect((await traces(id, before)).asked).toBe(0);
  });

  it('of one without a sale says so', async () => {
    const { buyer, id } = await checkout();
    await sales.pass(2 * 3600_000);
    expect((await look(id, buyer)).body).toMatchObject({ status: 'expired', contentStatus: 'withheld' });
  });

  it('is for the same people as its content', async () => {
    const { buyer, id } = await checkout();
    const { id: other } = await checkout();
    const tokenOf = async (purchaseId: string) =>
      new URL((await purchasePageOf(market.newPorts(), PLACE, purchaseId)).url).searchParams.get('token') ??
      '';
    expect((await look(id, null)).status).toBe(401);
    expect((await look(id, await sales.newAgent())).status).toBe(403);
    expect((await look(id, null, await tokenOf(other))).status).toBe(403);
    expect((await look(id, buyer, '0'.repeat(32))).status).toBe(403);
    expect((await look(id, null, await tokenOf(id))).status).toBe(200);
    const { status } = await sales.request('GET', `/marketplace/purchases/${id}?content=some`, buyer.apiKey);
    expect(status).toBe(400);
  });
});
