import { afterEach, describe, expect, it } from 'vitest';
import { cardWebhook } from '../../compose/card-webhook.ts';
import { replied, sellerOf } from '../../testing/doubles/fake-seller-endpoint.ts';
import type { RegisteredAgent } from '../../testing/fixtures/new-seller.ts';
import { createSalesMarketplace } from '../../testing/marketplace/sales-marketplace.ts';
import { TEST_ADMIN_SECRET } from '../../testing/marketplace/test-bindings.ts';

// A dispute that nobody decides ends by itself: both parties know by when, and that a rule decided it.

const sales = createSalesMarketplace();
const { market, cards } = sales;
const DAY = 24 * 3600_000;
const admin = { 'x-mkt-admin': TEST_ADMIN_SECRET };

afterEach(async () => {
  cards.fault = () => undefined;
  market.market.fault = () => undefined;
  await market.background.settled();
  await sales.audit();
});

type Method = 'wallet' | 'card';

async function sold(method: Method, fields: Record<string, unknown> = {}) {
  market.sellerEndpoint.script = sellerOf({ answer: 42 });
  const seller = await sales.seller();
  const listing = await sales.listing({ priceCents: 4000, ...fields }, seller);
  const buyer = await sales.newAgent({ name: 'Buyer', callbackUrl: 'https://buyer.example.com/hook' });
  await sales.rows('UPDATE agents SET callback_url = ? WHERE id = ?', 'https://s.example.com/h', seller.id);
  if (method === 'wallet') await sales.fund(buyer, 4000);
  else await sales.saveCard(buyer, 'available_at_once');
  const { body } = await sales.buy(listing.id, buyer, { body: { payment_method: method } });
  expect(body.status).toBe('held');
  await market.background.settled();
  return { seller, buyer, purchaseId: body.id };
}
type Sold = Awaited<ReturnType<typeof sold>>;

const dispute = ({ purchaseId }: Sold, buyer: RegisteredAgent) =>
  sales.request('POST', `/marketplace/purchases/${purchaseId}/dispute`, buyer.apiKey, { reason: 'Old.' });

async function disputed(method: Method, fields: Record<string, unknown> = {}) {
  const sale = await sold(method, fields);
  expect((await dispute(sale, sale.buyer)).status).toBe(200);
  return sale;
}

async function hearCards(): Promise<void> {
  for (const { rawBody, signatureHeader } of await cards.takeWebhooks())
    await cardWebhook.take(market.newPorts(), rawBody, signatureHeader);
}

const seen = async ({ purchaseId, buyer }: Sold) =>
  (await sales.read(purchaseId, buyer, 'omit')).body as unknown as {
    readonly status: string;
    readonly dispute: Record<string, unknown>;
  };

async function afterDays(days: number): Promise<void> {
  market.clock.advance(days * DAY);
  await Promise.all([sales.clock(), sales.clock()]);
  await sales.clock();
}

async function noticesOf(agent: RegisteredAgent, type: string) {
  const found = await sales.rows<{ data: string }>(
    'SELECT data FROM agent_events WHERE agent_id = ? AND type = ?',
    agent.id,
    type,
  );
  return found.map(({ data }) => ({ data: JSON.parse(data) as Record<string, unknown> }));
}

describe('a dispute that nobody decided in 14 days', () => {
  it.each(['wallet', 'card'] as const)('%s: is released where the delivery conformed', async (method) => {
    const sale = await disputed(method);
    const openedAt = market.clock.now();
    const decideBy = new Date(openedAt + 14 * DAY).toISOString();
    expect((await seen(sale)).dispute).toMatchObject({ status: 'open', decideBy, decidedBy: null });
    market.clock.advance(14 * DAY - 1);
    await sales.clock();
    expect((await seen(sale)).status).toBe('held');
    market.clock.advance(1);
    await Promise.all([sales.clock(), sales.clock(), sales.clock()]);
    await sales.clock();
    expect(await seen(sale)).toMatchObject({
      status: 'released',
      dispute: { status: 'released', decidedBy: 'rule', decidedAt: decideBy },
    });
    expect(cards.transfers.filter(({ purchaseId }) => purchaseId === sale.purchaseId)).toHaveLength(1);
    const known = { decision: 'release', decidedBy: 'rule', ground: 'conformed' };
    for (const [agent, type] of [
      [sale.buyer, 'purchase.dispute_decided'],
      [sale.seller, 'sale.dispute_decided'],
    ] as const) {
      const events = await noticesOf(agent, type);
      expect(events).toMatchObject([{ data: known }]);
    }
    const { body } = await sales.request('GET', '/sell/me', sale.seller.apiKey);
    const { notifications } = body as unknown as { notifications: { type: string }[] };
    expect(notifications.filter(({ type }) => type === 'sale.dispute_decided')).toHaveLength(1);
  });

  it.each(['wallet', 'card'] as const)('%s: is refunded where nothing was shipped', async (method) => {
    const sale = await disputed(method, { fulfilment: 'physical' });
    await afterDays(14);
    expect(await seen(sale)).toMatchObject({
      status: 'refunded',
      dispute: { status: 'refunded', decidedBy: 'rule' },
    });
    const events = await noticesOf(sale.buyer, 'purchase.dispute_decided');
    expect(events).toMatchObject([{ data: { decision: 'refund', ground: 'not_shipped' } }]);
    expect(await noticesOf(sale.seller, 'sale.refunded')).toMatchObject([{ data: { reason: 'dispute' } }]);
    if (method === 'wallet') expect(await sales.balanceOf(sale.buyer)).toBe(4000);
  });

  it('is released where it was shipped while disputed', async () => {
    const sale = await disputed('wallet', { fulfilment: 'physical' });
    const shipment = { carrier: 'Post', trackingNumber: 'X1' };
    const path = `/sell/orders/${sale.purchaseId}/shipment`;
    expect((await sales.request('POST', path, sale.seller.apiKey, shipment)).status).toBe(200);
    await afterDays(13);
    expect((await seen(sale)).status).toBe('held');
    await afterDays(1);
    expect((await seen(sale)).status).toBe('released');
  });

  it('is refunded where the buyer was given another answer than the receipt names', async () => {
    const sale = await sold('wallet');
    // The reply of the purchase was lost before it was given: the answer is owed.
    await sales.rows('DELETE FROM answers WHERE purchase_id = ?', sale.purchaseId);
    await sales.rows("INSERT INTO answers (purchase_id, day) VALUES (?, '2026-01-01')", sale.purchaseId);
    market.sellerEndpoint.script = sellerOf({ answer: 43 });
    expect((await sales.read(sale.purchaseId, sale.buyer)).body.contentMatchesReceipt).toBe(false);
    expect((await dispute(sale, sale.buyer)).status).toBe(200);
    await afterDays(14);
    const [event] = await noticesOf(sale.buyer, 'purchase.dispute_decided');
    expect(event).toMatchObject({ data: { decision: 'refund', ground: 'other_answer' } });
  });

  it('is refunded where the answer was never given', async () => {
    const sale = await sold('wallet');
    await sales.rows('DELETE FROM answers WHERE purchase_id = ?', sale.purchaseId);
    await sales.rows("INSERT INTO answers (purchase_id, day) VALUES (?, '2026-01-01')", sale.purchaseId);
    market.sellerEndpoint.script = () => replied('', 500);
    expect((await dispute(sale, sale.buyer)).status).toBe(200);
    await afterDays(14);
    const [event] = await noticesOf(sale.buyer, 'purchase.dispute_decided');
    expect(event).toMatchObject({ data: { decision: 'refund', ground: 'not_given' } });
    expect(await sales.balanceOf(sale.buyer)).toBe(4000);
  });
});

describe('what stops the rule', () => {
  it('the operator holds the sale: it ends once the hold is lifted', async () => {
    const sale = await disputed('wallet');
    const operate = (path: string) =>
      sales.request('POST', `/admin/purchases/${sale.purchaseId}/${path}`, null, { reason: 'Test.' }, admin);
    expect((await operate('hold')).status).toBe(200);
    await afterDays(20);
    expect(await seen(sale)).toMatchObject({ status: 'held', dispute: { status: 'open' } });
    const { body } = await sales.request('GET', '/admin/overdue', null, undefined, admin);
    const { overdue } = body as unknown as { overdue: { subjectId: string; kind: string }[] };
    expect(overdue).toMatchObject([
      {
        kind: 'dispute_undecided',
        mendWith: ['decideDispute', 'refundPurchase', 'liftHold'],
        subjectId: sale.purchaseId,
      },
    ]);
    expect((await operate('hold/lift')).status).toBe(200);
    await sales.clock();
    expect((await seen(sale)).status).toBe('released');
  });

  it('the bank looks into the payment: what it decides comes first', async () => {
    const sale = await disputed('card');
    const paid = cards.payments.find(({ reference }) => reference?.id === sale.purchaseId);
    const disputeId = cards.disputePayment(paid?.paymentId ?? '');
    await hearCards();
    await afterDays(20);
    expect(await seen(sale)).toMatchObject({ status: 'held', dispute: { status: 'open' } });
    cards.closeDispute(disputeId, 'won');
    await hearCards();
    await sales.clock();
    expect(await seen(sale)).toMatchObject({ status: 'released', dispute: { decidedBy: 'rule' } });
  });

  it('a refund that failed is for the operator to decide', async () => {
    const sale = await disputed('card', { fulfilment: 'physical' });
    await afterDays(14);
    expect((await seen(sale)).status).toBe('refunded');
    const paid = cards.payments.find(({ reference }) => reference?.id === sale.purchaseId);
    const [refundId = ''] = cards.dashboard.refundsOf(paid?.paymentId ?? '');
    cards.dashboard.endRefund(refundId, 'failed');
    await hearCards();
    await afterDays(60);
    expect(await seen(sale)).toMatchObject({
      status: 'held',
      dispute: { status: 'open', decideBy: null, decidedBy: null },
    });
  });

  it('the operator decided before', async () => {
    const sale = await disputed('wallet');
    const path = `/admin/disputes/${sale.purchaseId}/decision`;
    expect((await sales.request('POST', path, null, { decision: 'refund' }, admin)).status).toBe(200);
    await afterDays(14);
    expect(await seen(sale)).toMatchObject({ status: 'refunded', dispute: { decidedBy: 'operator' } });
    const events = await noticesOf(sale.seller, 'sale.dispute_decided');
    expect(events).toMatchObject([{ data: { decidedBy: 'operator', decision: 'refund', ground: null } }]);
  });
});

describe('a buyer whose disputes are rejected', () => {
  it('has fewer open at once', async () => {
    const seller = await sales.seller();
    market.sellerEndpoint.script = sellerOf({ answer: 42 });
    const listing = await sales.listing({ priceCents: 100 }, seller);
    const buyer = await sales.newAgent();
    await sales.fund(buyer, 4000);
    const open = async () => {
      const { body } = await sales.buy(listing.id, buyer, { body: { payment_method: 'wallet' } });
      const { body: answer } = await dispute({ seller, buyer, purchaseId: body.id }, buyer);
      return { purchaseId: body.id, code: answer.code };
    };
    // 20, 10, 5, 2: each that is rejected halves it.
    for (let rejected = 0; rejected < 3; rejected += 1) {
      const { purchaseId } = await open();
      const path = `/admin/disputes/${purchaseId}/decision`;
      await sales.request('POST', path, null, { decision: 'release' }, admin);
    }
    expect((await open()).code).toBeUndefined();
    const atOnce = await Promise.all([open(), open(), open()]);
    expect(atOnce.map(({ code }) => code).sort()).toEqual(['dispute_limit', 'dispute_limit', undefined]);
    expect((await open()).code).toBe('dispute_limit');
    market.clock.advance(91 * DAY);
    expect((await open()).code).toBeUndefined();
  });
});
