import { afterEach, describe, expect, it } from 'vitest';
import { clause } from '../../../../../test/conformance/clause.ts';
import { sellerOf } from '../../testing/doubles/fake-seller-endpoint.ts';
import { verifiedSellerOf } from '../../testing/fixtures/new-listing.ts';
import type { RegisteredAgent } from '../../testing/fixtures/new-seller.ts';
import { createSalesMarketplace } from '../../testing/marketplace/sales-marketplace.ts';
import { TEST_ADMIN_SECRET } from '../../testing/marketplace/test-bindings.ts';
import { refundSale, settleAccount } from '../index.ts';

const sales = createSalesMarketplace();
const { market, cards } = sales;
const HOUR = 3600_000;
const admin = { 'x-mkt-admin': TEST_ADMIN_SECRET };

market.sellerEndpoint.script = sellerOf({ answer: 42 });

afterEach(async () => {
  market.market.fault = () => undefined;
  cards.fault = () => undefined;
  await market.background.settled();
  await sales.audit();
});

type Method = 'wallet' | 'card';

async function sold(method: Method = 'wallet', fields: Record<string, unknown> = {}, by?: RegisteredAgent) {
  const listing = await sales.listing({ priceCents: 4000, ...fields }, by);
  const buyer = await sales.newAgent();
  if (method === 'wallet') await sales.fund(buyer, 4000);
  else await sales.saveCard(buyer, 'available_at_once');
  const { status, body } = await sales.buy(listing.id, buyer, { body: { payment_method: method } });
  if (status !== 200) throw new Error(JSON.stringify(body));
  return { ...listing, buyer, purchaseId: body.id };
}

const statusOf = async (listingId: string) => (await sales.purchases(listingId))[0]?.status;
const transfers = (purchaseId: string) =>
  cards.calls.filter(({ method, key }) => method === 'transfer' && key?.includes(purchaseId)).length;
const decide = (purchaseId: string, decision: string) =>
  sales.request('POST', `/admin/disputes/${purchaseId}/decision`, null, { decision }, admin);
const dispute = (purchaseId: string, buyer: RegisteredAgent, reason = 'Not what was promised.') =>
  sales.request('POST', `/marketplace/purchases/${purchaseId}/dispute`, buyer.apiKey, { reason });

describe('the escrow clock', () => {
  clause('escrow.held');
  it.each(['wallet', 'card'] as const)(
    '%s: releases after 72 hours, once, and pays the seller its share',
    async (method) => {
      const { id, seller, purchaseId } = await sold(method);
      market.clock.advance(72 * HOUR - 1);
      await sales.clock();
      expect(await statusOf(id)).toBe('held');
      market.clock.advance(1);
      await Promise.all([sales.clock(), sales.clock(), sales.clock()]);
      await sales.clock();
      expect(await statusOf(id)).toBe('released');
      expect(transfers(purchaseId)).toBe(1);
      expect([
        await sales.account(`escrow:${seller.id}`),
        (await sales.payment(purchaseId)).transferred_cents,
      ]).toEqual([0, 3800]);
    },
  );

  it.each(['lose_request', 'lose_reply'] as const)(
    '%s of the transfer: asked again under its key, paid once',
    async (fault) => {
      const { id, purchaseId } = await sold('card');
      market.clock.advance(72 * HOUR);
      cards.fault = ({ method }) => (method === 'transfer' ? fault : undefined);
      await sales.clock();
      expect(await statusOf(id)).toBe('releasing');
      cards.fault = () => undefined;
      await sales.pass(HOUR);
      expect(await statusOf(id)).toBe('released');
      const keys = cards.calls.filter(
        ({ method, key }) => method === 'transfer' && key?.includes(purchaseId),
      );
      expect(new Set(keys.map(({ key }) => key)).size).toBe(1);
    },
  );

  clause('escrow.releasing');
  it('a refused transfer goes back to held, tells the seller, and is tried again under another key', async () => {
    const seller = await sales.seller();
    const { id, purchaseId } = await sold('card', {}, seller);
    cards.onboard(seller.accountId, 'pending');
    market.clock.advance(72 * HOUR);
    await sales.clock();
    expect(await statusOf(id)).toBe('held');
    expect((await sales.payment(purchaseId)).transferred_cents).toBe(0);
    cards.onboard(seller.accountId);
    await sales.pass(2 * HOUR);
    expect(await statusOf(id)).toBe('released');
    expect(transfers(purchaseId)).toBe(2);
  });

  it('a seller without payouts waits, and is paid once they are connected', async () => {
    const seller = await verifiedSellerOf(market);
    await market
      .newPorts()
      .market.commit([
        { sql: "UPDATE sellers SET payouts = 'connected' WHERE agent_id = ?", params: [seller.id] },
      ]);
    const { id, purchaseId } = await sold('wallet', {}, seller);
    await sales.pass(80 * HOUR);
    expect([await statusOf(id), transfers(purchaseId)]).toEqual(['held', 0]);
    cards.onboard(await sales.connect(seller));
    await sales.pass(3 * HOUR);
    expect([await statusOf(id), transfers(purchaseId)]).toEqual(['released', 1]);
  });
});

describe('a physical order', () => {
  it('waits for its shipment, and 72 hours from there', async () => {
    const { id, seller, buyer, purchaseId } = await sold('wallet', { fulfilment: 'physical' });
    await sales.pass(100 * HOUR);
    expect(await statusOf(id)).toBe('held');
    const body = { carrier: 'Post', trackingNumber: 'X1' };
    const path = `/sell/orders/${purchaseId}/shipment`;
    expect((await sales.request('POST', path, (await sales.seller()).apiKey, body)).status).toBe(403);
    const shipped = await sales.request('POST', path, seller.apiKey, body);
    expect([shipped.status, shipped.body]).toMatchObject([200, { carrier: 'Post' }]);
    expect((await sales.request('POST', path, seller.apiKey, body)).body.code).toBe('not_to_be_shipped');
    expect((await sales.read(purchaseId, buyer)).body).toMatchObject({ shipment: { trackingNumber: 'X1' } });
    await sales.pass(71 * HOUR);
    expect(await statusOf(id)).toBe('held');
    await sales.pass(2 * HOUR);
    expect(await statusOf(id)).toBe('released');
  });

  it('a digital one is not shipped', async () => {
    const { seller, purchaseId } = await sold();
    const { body } = await sales.request('POST', `/sell/orders/${purchaseId}/shipment`, seller.apiKey, {
      carrier: 'Post',
      trackingNumber: 'X1',
    });
    expect(body.code).toBe('not_to_be_shipped');
  });
});

describe('a dispute', () => {
  it('stops the clock until it is decided, and opens once, by the buyer, while held', async () => {
    const { id, buyer, purchaseId } = await sold();
    expect((await dispute(purchaseId, await sales.newAgent())).status).toBe(403);
    expect((await dispute(purchaseId, buyer)).status).toBe(200);
    const { body } = await dispute(purchaseId, buyer);
    expect(body).toMatchObject({
      code: 'dispute_open',
      detail: expect.stringContaining(`/purchases/${purchaseId}/dispute`),
    });
    await sales.pass(200 * HOUR);
    expect([await statusOf(id), transfers(purchaseId)]).toEqual(['held', 0]);
    expect((await sales.request('GET', '/admin/disputes', null)).status).toBe(403);
    const open = await sales.request('GET', '/admin/disputes', null, undefined, admin);
    expect(JSON.stringify(open.body)).toContain(purchaseId);
    const decided = await decide(purchaseId, 'release');
    expect([decided.status, decided.body.status]).toEqual([200, 'released']);
    expect((await decide(purchaseId, 'refund')).body.code).toBe('dispute_decided');
    expect(transfers(purchaseId)).toBe(1);
    expect((await dispute(purchaseId, buyer)).body.code).toBe('dispute_decided');
  });

  it.each(['wallet', 'card'] as const)('%s: decided for the buyer, the money is back', async (method) => {
    const { id, buyer, purchaseId, seller } = await sold(method);
    await dispute(purchaseId, buyer);
    expect((await decide(purchaseId, 'refund')).body.status).toBe('refunded');
    await sales.pass(200 * HOUR);
    expect([await statusOf(id), transfers(purchaseId), await sales.account(`escrow:${seller.id}`)]).toEqual([
      'refunded',
      0,
      0,
    ]);
    if (method === 'wallet') expect(await sales.balanceOf(buyer)).toBe(4000);
    expect((await sales.read(purchaseId, buyer)).body).toMatchObject({
      content: null,
      contentStatus: 'withheld',
    });
  });

  it('refund and release decided at once: one of them', async () => {
    const { id, buyer, purchaseId } = await sold('card');
    await dispute(purchaseId, buyer);
    const answers = await Promise.all([decide(purchaseId, 'refund'), decide(purchaseId, 'release')]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    await sales.pass(HOUR);
    const { transferred_cents, refunded_cents } = await sales.payment(purchaseId);
    expect([transferred_cents, refunded_cents].map((cents) => cents !== 0).sort()).toEqual([false, true]);
    expect(['released', 'refunded']).toContain(await statusOf(id));
  });
});

describe('a refund', () => {
  it('not once it was released', async () => {
    const { purchaseId } = await sold();
    await sales.pass(80 * HOUR);
    expect(await refundSale(market.newPorts(), purchaseId, 'late')).toBe('not_in_escrow');
  });
});

describe('the books of one sale', () => {
  it('transfer, fee and refund never exceed what was captured', async () => {
    const { purchaseId } = await sold();
    const ports = market.newPorts();
    const more = {
      sql: 'UPDATE payments SET transferred_cents = 3801 WHERE purchase_id = ?',
      params: [purchaseId],
    };
    await expect(ports.market.commit([more])).rejects.toMatchObject({
      constraint: 'captured_covers_what_left',
    });
  });

  it('a purchase goes no way that is not foreseen', async () => {
    const { purchaseId } = await sold();
    const back = {
      sql: "UPDATE purchases SET status = 'pending_payment' WHERE id = ?",
      params: [purchaseId],
    };
    await expect(market.newPorts().market.commit([back])).rejects.toMatchObject({
      constraint: 'guard purchase_way',
    });
  });
});

describe('connecting payouts', () => {
  clause('listing-states.pending-payouts');
  it('brings priced listings to life', async () => {
    const seller = await verifiedSellerOf(market);
    const listings = [await sales.listing({}, seller), await sales.listing({ priceCents: 0 }, seller)];
    const statuses = async () => {
      const found = await Promise.all(
        listings.map(({ id }) =>
          sales.rows<{ status: string }>('SELECT status FROM listings WHERE id = ?', id),
        ),
      );
      return found.map(([row]) => row?.status);
    };
    expect(await statuses()).toEqual(['pending', 'active']);
    const accountId = await sales.connect(seller);
    for (const [outcome, expected] of [
      ['pending', 'pending'],
      ['complete', 'active'],
    ] as const) {
      cards.onboard(accountId, outcome);
      await settleAccount(market.newPorts(), accountId);
      expect(await statuses()).toEqual([expected, 'active']);
    }
  });
});
