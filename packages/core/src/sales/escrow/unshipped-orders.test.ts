import { afterEach, describe, expect, it } from 'vitest';
import { sellerOf } from '../../testing/doubles/fake-seller-endpoint.ts';
import type { RegisteredAgent } from '../../testing/fixtures/new-seller.ts';
import { createSalesMarketplace, sessionOf } from '../../testing/marketplace/sales-marketplace.ts';
import { TEST_ADMIN_SECRET } from '../../testing/marketplace/test-bindings.ts';

// A physical order that nobody ships does not keep the buyer's money for ever.

const sales = createSalesMarketplace({ shipmentDeadlineDays: 3 });
const { market, cards } = sales;
const DAY = 24 * 3600_000;

market.sellerEndpoint.script = sellerOf({ answer: 42 });

afterEach(async () => {
  market.market.fault = () => undefined;
  cards.fault = () => undefined;
  await market.background.settled();
  await sales.audit();
});

type Method = 'wallet' | 'card' | 'checkout';

async function ordered(method: Method) {
  const listing = await sales.listing({ priceCents: 4000, fulfilment: 'physical' });
  const buyer = await sales.newAgent({ name: 'Buyer', callbackUrl: 'https://buyer.example.com/hook' });
  if (method === 'wallet') await sales.fund(buyer, 4000);
  if (method === 'card') await sales.saveCard(buyer, 'available_at_once');
  let { body } = await sales.buy(listing.id, buyer, { body: { payment_method: method } });
  if (method === 'checkout') {
    cards.payCheckout(sessionOf(body.checkoutUrl), 'available_at_once');
    body = (await sales.read(body.id, buyer)).body;
  }
  expect(body.status).toBe('held');
  await market.background.settled();
  return { ...listing, buyer, purchaseId: body.id };
}

type Order = Awaited<ReturnType<typeof ordered>>;

const statusOf = async ({ id }: Order) => (await sales.purchases(id))[0]?.status;
const ship = ({ seller, purchaseId }: Order) =>
  sales.request('POST', `/sell/orders/${purchaseId}/shipment`, seller.apiKey, {
    carrier: 'Post',
    trackingNumber: 'X1',
  });
const dispute = ({ purchaseId, buyer }: Order) =>
  sales.request('POST', `/marketplace/purchases/${purchaseId}/dispute`, buyer.apiKey, {
    reason: 'Where is it?',
  });
const refunds = ({ purchaseId }: Order) =>
  cards.calls.filter(({ method, key }) => method === 'refund' && key?.includes(purchaseId)).length;
const dashboardOf = async (seller: RegisteredAgent) =>
  (await sales.request('GET', '/sell/me', seller.apiKey)).body as unknown as {
    sales: Record<string, unknown>[];
    notifications: { type: string; data: Record<string, unknown> }[];
    profile: { deliveredCount: number; failedCount: number };
  };

describe('an order that is not shipped in time', () => {
  it.each(['wallet', 'card', 'checkout'] as const)('%s: is refunded, once', async (method) => {
    const order = await ordered(method);
    const { shipBy } = (await sales.read(order.purchaseId, order.buyer)).body as unknown as {
      shipBy: string;
    };
    expect(Date.parse(shipBy)).toBe(market.clock.now() + 3 * DAY);
    market.clock.advance(3 * DAY - 1);
    await sales.clock();
    expect(await statusOf(order)).toBe('held');
    market.clock.advance(1);
    await Promise.all([sales.clock(), sales.clock(), sales.clock()]);
    await sales.clock();
    expect(await statusOf(order)).toBe('refunded');
    if (method === 'wallet') expect(await sales.balanceOf(order.buyer)).toBe(4000);
    else
      expect(new Set(cards.payments.map((one) => [one.reference?.id, one.refundedCents].join()))).toContain(
        `${order.purchaseId},4000`,
      );
    const told = (await sales.events(order.buyer.id)).filter(({ type }) => type === 'purchase.refunded');
    expect(told).toHaveLength(1);
    expect((await sales.read(order.purchaseId, order.buyer)).body).toMatchObject({
      failureCode: 'not_shipped',
      status: 'refunded',
    });
    expect((await ship(order)).body.code).toBe('not_to_be_shipped');
  });

  it('is told to its seller, and counts as a failed delivery in place of a delivered one', async () => {
    const order = await ordered('wallet');
    const before = await dashboardOf(order.seller);
    expect(before.profile).toMatchObject({ deliveredCount: 1, failedCount: 0 });
    expect(before.sales[0]).toMatchObject({
      awaitsShipment: true,
      shipBy: new Date(market.clock.now() + 3 * DAY).toISOString(),
    });
    market.clock.advance(3 * DAY);
    await sales.clock();
    const { notifications, profile } = await dashboardOf(order.seller);
    expect(profile).toMatchObject({ deliveredCount: 0, failedCount: 1 });
    expect(notifications[0]).toMatchObject({
      type: 'sale.refunded',
      data: { purchaseId: order.purchaseId, reason: 'not_shipped', status: 'refunded' },
    });
  });

  it.each(['lose_request', 'lose_reply'] as const)(
    '%s of the refund: made once all the same',
    async (fault) => {
      const order = await ordered('card');
      market.clock.advance(3 * DAY);
      cards.fault = ({ method }) => (method === 'refund' ? fault : undefined);
      await sales.clock();
      expect(await statusOf(order)).toBe('held');
      // It was decided: too late for a parcel.
      expect((await ship(order)).body.code).toBe('not_to_be_shipped');
      cards.fault = () => undefined;
      await sales.pass(DAY);
      expect(await statusOf(order)).toBe('refunded');
      expect(refunds(order)).toBe(2);
    },
  );

  it('shipped at the same moment: one of the two wins', async () => {
    for (const method of ['wallet', 'card'] as const) {
      const order = await ordered(method);
      market.clock.advance(3 * DAY);
      const [shipped] = await Promise.all([ship(order), sales.clock()]);
      await sales.clock();
      const isShipped = shipped.status === 200;
      expect([await statusOf(order), (await sales.payment(order.purchaseId)).shipped_at !== null]).toEqual([
        isShipped ? 'held' : 'refunded',
        isShipped,
      ]);
    }
  });
});

describe('an order that waits for something else', () => {
  it('is not refunded while it is disputed, and goes where that is decided', async () => {
    const order = await ordered('card');
    await dispute(order);
    await sales.pass(13 * DAY);
    expect([await statusOf(order), refunds(order)]).toEqual(['held', 0]);
    const path = `/admin/disputes/${order.purchaseId}/decision`;
    const headers = { 'x-mkt-admin': TEST_ADMIN_SECRET };
    await sales.request('POST', path, null, { decision: 'release' }, headers);
    await sales.pass(DAY);
    expect([await statusOf(order), refunds(order)]).toEqual(['released', 0]);
  });

  it('is not refunded once it was shipped', async () => {
    const order = await ordered('card');
    market.clock.advance(3 * DAY - 1);
    await ship(order);
    await sales.pass(30 * DAY);
    expect([await statusOf(order), refunds(order)]).toEqual(['released', 0]);
  });

  it('is not refunded if nothing is to be shipped', async () => {
    const { id } = await sales.listing({ priceCents: 4000 });
    const buyer = await sales.newAgent();
    await sales.saveCard(buyer, 'available_at_once');
    const { body } = await sales.buy(id, buyer, { body: { payment_method: 'card' } });
    expect((body as unknown as { shipBy: unknown }).shipBy).toBeNull();
    await sales.pass(4 * DAY);
    expect((await sales.purchases(id))[0]?.status).toBe('released');
  });
});
