import { afterEach, describe, expect, it } from 'vitest';
import { cardWebhook } from '../../../compose/card-webhook.ts';
import { replied, sellerOf } from '../../../testing/doubles/fake-seller-endpoint.ts';
import type { RegisteredAgent } from '../../../testing/fixtures/new-seller.ts';
import { createSalesMarketplace, sessionOf } from '../../../testing/marketplace/sales-marketplace.ts';
import { purchasePageOf } from '../../buyer-access.ts';

const sales = createSalesMarketplace();
const { market, cards } = sales;
const DAY = 24 * 3600_000;
const PLACE = { baseUrl: 'http://localhost/api', siteUrl: null };

afterEach(async () => {
  market.market.fault = () => undefined;
  cards.fault = () => undefined;
  market.sellerEndpoint.script = sellerOf({ answer: 42 });
  await market.background.settled();
  await sales.audit();
});

const byCard = { body: { payment_method: 'card' } };
const byCheckout = { body: { payment_method: 'checkout' } };

interface ListingSeen {
  readonly listing: { readonly soldCount: number; readonly exclusiveSold: boolean };
}

/** Hands over what the processor tells. */
async function tell(): Promise<void> {
  for (const { rawBody, signatureHeader } of await cards.takeWebhooks()) {
    await cardWebhook.take(market.newPorts(), rawBody, signatureHeader);
  }
}

async function paid(buyer: RegisteredAgent | null, listingId: string) {
  const { body } = await sales.buy(listingId, buyer, byCheckout);
  cards.payCheckout(sessionOf(body.checkoutUrl));
  return body;
}

async function paymentOf(purchaseId: string) {
  const { payment_id } = await sales.payment(purchaseId);
  return market.newPorts().cards?.getPayment(String(payment_id));
}

describe('a purchase with the saved card', () => {
  it('is reserved, delivered, captured and shown', async () => {
    const { id, seller } = await sales.listing({ priceCents: 10_000 });
    const buyer = await sales.newAgent();
    await sales.saveCard(buyer);
    market.sellerEndpoint.script = sellerOf({ answer: 42 });
    const { status, body } = await sales.buy(id, buyer, byCard);
    expect(status, JSON.stringify(body)).toBe(200);
    expect(body).toMatchObject({ status: 'held', rail: 'card', content: { answer: 42 } });
    expect(await paymentOf(body.id)).toMatchObject({ status: 'captured', capturedCents: 10_000 });
    expect(await sales.account(`escrow:${seller.id}`)).toBe(9500);
  });

  it.each([
    ['declined_when_charged', 402, 'card_declined'],
    ['asks_holder', 402, 'card_authentication_required'],
  ] as const)('%s: %i %s, nothing kept', async (kind, expected, code) => {
    const { id } = await sales.listing({ listingType: 'limited', maxCopies: 1 });
    const buyer = await sales.newAgent();
    await sales.saveCard(buyer, kind);
    const { status, body } = await sales.buy(id, buyer, byCard);
    expect([status, body.code, body.charged]).toEqual([expected, code, false]);
    expect([(await sales.purchases(id))[0]?.status, await sales.sold(id)]).toEqual(['failed', 0]);
  });

  it('without a card: 409; below what cards take: 402', async () => {
    const { id } = await sales.listing();
    const buyer = await sales.newAgent();
    const { status, body } = await sales.buy(id, buyer, byCard);
    expect([status, body.code, body.charged]).toEqual([409, 'no_saved_card', false]);
    const cheap = await sales.listing({ priceCents: 10 });
    expect((await sales.buy(cheap.id, buyer)).body.code).toBe('amount_not_payable_by_card');
  });

  it.each([
    ['not delivered', () => replied('', 404), 'failed'],
    ['a mismatch', () => replied({ data: { a: 1, __sha256: `sha256:${'0'.repeat(64)}` } }), 'refunded'],
  ])('%s: the reservation is cancelled, also when that call is lost', async (_, script, ending) => {
    for (const fault of [undefined, 'lose_request', 'lose_reply'] as const) {
      const { id } = await sales.listing();
      const buyer = await sales.newAgent();
      await sales.saveCard(buyer);
      market.sellerEndpoint.script = script;
      cards.fault = ({ method }) => (method === 'cancel' ? fault : undefined);
      const { body } = await sales.buy(id, buyer, byCard);
      expect(body.charged).toBe(false);
      cards.fault = () => undefined;
      market.sellerEndpoint.script = sellerOf({ answer: 42 });
      await sales.pass(10 * 60_000);
      const [purchase] = await sales.purchases(id);
      expect(purchase?.status).toBe(ending);
      expect(await paymentOf(purchase?.id ?? '')).toMatchObject({ status: 'canceled', capturedCents: 0 });
      expect(await sales.sold(id)).toBe(0);
    }
  });
});

describe('a purchase by checkout', () => {
  it('waits, is authorised by the report, collected by the first GET, and relayed by the next', async () => {
    const { id } = await sales.listing({ priceCents: 2000 });
    const buyer = await sales.newAgent();
    const { body } = await sales.buy(id, buyer, byCheckout);
    expect(body).toMatchObject({
      status: 'pending_payment',
      contentStatus: 'awaiting_payment',
      content: null,
    });
    expect((await sales.read(body.id, buyer)).body).toMatchObject({
      status: 'pending_payment',
      checkoutUrl: body.checkoutUrl,
    });
    cards.payCheckout(sessionOf(body.checkoutUrl));
    await tell();
    expect((await sales.purchases(id))[0]?.status).toBe('authorized');
    market.sellerEndpoint.script = sellerOf({ n: 1 });
    const first = await sales.read(body.id, buyer);
    expect(first.body).toMatchObject({ status: 'held', content: { n: 1 }, contentMatchesReceipt: true });
    expect(await paymentOf(body.id)).toMatchObject({ status: 'captured' });
    market.sellerEndpoint.script = sellerOf({ n: 2 });
    expect((await sales.read(body.id, buyer)).body).toMatchObject({ contentMatchesReceipt: false });
  });

  it('is a sale to those who look at the listing once it is delivered; of a scarce one the copy is taken once it is paid', async () => {
    const buyer = await sales.newAgent();
    const shown = async (listingId: string) =>
      (
        (await sales.request('GET', `/marketplace/listings/${listingId}`, null))
          .body as unknown as ListingSeen
      ).listing.soldCount;
    for (const [fields, whileUnpaid] of [
      [{}, 0],
      [{ listingType: 'limited', maxCopies: 3 }, 0],
    ] as const) {
      const { id } = await sales.listing(fields);
      const unpaid = await sales.buy(id, buyer, byCheckout);
      expect([unpaid.status, await shown(id)]).toEqual([200, whileUnpaid]);
      cards.payCheckout(sessionOf(unpaid.body.checkoutUrl));
      expect((await sales.read(unpaid.body.id, buyer)).body.status).toBe('held');
      expect(await shown(id)).toBe(1);
    }
  });

  it('HEAD of it only looks: nothing is collected', async () => {
    const { id } = await sales.listing();
    const buyer = await sales.newAgent();
    const { id: purchaseId } = await paid(buyer, id);
    const path = `/marketplace/purchases/${purchaseId}`;
    const head = await market.request('HEAD', path, { apiKey: buyer.apiKey });
    expect([head.status, head.headers.get('allow')]).toEqual([405, 'GET, OPTIONS']);
    expect((await sales.purchases(id))[0]?.status).toBe('pending_payment');
    expect((await sales.read(purchaseId, buyer)).body.status).toBe('held');
  });

  it('is collected even if the report never comes', async () => {
    const { id } = await sales.listing();
    const buyer = await sales.newAgent();
    const { id: purchaseId } = await paid(buyer, id);
    expect((await sales.read(purchaseId, buyer)).body).toMatchObject({
      status: 'held',
      content: { answer: 42 },
    });
  });

  it('GETs at once: exactly one capture; the others wait or are answered', async () => {
    const { id } = await sales.listing();
    const buyer = await sales.newAgent();
    const { id: purchaseId } = await paid(buyer, id);
    await tell();
    const answers = await Promise.all(Array.from({ length: 8 }, () => sales.read(purchaseId, buyer)));
    for (const { status, body } of answers) {
      expect(status === 200 ? body.status : body.code).toMatch(/^(held|purchase_in_progress)$/);
      expect(body.charged).toBeUndefined();
    }
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(0);
    expect((await sales.read(purchaseId, buyer)).status).toBe(200);
    expect(cards.calls.filter(({ key }) => key === `purchase:${purchaseId}:capture`)).toHaveLength(1);
  });

  it('takes its copy when it is paid: a page that nobody paid keeps it from nobody', async () => {
    const { id } = await sales.listing({ listingType: 'exclusive', priceCents: 2000 });
    const seen = async () =>
      ((await sales.request('GET', `/marketplace/listings/${id}`, null)).body as unknown as ListingSeen)
        .listing;
    const [late, first, other] = [await sales.newAgent(), await sales.newAgent(), await sales.newAgent()];
    const opened = await sales.buy(id, late, byCheckout);
    const page = await sales.buy(id, first, byCheckout);
    expect([page.status, (await seen()).exclusiveSold]).toEqual([200, false]);
    cards.payCheckout(sessionOf(page.body.checkoutUrl));
    await tell();
    expect((await seen()).exclusiveSold).toBe(true);
    expect((await sales.buy(id, other, byCheckout)).body.code).toBe('sold_out');
    // Paid all the same, on a page that was open: the card is let go.
    cards.payCheckout(sessionOf(opened.body.checkoutUrl));
    await tell();
    expect((await sales.read(opened.body.id, late)).body).toMatchObject({
      status: 'failed',
      failureCode: 'sold_out',
      contentStatus: 'withheld',
    });
    expect(await paymentOf(opened.body.id)).toMatchObject({ status: 'canceled', capturedCents: 0 });
    expect((await sales.read(page.body.id, first)).body.status).toBe('held');
    expect(await sales.sold(id)).toBe(1);
  });

  it('nobody pays: it expires, and there was never a copy taken', async () => {
    const { id } = await sales.listing({ listingType: 'exclusive' });
    const buyer = await sales.newAgent();
    const { body } = await sales.buy(id, buyer, byCheckout);
    expect(await sales.sold(id)).toBe(0);
    await sales.pass(2 * 3600_000);
    expect([(await sales.purchases(id))[0]?.status, await sales.sold(id)]).toEqual(['expired', 0]);
    expect(cards.payCheckout(sessionOf(body.checkoutUrl))).toBe(false);
    expect((await sales.read(body.id, buyer)).body).toMatchObject({
      status: 'expired',
      contentStatus: 'withheld',
      checkoutUrl: null,
    });
  });

  it('nobody collects: an hour before the bank would let go it expires uncharged', async () => {
    const { id } = await sales.listing();
    const { id: purchaseId } = await paid(await sales.newAgent(), id);
    await tell();
    await sales.pass(6.9 * DAY, 10);
    expect((await sales.purchases(id))[0]?.status).toBe('authorized');
    await sales.pass(0.2 * DAY);
    expect((await sales.purchases(id))[0]?.status).toBe('expired');
    expect(await paymentOf(purchaseId)).toMatchObject({ status: 'canceled', capturedCents: 0 });
  });

  it('opens to the person who paid, by the token of its page, and to nobody else', async () => {
    const { id } = await sales.listing();
    const { id: purchaseId } = await paid(null, id);
    await tell();
    const { url } = await purchasePageOf(market.newPorts(), PLACE, purchaseId);
    const path = `/marketplace/purchases/${purchaseId}`;
    expect((await sales.request('GET', path, null)).status).toBe(401);
    expect((await sales.request('GET', `${path}?token=${'0'.repeat(32)}`, null)).status).toBe(403);
    const { body } = await sales.request('GET', `${path}${new URL(url).search}`, null);
    expect(body).toMatchObject({ status: 'held', content: { answer: 42 } });
  });

  it('is pushed to a buyer with a callback URL, whose seller is asked a few times', async () => {
    const { id } = await sales.listing();
    const buyer = await sales.newAgent({ name: 'Pushed', callbackUrl: 'https://buyer.example.com/events' });
    const { id: purchaseId } = await paid(buyer, id);
    await tell();
    market.sellerEndpoint.script = () => ({ kind: 'timed_out' });
    await sales.finish();
    expect((await sales.purchases(id))[0]?.status).toBe('authorized');
    market.sellerEndpoint.script = sellerOf({ answer: 42 });
    await sales.pass(10 * 60_000);
    expect((await sales.purchases(id))[0]).toMatchObject({ id: purchaseId, status: 'held' });
    expect((await sales.events(buyer.id)).map(({ type }) => type)).toEqual([
      'purchase.authorized',
      'purchase.delivered',
    ]);
  });

  it('not delivered when collected: the reservation is given back', async () => {
    const { id } = await sales.listing();
    const buyer = await sales.newAgent();
    const { id: purchaseId } = await paid(buyer, id);
    market.sellerEndpoint.script = () => replied({ available: false });
    const { status, body } = await sales.read(purchaseId, buyer);
    expect([status, body.code, body.charged]).toEqual([502, 'delivery_unavailable', false]);
    expect(await paymentOf(purchaseId)).toMatchObject({ status: 'canceled' });
    expect((await sales.read(purchaseId, buyer)).body).toMatchObject({
      status: 'failed',
      failureCode: 'delivery_unavailable',
      contentStatus: 'withheld',
    });
  });

  it('the same Idempotency-Key: the same purchase and page', async () => {
    const { id } = await sales.listing();
    const buyer = await sales.newAgent();
    const options = { ...byCheckout, idempotencyKey: crypto.randomUUID() };
    const first = await sales.buy(id, buyer, options);
    const again = await sales.buy(id, buyer, options);
    expect(again.body).toEqual(first.body);
    expect(await sales.purchases(id)).toHaveLength(1);
  });
});
