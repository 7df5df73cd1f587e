import { afterEach, describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS } from '../../kernel/time.ts';
import { createQueryMarketplace } from '../../testing/marketplace/query-marketplace.ts';
import { createUsdcShop } from '../../testing/marketplace/usdc-shop.ts';

// A physical order that was paid over x402, by somebody without an account, and that nobody ships: the escrow
// clock sends the USDC back to where it came from.

const query = createQueryMarketplace();
const { sales, market, chain } = query;
const { received, statusOf } = createUsdcShop(query);
const PRICE = 4000;
const UNITS = BigInt(PRICE) * 10_000n;
const SHIP_WITHIN_MS = 14 * DAY_MS;

afterEach(async () => {
  await query.heal();
  await sales.audit();
});

async function ordered(version: 1 | 2 = 2) {
  const { id, seller } = await sales.listing({ priceCents: PRICE, fulfilment: 'physical' });
  const payer = query.newPayer();
  const { status, body } = await query.query(id, await query.pay(payer, id, version));
  expect([status, body.status]).toEqual([200, 'held']);
  const purchaseId: string = body.id;
  expect(await sales.payment(purchaseId)).toMatchObject({
    due_at: new Date(market.clock.now() + SHIP_WITHIN_MS).toISOString(),
    hold_until: null,
    ship_by: new Date(market.clock.now() + SHIP_WITHIN_MS).toISOString(),
  });
  await market.background.settled();
  return { listingId: id, seller, payer, purchaseId };
}

type Order = Awaited<ReturnType<typeof ordered>>;

const ship = ({ seller, purchaseId }: Order) =>
  sales.request('POST', `/sell/orders/${purchaseId}/shipment`, seller.apiKey, {
    carrier: 'Post',
    trackingNumber: 'X1',
  });
const back = ({ payer }: Order) => received(payer.address);
const dashboardOf = async ({ seller }: Order) =>
  (await sales.request('GET', '/sell/me', seller.apiKey)).body as unknown as {
    notifications: { type: string; data: Record<string, unknown> }[];
    profile: { deliveredCount: number; failedCount: number };
  };

/** A call of the platform to pay is lost, once. */
function loseOnePayment(fault: 'lose_request' | 'lose_reply'): void {
  let isBroken = true;
  chain.fault = ({ method }) => {
    if (method !== 'pay' || !isBroken) return undefined;
    isBroken = false;
    return fault;
  };
}

describe('a physical order over x402 that is not shipped in time', () => {
  it.each([1, 2] as const)('version %d: the USDC goes back to its payer, once', async (version) => {
    const [clearing, fees] = [await sales.account('usdc_clearing'), await sales.account('fees')];
    const order = await ordered(version);
    expect((await sales.account('usdc_clearing')) - clearing).toBe(-PRICE);
    const { payer } = order;
    const left = chain.balanceOf(payer.address);
    market.clock.advance(SHIP_WITHIN_MS - 1);
    await sales.clock();
    expect([await statusOf(order.purchaseId), back(order)]).toEqual(['held', []]);
    market.clock.advance(1);
    await Promise.all([sales.clock(), sales.clock(), sales.clock()]);
    await sales.pass(DAY_MS);
    expect([await statusOf(order.purchaseId), back(order)]).toEqual(['refunded', [UNITS]]);
    expect(chain.balanceOf(payer.address)).toBe(left + UNITS);
    expect(await sales.payment(order.purchaseId)).toMatchObject({
      refund_reason: 'not_shipped',
      refunded_cents: PRICE,
      transferred_cents: 0,
    });
    expect([
      await sales.account('usdc_clearing'),
      await sales.account('fees'),
      await sales.account(`escrow:${order.seller.id}`),
    ]).toEqual([clearing, fees, 0]);
    expect((await ship(order)).body.code).toBe('not_to_be_shipped');
  });

  it('is told to its seller, and counts as a failed delivery in place of a delivered one', async () => {
    const order = await ordered();
    expect((await dashboardOf(order)).profile).toMatchObject({ deliveredCount: 1, failedCount: 0 });
    await sales.pass(SHIP_WITHIN_MS + HOUR_MS);
    const { notifications, profile } = await dashboardOf(order);
    expect(profile).toMatchObject({ deliveredCount: 0, failedCount: 1 });
    expect(notifications[0]).toMatchObject({
      type: 'sale.refunded',
      data: { purchaseId: order.purchaseId, reason: 'not_shipped', status: 'refunded' },
    });
    await sales.pass(DAY_MS);
    expect((await dashboardOf(order)).profile).toMatchObject({ failedCount: 1 });
  });

  it('is given back in full where more than the price was paid, as version 1 let payers do', async () => {
    const order = await ordered();
    chain.fund(chain.payTo, 123_456n);
    const units = String(UNITS + 123_456n);
    await sales.rows('UPDATE usdc_payments SET units = ? WHERE purchase_id = ?', units, order.purchaseId);
    await sales.pass(SHIP_WITHIN_MS + HOUR_MS);
    expect([await statusOf(order.purchaseId), back(order)]).toEqual(['refunded', [UNITS + 123_456n]]);
  });

  it.each(['lose_request', 'lose_reply'] as const)(
    '%s of the transfer: made once all the same, and too late for a parcel meanwhile',
    async (fault) => {
      const order = await ordered();
      market.clock.advance(SHIP_WITHIN_MS);
      loseOnePayment(fault);
      await sales.clock();
      expect(await statusOf(order.purchaseId)).toBe('held');
      expect((await ship(order)).body.code).toBe('not_to_be_shipped');
      await sales.pass(HOUR_MS);
      expect([await statusOf(order.purchaseId), back(order)]).toEqual(['refunded', [UNITS]]);
    },
  );

  it('is not given back again when the database is lost once the transfer is made', async () => {
    const order = await ordered();
    market.clock.advance(SHIP_WITHIN_MS);
    const { pay } = chain;
    chain.pay = async (...asked) => {
      const outcome = await pay.apply(chain, asked);
      market.market.fault = () => 'lose_request';
      return outcome;
    };
    await sales.clock().catch(() => undefined);
    chain.pay = pay;
    market.market.fault = () => undefined;
    expect([await statusOf(order.purchaseId), back(order)]).toEqual(['held', [UNITS]]);
    await sales.pass(DAY_MS);
    expect([await statusOf(order.purchaseId), back(order)]).toEqual(['refunded', [UNITS]]);
  });

  it('waits for the transfer to be seen on chain, and is then refunded by it', async () => {
    const order = await ordered();
    chain.stopMining();
    await sales.pass(SHIP_WITHIN_MS + HOUR_MS);
    expect(await statusOf(order.purchaseId)).toBe('held');
    chain.startMining();
    await sales.pass(HOUR_MS);
    expect([await statusOf(order.purchaseId), back(order)]).toEqual(['refunded', [UNITS]]);
  });

  it('shipped at the same moment: one of the two wins', async () => {
    const order = await ordered();
    market.clock.advance(SHIP_WITHIN_MS);
    const [shipped] = await Promise.all([ship(order), sales.clock()]);
    await sales.pass(HOUR_MS);
    const isShipped = shipped.status === 200;
    expect([
      await statusOf(order.purchaseId),
      (await sales.payment(order.purchaseId)).shipped_at !== null,
      back(order),
    ]).toEqual(isShipped ? ['held', true, []] : ['refunded', false, [UNITS]]);
  });
});

describe('a physical order over x402 that is shipped in time', () => {
  it('pays its seller, and nothing goes back', async () => {
    const order = await ordered();
    // Of the orders before, one may have been shipped, and is paid first.
    await sales.fund(await sales.newAgent({ name: 'Buyer' }), 3 * PRICE);
    market.clock.advance(SHIP_WITHIN_MS - 1);
    expect((await ship(order)).status).toBe(200);
    await sales.pass(30 * DAY_MS, 10);
    expect([await statusOf(order.purchaseId), back(order)]).toEqual(['released', []]);
  });
});
