import { FEE_SCHEDULES } from '@agent-marketplace/core/fees/index.ts';
import { replied, sellerOf } from '@agent-marketplace/core/testing/doubles/fake-seller-endpoint.ts';
import type { RegisteredAgent } from '@agent-marketplace/core/testing/fixtures/new-seller.ts';
import {
  createSalesMarketplace,
  sessionOf,
} from '@agent-marketplace/core/testing/marketplace/sales-marketplace.ts';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { clause } from './clause.ts';
import { type Body, createService } from './service.ts';

// Parts "Payment paths", "Sale settlement (escrow)" and the fees of a sale of the specification. What may go
// wrong on the way: test/fault.

const HOUR = 3600_000;
const sales = createSalesMarketplace();
const { market, cards } = sales;
const service = createService(market);
let seller: Awaited<ReturnType<typeof sales.seller>>;
let buyer: RegisteredAgent;
beforeAll(async () => {
  seller = await sales.seller();
  buyer = await sales.newAgent();
  await sales.fund(buyer, 50_000);
});
beforeEach(() => {
  market.sellerEndpoint.script = sellerOf({ answer: 42 });
});

const listed = async (fields: Body = {}) => (await sales.listing({ priceCents: 4000, ...fields }, seller)).id;
const byWallet = { body: { payment_method: 'wallet' } };
const statusOf = async (id: string) => (await sales.read(id, buyer)).body.status;

describe('payment paths', () => {
  clause(
    'service.pay-checkout',
    'purchase.checkout-url',
    'purchase.content',
    'purchasing.checkout',
    'purchasing.read',
  );
  it('checkout: a paid listing returns a checkout URL; the content comes once it is paid', async () => {
    const fresh = await sales.newAgent();
    const { status, body } = await sales.buy(await listed(), fresh);
    expect([status, body.status, body.rail, body.content, body.receipt]).toEqual([
      200,
      'pending_payment',
      'checkout',
      null,
      null,
    ]);
    expect(body.checkoutUrl).toMatch(/^https:/);
    const unpaid = await sales.read(body.id, fresh);
    expect([unpaid.body.content, unpaid.body.status]).toEqual([null, 'pending_payment']);
    cards.payCheckout(sessionOf(body.checkoutUrl), 'available_at_once');
    const { paymentId } = await cards.getCheckout(sessionOf(body.checkoutUrl));
    const paid = await sales.read(body.id, fresh);
    expect(await cards.getPayment(String(paymentId))).toMatchObject({ capturedCents: 4000 });
    expect(paid.body).toMatchObject({ status: 'held', content: { answer: 42 }, checkoutUrl: null });
    expect(paid.body.receipt?.statement).toMatchObject({ purchaseId: body.id, rail: 'checkout' });
  });

  clause('service.pay-wallet-card');
  it('a prepaid wallet, or a saved card: delivered in the answer', async () => {
    await sales.saveCard(buyer, 'available_at_once');
    const charged = () => cards.payments.reduce((sum, { capturedCents }) => sum + capturedCents, 0);
    for (const [rail, fromWallet, fromCard] of [
      ['wallet', 4000, 0],
      ['card', 0, 4000],
    ] as const) {
      const before = [await sales.balanceOf(buyer), charged()] as const;
      const { status, body } = await sales.buy(await listed(), buyer, { body: { payment_method: rail } });
      expect([status, body.rail, body.status, body.content]).toEqual([200, rail, 'held', { answer: 42 }]);
      expect([before[0] - (await sales.balanceOf(buyer)), charged() - before[1]]).toEqual([
        fromWallet,
        fromCard,
      ]);
    }
    await sales.audit();
  });

  clause('service.free-immediately');
  it('free listings (priceCents 0) deliver immediately, with no checkout and no payouts of the seller', async () => {
    const unpaid = await service.seller();
    const { id } = await service.list(unpaid);
    const { status, body } = await sales.buy(id, null);
    expect([status, body.status, body.checkoutUrl, body.content]).toEqual([
      200,
      'released',
      null,
      { answer: 42 },
    ]);
  });
});

describe('sale settlement (escrow)', () => {
  clause('escrow.held', 'escrow.releasing', 'escrow.released-is-paid');
  it('held from the first successful delivery, releasing while the payout is under way, then released', async () => {
    const { body } = await sales.buy(await listed(), buyer, byWallet);
    expect(body.status).toBe('held');
    market.clock.advance(72 * HOUR);
    cards.fault = ({ method }) => (method === 'transfer' ? 'lose_reply' : undefined);
    await sales.clock();
    expect(await statusOf(body.id)).toBe('releasing');
    cards.fault = () => undefined;
    await sales.pass(HOUR);
    expect(await statusOf(body.id)).toBe('released');
    const sent = cards.transfers.filter(({ purchaseId }) => purchaseId === body.id);
    // What is released is what reached the seller.
    expect(sent.map(({ amountCents }) => amountCents)).toEqual([4000 - 200]);
    await sales.audit();
  });

  clause('escrow.shipment');
  it('physical orders also wait for shipment', async () => {
    const { body } = await sales.buy(await listed({ fulfilment: 'physical' }), buyer, byWallet);
    await sales.pass(200 * HOUR);
    expect(await statusOf(body.id)).toBe('held');
    const shipment = { carrier: 'Post', trackingNumber: 'X1' };
    const shipped = await service.post(`/sell/orders/${body.id}/shipment`, shipment, { key: seller.apiKey });
    expect(shipped.status).toBe(200);
    await sales.pass(73 * HOUR);
    expect(await statusOf(body.id)).toBe('released');
  });

  clause('escrow.query-then-charge', 'events.unavailable', 'events.credited-after');
  it.each([
    ['HTTP 404', () => replied({}, 404)],
    ['{available: false}', () => replied({ available: false })],
    ['a failure', () => replied({}, 500)],
  ])('query-then-charge: %s of the seller, and the buyer is not charged', async (_, script) => {
    const before = await sales.balanceOf(buyer);
    market.sellerEndpoint.script = script;
    const { status, body } = await sales.buy(await listed(), buyer, byWallet);
    expect([status, body.charged, await sales.balanceOf(buyer)]).toEqual([502, false, before]);
  });

  clause('escrow.mismatch', 'events.sha256-mismatch');
  it('data that fails its __sha256 is refunded automatically', async () => {
    const before = await sales.balanceOf(buyer);
    const id = await listed();
    market.sellerEndpoint.script = () => replied({ data: { a: 1, __sha256: `sha256:${'0'.repeat(64)}` } });
    const { status, body } = await sales.buy(id, buyer, byWallet);
    expect([status, body.code]).toEqual([502, 'delivery_integrity_mismatch']);
    expect(await sales.purchases(id)).toMatchObject([{ status: 'refunded' }]);
    expect(await sales.balanceOf(buyer)).toBe(before);
  });
});

describe('fees of a sale', () => {
  clause('fees.standard', 'fees.buyer', 'fees.closing-rate', 'purchase.id', 'versioning.closing-rate');
  it.each([
    [1999, 0],
    [2000, 100],
    [2001, 100],
    [4000, 200],
  ])('%i cents: %i cents to the platform, nothing added for the buyer', async (priceCents, fee) => {
    const before = await sales.balanceOf(buyer);
    const { body } = await sales.buy(await listed({ priceCents }), buyer, byWallet);
    expect([body.amountCents, body.platformFeeCents]).toEqual([priceCents, fee]);
    expect(before - (await sales.balanceOf(buyer))).toBe(priceCents);
    expect(body.receipt?.statement).toMatchObject({ platformFeeCents: fee, feeScheduleVersion: 1 });
  });

  clause('fees.closing-rate', 'versioning.closing-rate');
  it('a sale keeps the rate it was settled under when another takes effect', async () => {
    const before = await sales.buy(await listed(), buyer, byWallet);
    const [first] = FEE_SCHEDULES as [(typeof FEE_SCHEDULES)[number]];
    const at = (ms: number) => new Date(market.clock.now() + ms).toISOString();
    const dearer = { ...first, version: 2, rates: { ...first.rates, standardBps: 1000 } };
    (FEE_SCHEDULES as (typeof first)[]).push({ ...dearer, announcedAt: at(0), effectiveAt: at(HOUR) });
    try {
      await sales.pass(HOUR);
      const after = await sales.buy(await listed(), buyer, byWallet);
      expect([after.body.platformFeeCents, after.body.receipt?.statement]).toMatchObject([
        400,
        { platformFeeCents: 400, feeScheduleVersion: 2 },
      ]);
      await sales.pass(73 * HOUR);
      const settled = (await sales.read(before.body.id, buyer)).body;
      expect([settled.status, settled.platformFeeCents, settled.receipt]).toEqual([
        'released',
        200,
        before.body.receipt,
      ]);
      const paidOut = (id: string) => cards.transfers.find(({ purchaseId }) => purchaseId === id);
      expect(paidOut(before.body.id)?.amountCents).toBe(3800);
      expect(paidOut(after.body.id)?.amountCents).toBe(3600);
    } finally {
      (FEE_SCHEDULES as (typeof first)[]).pop();
    }
  });

  clause('fees.listing');
  it('listing costs nothing', async () => {
    const feesBefore = await sales.account('fees');
    await listed({ priceCents: 5_000_000 });
    expect(await sales.account('fees')).toBe(feesBefore);
  });
});
