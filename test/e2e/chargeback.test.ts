import { createStripeClient } from '@agent-marketplace/devkit/card-processor/stripe-client.ts';
import { enterCard, enterPayoutDetails } from '@agent-marketplace/devkit/card-processor/visitor.ts';
import type { Marketplace } from '@agent-marketplace/devkit/marketplace.ts';
import { startSellerServer } from '@agent-marketplace/devkit/seller-server.ts';
import { startTemporaryMarketplace } from '@agent-marketplace/devkit/temporary-marketplace.ts';
import { createMarketplaceClient, type MarketplaceClient, waitForPurchase } from '@agent-marketplace/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

// A cardholder whose bank takes the money back, from the card processor's own side: its page, its signed webhooks, and
// its own library, as the operator's dashboard would ask it.

const ADMIN_SECRET = 'admin-secret-of-this-test-0123456789';
const DAY_MS = 24 * 3_600_000;
const PRICE = 5000;
const FEE = 250;
/** Stripe's, for a charge and for a dispute. */
const KEPT = Math.round((PRICE * 29) / 1000) + 30 + 1500;
const DISPUTED_AT_ONCE = '4000000000000259';

let place: Marketplace;
let sellerServer: Awaited<ReturnType<typeof startSellerServer>>;
let seller: MarketplaceClient;
let stripe: ReturnType<typeof createStripeClient>;
let listingId: string;

beforeAll(async () => {
  place = await startTemporaryMarketplace({ variables: { ADMIN_SECRET } });
  const { cards, baseUrl } = place;
  if (!cards) throw new Error('There is no local card processor.');
  const { STRIPE_SECRET_KEY } = await place.miniflare.getBindings<{ STRIPE_SECRET_KEY: string }>(
    'marketplace-api',
  );
  stripe = createStripeClient(cards.url, STRIPE_SECRET_KEY);

  const stranger = createMarketplaceClient({ baseUrl, now: place.now });
  const { apiKey, onboardingUrl } = await stranger.registerSeller({ name: 'Harbour master' });
  seller = stranger.withApiKey(apiKey ?? '');
  const { listing } = await seller.createListing({
    title: 'Tide tables',
    description: 'High and low water of the day.',
    preview: {},
    priceCents: PRICE,
    consent: true,
  });
  listingId = listing.id;
  // Its clock goes with the marketplace's: what was signed ahead is not believed.
  sellerServer = await startSellerServer({
    marketplace: baseUrl,
    deliver: () => ({ tide: 'high' }),
    now: place.now,
  });
  await seller.setDeliveryEndpoint({ callbackUrl: sellerServer.callbackUrl });
  await enterPayoutDetails(onboardingUrl ?? '');
  await cards.control.webhooks.settled();
});

afterAll(async () => {
  await sellerServer?.close();
  await place?.close();
});

/** What the processor kept was read, and is in the ledger. */
async function reconciliation(): Promise<Record<string, unknown>> {
  const headers = { 'x-mkt-admin': ADMIN_SECRET };
  const response = await fetch(`${place.baseUrl}/admin/reconciliation`, { headers });
  return response.json() as Promise<Record<string, unknown>>;
}

async function chargebacks(): Promise<Record<string, unknown>[]> {
  const response = await fetch(`${place.baseUrl}/admin/disputes`, {
    headers: { 'x-mkt-admin': ADMIN_SECRET },
  });
  return ((await response.json()) as { chargebacks: Record<string, unknown>[] }).chargebacks;
}

/** As the operator's dashboard shows it. */
async function disputeOf(purchaseId: string) {
  const { data } = await stripe.disputes.list({ limit: 100 });
  for (const dispute of data) {
    const intent = await stripe.paymentIntents.retrieve(String(dispute.payment_intent));
    if (intent.metadata.id === purchaseId) return dispute;
  }
  throw new Error('Nobody disputed it.');
}

async function buy(): Promise<{ buyer: MarketplaceClient; purchaseId: string }> {
  const stranger = createMarketplaceClient({ baseUrl: place.baseUrl, now: place.now });
  const { apiKey } = await stranger.registerAgent({ name: 'Buyer' });
  const buyer = stranger.withApiKey(apiKey);
  const { id, checkoutUrl } = await buyer.purchaseListing({ listingId, paymentMethod: 'checkout' });
  await enterCard(checkoutUrl ?? '', DISPUTED_AT_ONCE);
  await place.cards?.control.webhooks.settled();
  // Collected, captured, and disputed in the same moment.
  const bought = await waitForPurchase(buyer, id);
  expect(bought).toMatchObject({ status: 'held', content: { tide: 'high' } });
  await place.cards?.control.webhooks.settled();
  return { buyer, purchaseId: id };
}

describe('a payment that its cardholder disputes', () => {
  it('stays in escrow while it is open, and ends refunded when the dispute is accepted', async () => {
    const { buyer, purchaseId } = await buy();
    await place.advanceClock(10 * DAY_MS);
    await place.runScheduled();
    expect(await buyer.getPurchase({ purchaseId })).toMatchObject({
      status: 'held',
      chargeback: { status: 'open', settledAt: null },
    });
    const dispute = await disputeOf(purchaseId);
    expect(await chargebacks()).toMatchObject([
      { disputeId: dispute.id, purchaseId, status: 'open', amountCents: PRICE, lossCents: PRICE },
    ]);
    // Agrees in between as well: the processor has taken the money already.
    expect(await reconciliation()).toMatchObject({
      findings: [],
      processorFeesCents: KEPT,
      chargebacksCents: PRICE,
    });

    expect(await stripe.disputes.close(dispute.id)).toMatchObject({ status: 'lost' });
    await place.cards?.control.webhooks.settled();
    await place.runScheduled();
    expect(await buyer.getPurchase({ purchaseId })).toMatchObject({
      status: 'refunded',
      failureCode: 'chargeback',
      chargeback: { status: 'lost' },
      content: null,
    });
    expect(await stripe.refunds.list({ payment_intent: String(dispute.payment_intent) })).toMatchObject({
      data: [],
    });
    const { sales, notifications } = await seller.getSellerDashboard();
    expect(sales[0]).toMatchObject({ purchaseId, status: 'refunded', chargeback: { status: 'lost' } });
    expect(notifications.map(({ type }) => type)).toEqual(
      expect.arrayContaining(['sale.held', 'sale.chargeback', 'sale.refunded']),
    );
    expect(await reconciliation()).toMatchObject({
      findings: [],
      processorFeesCents: KEPT,
      chargebacksCents: 0,
      feesCents: 0,
    });
  });

  it('goes on to the seller once the bank leaves it', async () => {
    const { buyer, purchaseId } = await buy();
    await place.advanceClock(4 * DAY_MS);
    await place.runScheduled();
    const dispute = await disputeOf(purchaseId);
    place.cards?.control.closeDispute(dispute.id, 'won');
    await place.cards?.control.webhooks.settled();
    await place.runScheduled();
    expect(await buyer.getPurchase({ purchaseId })).toMatchObject({
      status: 'released',
      chargeback: { status: 'won' },
    });
    expect(await stripe.transfers.list({ transfer_group: purchaseId })).toMatchObject({
      data: [{ amount: PRICE - FEE }],
    });
    expect(await reconciliation()).toMatchObject({
      findings: [],
      processorFeesCents: 2 * KEPT,
      chargebacksCents: 0,
    });
  });
});

const newBuyer = async (options: { readonly retries?: number } = {}) => {
  const stranger = createMarketplaceClient({ baseUrl: place.baseUrl, now: place.now, ...options });
  const { apiKey } = await stranger.registerAgent({ name: 'Buyer' });
  return { buyer: stranger.withApiKey(apiKey), apiKey };
};
const intentsOf = async (purchaseId: string) => {
  const { data } = await stripe.paymentIntents.list({ limit: 100 });
  return data.filter(({ metadata }) => metadata.id === purchaseId);
};

describe('a payment that finance captures in part before it is collected', () => {
  it('pays for nothing: what was taken goes back, and nobody is told to collect', async () => {
    const { buyer, apiKey } = await newBuyer();
    const { id, checkoutUrl } = await buyer.purchaseListing({ listingId, paymentMethod: 'checkout' });
    // The processor's report waits until it is captured.
    place.cards?.control.webhooks.hold();
    await enterCard(checkoutUrl ?? '', '4000000000000077');
    const [intent] = await intentsOf(id);
    const { STRIPE_SECRET_KEY } = await place.miniflare.getBindings<{ STRIPE_SECRET_KEY: string }>(
      'marketplace-api',
    );
    const captured = await fetch(`${place.cards?.url}/_local/payments`, {
      method: 'POST',
      headers: { authorization: `Bearer ${STRIPE_SECRET_KEY}`, 'content-type': 'application/json' },
      body: JSON.stringify({ do: 'capture', paymentIntent: intent?.id, amount: 300 }),
    });
    expect(captured.status).toBe(200);
    place.cards?.control.webhooks.release();
    await place.cards?.control.webhooks.settled();
    await place.advanceClock(600_000);
    await place.runScheduled();
    await place.cards?.control.webhooks.settled();
    expect(await buyer.getPurchase({ purchaseId: id })).toMatchObject({ status: 'refunded', content: null });
    const refunds = await stripe.refunds.list({ payment_intent: String(intent?.id) });
    expect(refunds.data.map(({ amount, status }) => [amount, status])).toEqual([[300, 'succeeded']]);
    const told = await fetch(`${place.baseUrl}/agents/me/events?after=0`, {
      headers: { authorization: `Bearer ${apiKey}` },
    });
    const { events } = (await told.json()) as { events: { type: string }[] };
    expect(events.map(({ type }) => type)).not.toContain('purchase.authorized');
    expect(await reconciliation()).toMatchObject({ findings: [] });
  });
});

describe('a saved card is charged, and the reply of the processor is lost', () => {
  const MINUTE_MS = 60_000;

  /** The charge is made, and neither try of the request learns of it. */
  async function loseReply() {
    // It would ask again by itself, after the minute that the answer names.
    const { buyer } = await newBuyer({ retries: 0 });
    const { setupUrl } = await buyer.setupPaymentMethod();
    await enterCard(setupUrl, '4242424242424242');
    await place.cards?.control.webhooks.settled();
    // The reports of the charge wait: what they have looked up is not to be told either.
    place.cards?.control.webhooks.hold();
    const path = '/v1/payment_intents';
    // It charges, and fails before it answers; under the same key it says the same. Nor does it tell what it charged.
    place.cards?.control.fail({ kind: 'late_server_error', method: 'POST', path });
    place.cards?.control.fail({ kind: 'server_error', method: 'GET', path, times: 2 });
    const once = { idempotencyKey: crypto.randomUUID() };
    const buy = () => buyer.purchaseListing({ listingId, paymentMethod: 'card' }, once);
    await expect(buy()).rejects.toMatchObject({ code: 'payment_not_confirmed' });
    place.cards?.control.webhooks.release();
    await place.cards?.control.webhooks.settled();
    const found = async () => (await buyer.listPurchases({ idempotencyKey: once.idempotencyKey })).purchases;
    const [purchase, ...others] = await found();
    expect([others, await intentsOf(purchase?.id ?? '')]).toEqual([
      [],
      [expect.objectContaining({ status: 'requires_capture', amount: PRICE })],
    ]);
    return { buy, found, purchaseId: purchase?.id ?? '' };
  }

  it('and its buyer finds by its Idempotency-Key that it was given back, once its minute is over', async () => {
    const { found, purchaseId } = await loseReply();
    expect(await found()).toMatchObject([{ id: purchaseId, status: 'pending_payment' }]);
    await place.advanceClock(2 * MINUTE_MS);
    await place.runScheduled();
    expect(await found()).toMatchObject([{ id: purchaseId, status: 'failed' }]);
    expect(await intentsOf(purchaseId)).toMatchObject([{ status: 'canceled', amount_received: 0 }]);
    expect(await reconciliation()).toMatchObject({ findings: [] });
  });

  it('and its buyer who sends the same again is charged once', async () => {
    const { buy, found, purchaseId } = await loseReply();
    await place.advanceClock(2 * MINUTE_MS);
    const bought = await buy();
    expect(bought).toMatchObject({ status: 'held', content: { tide: 'high' } });
    await place.runScheduled();
    const purchases = await found();
    const states = await Promise.all(
      purchases.map(async ({ id, status }) => [status, ...(await intentsOf(id)).map((one) => one.status)]),
    );
    expect(states.sort()).toEqual(
      bought.id === purchaseId
        ? [['held', 'succeeded']]
        : [
            ['failed', 'canceled'],
            ['held', 'succeeded'],
          ],
    );
    expect(await reconciliation()).toMatchObject({ findings: [] });
  });
});
