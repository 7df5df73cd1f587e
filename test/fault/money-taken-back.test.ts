import { cardWebhook } from '@agent-marketplace/core/compose/card-webhook.ts';
import type { RegisteredAgent } from '@agent-marketplace/core/testing/fixtures/new-seller.ts';
import { TEST_ADMIN_SECRET } from '@agent-marketplace/core/testing/marketplace/test-bindings.ts';
import { beforeEach, describe, expect, it } from 'vitest';
import { createFaultWorld, HOLD_MS, PRICE } from './fault-world.ts';

// What leaves the platform at the card processor without being asked for here: banks that take money back in several
// parts and odd amounts, refunds that fail later, and what finance does in the processor's dashboard.

const world = await createFaultWorld();
beforeEach(() => world.renew());
const DAY_MS = 24 * 3600_000;
const admin = { 'x-mkt-admin': TEST_ADMIN_SECRET };

async function hear(): Promise<void> {
  for (const { rawBody, signatureHeader } of await world.cards.takeWebhooks())
    await cardWebhook.take(world.market.newPorts(), rawBody, signatureHeader);
}

function paymentOf(reference: string): string {
  const payment = world.cards.payments.find((one) => one.reference?.id === reference);
  if (!payment) throw new Error('It was not paid by card.');
  return payment.paymentId;
}

async function soldByCard() {
  const sold = await world.newSale('card');
  await hear();
  return { ...sold, paymentId: paymentOf(sold.purchaseId) };
}

const sentTo = (purchaseId: string) =>
  world.cards.transfers
    .filter((one) => one.purchaseId === purchaseId)
    .reduce((sum, { amountCents }) => sum + amountCents, 0);
const lossNow = async () => 0 - (await world.account('chargebacks'));

async function netOf(purchaseId: string): Promise<number> {
  const [row] = await world.rows<{ net: number }>(
    'SELECT amount_cents - platform_fee_cents AS net FROM purchases WHERE id = ?',
    purchaseId,
  );
  return row?.net ?? 0;
}

function lose(paymentId: string, ...amounts: number[]): void {
  const disputes = amounts.map((amountCents) => world.cards.disputePayment(paymentId, { amountCents }));
  for (const disputeId of disputes) world.cards.closeDispute(disputeId, 'lost');
}

describe('lost disputes of one payment are added, not compared', () => {
  it.each([
    ['one of all of it', [PRICE]],
    ['one that lacks a cent', [PRICE - 1]],
    ['one that drifted above it', [PRICE + 1]],
    ['two of half', [PRICE / 2, PRICE / 2]],
    ['three that together lack a cent', [1000, 1000, 999]],
  ])('%s: the seller gets nothing', async (_name, amounts) => {
    const loss = await lossNow();
    const sold = await soldByCard();
    lose(sold.paymentId, ...amounts);
    await hear();
    world.market.clock.advance(2 * HOLD_MS);
    await world.expectAllWell();
    expect([await world.statusOf(sold.purchaseId), sentTo(sold.purchaseId)]).toEqual(['refunded', 0]);
    const taken = amounts.reduce((sum, cents) => sum + cents, 0);
    expect((await lossNow()) - loss, 'what currencies drifted').toBe(taken - PRICE);
  });

  it('a third of the price is taken from the seller and the fee alike, and nothing from the platform', async () => {
    const [loss, fees] = [await lossNow(), await world.account('fees')];
    const sold = await soldByCard();
    const net = await netOf(sold.purchaseId);
    lose(sold.paymentId, 500, 500);
    await hear();
    world.market.clock.advance(2 * HOLD_MS);
    await world.expectAllWell();
    const share = net - Math.floor((net * 1000) / PRICE);
    expect([await world.statusOf(sold.purchaseId), sentTo(sold.purchaseId)]).toEqual(['released', share]);
    expect([await lossNow(), (await world.account('fees')) - fees]).toEqual([loss, PRICE - 1000 - share]);
  });

  it('won on appeal: the sale is in escrow again, and is paid out', async () => {
    const loss = await lossNow();
    const sold = await soldByCard();
    const disputeId = world.cards.disputePayment(sold.paymentId);
    world.cards.closeDispute(disputeId, 'lost');
    await hear();
    expect(await world.statusOf(sold.purchaseId)).toBe('refunded');
    world.cards.dashboard.appealDispute(disputeId);
    await hear();
    world.cards.closeDispute(disputeId, 'won');
    await hear();
    expect(await world.statusOf(sold.purchaseId)).toBe('held');
    world.market.clock.advance(2 * HOLD_MS);
    await world.expectAllWell();
    const net = await netOf(sold.purchaseId);
    expect([await world.statusOf(sold.purchaseId), sentTo(sold.purchaseId), await lossNow()]).toEqual([
      'released',
      net,
      loss,
    ]);
  });
});

describe('a bank takes what paid for a sale while the answer of its transfer is missing', () => {
  it.each([
    ['lose_request', 'open', 0],
    ['lose_request', 'lost', 0],
    ['lose_reply', 'lost', 1],
  ] as const)('%s, %s: what was not made is not made any more', async (fault, outcome, transfers) => {
    const sold = await soldByCard();
    world.market.clock.advance(2 * HOLD_MS);
    world.cards.fault = ({ method }) => (method === 'transfer' ? fault : undefined);
    await world.everyMinute();
    expect(await world.statusOf(sold.purchaseId)).toBe('releasing');
    world.cards.fault = () => undefined;
    const disputeId = world.cards.disputePayment(sold.paymentId);
    if (outcome === 'lost') world.cards.closeDispute(disputeId, 'lost');
    // No report of it comes in time.
    if (transfers === 0) await world.cards.takeWebhooks();
    world.market.clock.advance(10 * 60_000);
    await world.everyMinute();
    const sent = world.cards.transfers.filter(({ purchaseId }) => purchaseId === sold.purchaseId);
    expect(sent).toHaveLength(transfers);
    const ends = { open: 'held', lost: transfers === 0 ? 'refunded' : 'released' };
    expect(await world.statusOf(sold.purchaseId)).toBe(ends[outcome]);
    if (outcome === 'open') world.cards.closeDispute(disputeId, 'won');
    await hear();
    await world.expectAllWell();
    const isPaid = outcome === 'open' || transfers === 1;
    expect(sentTo(sold.purchaseId)).toBe(isPaid ? await netOf(sold.purchaseId) : 0);
  });
});

describe('a refund that is not made does not count as made', () => {
  async function refundAsked(status: 'pending' | 'succeeded') {
    const sold = await soldByCard();
    await world.dispute(sold.purchaseId, sold.buyer);
    world.cards.dashboard.setRefundStatus(status);
    const { body } = await world.decide(sold.purchaseId, 'refund');
    world.cards.dashboard.setRefundStatus('succeeded');
    const [refundId = ''] = world.cards.dashboard.refundsOf(sold.paymentId);
    await hear();
    return { ...sold, refundId, answer: body.status };
  }

  it('pending, then made: refunded once', async () => {
    const sold = await refundAsked('pending');
    expect([sold.answer, await world.statusOf(sold.purchaseId)]).toEqual(['held', 'held']);
    world.cards.dashboard.endRefund(sold.refundId, 'succeeded');
    await hear();
    await world.expectAllWell();
    expect(await world.statusOf(sold.purchaseId)).toBe('refunded');
    expect(world.cards.dashboard.refundsOf(sold.paymentId)).toHaveLength(1);
  });

  it.each(['pending', 'succeeded'] as const)(
    '%s, then failed: held, disputed and told, until it is decided again',
    async (status) => {
      const sold = await refundAsked(status);
      expect(sold.answer).toBe(status === 'pending' ? 'held' : 'refunded');
      world.market.clock.advance(DAY_MS);
      world.market.log.lines.length = 0;
      world.cards.dashboard.endRefund(sold.refundId, 'failed');
      await hear();
      await world.everyMinute();
      expect(JSON.stringify(world.market.log.lines)).toContain('refund_failed');
      world.market.clock.advance(60 * DAY_MS);
      await world.everyMinute();
      expect([await world.statusOf(sold.purchaseId), sentTo(sold.purchaseId)]).toEqual(['held', 0]);
      const { body } = await world.read(sold.purchaseId, sold.buyer);
      expect(body).toMatchObject({ failureCode: 'refund_failed', status: 'held' });
      const listed = await world.request('GET', '/admin/disputes', null, undefined, admin);
      expect(JSON.stringify(listed.body)).toContain(sold.purchaseId);
      await world.decide(sold.purchaseId, 'refund');
      await world.expectAllWell();
      expect(await world.statusOf(sold.purchaseId)).toBe('refunded');
      expect(world.cards.dashboard.refundsOf(sold.paymentId)).toHaveLength(2);
    },
  );
});

describe('what finance does in the dashboard is seen', () => {
  it.each(['reported', 'not reported'])(
    'a refund, %s: the sale is refunded and not paid out',
    async (how) => {
      const sold = await soldByCard();
      world.cards.dashboard.refund(sold.paymentId, PRICE);
      if (how === 'reported') await hear();
      else await world.cards.takeWebhooks();
      world.market.clock.advance(2 * HOLD_MS);
      await world.everyMinute();
      expect([await world.statusOf(sold.purchaseId), sentTo(sold.purchaseId)]).toEqual(['refunded', 0]);
      await world.expectAllWell();
      const told = await world.events(sold.buyer.id);
      expect(told.filter(({ type }) => type === 'purchase.refunded')).toHaveLength(1);
    },
  );

  it('a refund in part: the rest is paid out', async () => {
    const loss = await lossNow();
    const sold = await soldByCard();
    const net = await netOf(sold.purchaseId);
    const listed = async () => {
      const { body } = await world.request('GET', '/admin/disputes', null, undefined, admin);
      const { chargebacks } = body as unknown as { chargebacks: { paymentId: string }[] };
      return chargebacks.filter(({ paymentId }) => paymentId === sold.paymentId);
    };
    world.cards.dashboard.refund(sold.paymentId, 600);
    await hear();
    expect(await listed()).toMatchObject([{ amountCents: 600, status: 'lost' }]);
    world.cards.dashboard.refund(sold.paymentId, 400);
    await hear();
    expect(await listed()).toMatchObject([{ amountCents: 1000, status: 'lost' }]);
    world.market.clock.advance(2 * HOLD_MS);
    await world.expectAllWell();
    expect([await world.statusOf(sold.purchaseId), sentTo(sold.purchaseId), await lossNow()]).toEqual([
      'released',
      net - Math.floor((net * 1000) / PRICE),
      loss,
    ]);
  });

  it('a refund that then fails: the sale is in escrow as before', async () => {
    const sold = await soldByCard();
    const refundId = world.cards.dashboard.refund(sold.paymentId, PRICE);
    await hear();
    expect(await world.statusOf(sold.purchaseId)).toBe('refunded');
    world.cards.dashboard.endRefund(refundId, 'failed');
    await hear();
    expect(await world.statusOf(sold.purchaseId)).toBe('held');
    world.market.clock.advance(2 * HOLD_MS);
    await world.expectAllWell();
    expect(await world.statusOf(sold.purchaseId)).toBe('released');
  });

  it('a refund that is then decided here, too: it counts as done, and is asked for once', async () => {
    const sold = await soldByCard();
    await world.dispute(sold.purchaseId, sold.buyer);
    world.cards.dashboard.refund(sold.paymentId, PRICE);
    await world.cards.takeWebhooks();
    await world.decide(sold.purchaseId, 'refund');
    await world.expectAllWell();
    expect(await world.statusOf(sold.purchaseId)).toBe('refunded');
    const calls = world.cards.calls.filter(
      ({ method, key }) => method === 'refund' && key?.includes(sold.purchaseId),
    );
    expect(calls).toHaveLength(1);
  });

  it('a refund after the seller was paid: a loss that is booked', async () => {
    const loss = await lossNow();
    const sold = await soldByCard();
    world.market.clock.advance(2 * HOLD_MS);
    await world.everyMinute();
    expect(await world.statusOf(sold.purchaseId)).toBe('released');
    world.cards.dashboard.refund(sold.paymentId, PRICE);
    await hear();
    expect(await lossNow()).toBe(loss + PRICE);
  });
});

describe('a top-up that is taken back: credits never come back into being', () => {
  async function fundedBuyer(cents: number) {
    const buyer = await world.newAgent();
    await world.fund(buyer, cents);
    await hear();
    return { buyer, paymentId: await topUpPayment(buyer) };
  }

  async function topUpPayment(buyer: RegisteredAgent): Promise<string> {
    const topUps = await world.rows<{ id: string }>(
      'SELECT id FROM wallet_top_ups WHERE agent_id = ? ORDER BY rowid',
      buyer.id,
    );
    return paymentOf(topUps.at(-1)?.id ?? '');
  }

  async function buyFromWallet(buyer: RegisteredAgent, priceCents = PRICE) {
    const { id } = await world.listing({ priceCents });
    const { status, body } = await world.buy(id, buyer, { body: { payment_method: 'wallet' } });
    if (status !== 200) throw new Error(JSON.stringify(body));
    world.market.clock.advance(1000);
    return body.id;
  }

  it('what it paid for is taken back out of escrow, the latest sale first, and only the shortfall', async () => {
    const loss = await lossNow();
    const { buyer, paymentId } = await fundedBuyer(10_000);
    const first = await buyFromWallet(buyer);
    const second = await buyFromWallet(buyer);
    const third = await buyFromWallet(buyer);
    // 1000 are left in the wallet, so that 4500 are 3500 short.
    lose(paymentId, 4500);
    await hear();
    world.market.clock.advance(2 * HOLD_MS);
    await world.expectAllWell();
    const net = await netOf(second);
    expect(await Promise.all([first, second, third].map(world.statusOf))).toEqual([
      'released',
      'released',
      'refunded',
    ]);
    expect([sentTo(first), sentTo(second), sentTo(third)]).toEqual([
      net,
      net - Math.floor((net * 500) / PRICE),
      0,
    ]);
    expect([await world.balanceOf(buyer), await lossNow()]).toEqual([0, loss]);
    const told = (await world.events(world.seller.id)).filter(({ type }) => type === 'sale.chargeback');
    expect(told).toHaveLength(2);
  });

  it.each([
    ['each sale has back what was taken of it', false, 'won'],
    ['of a sale that ended otherwise meanwhile, its buyer has it', true, 'won'],
    ['until the bank decides the other way after all', false, 'lost'],
    ['until the bank decides the other way after all, whatever ended meanwhile', true, 'lost'],
  ] as const)('won on appeal: %s', async (_what, isRefundedMeanwhile, outcome) => {
    const loss = await lossNow();
    const { buyer, paymentId } = await fundedBuyer(10_000);
    const first = await buyFromWallet(buyer);
    const second = await buyFromWallet(buyer);
    const third = await buyFromWallet(buyer);
    const disputeId = world.cards.disputePayment(paymentId, { amountCents: 4500 });
    world.cards.closeDispute(disputeId, 'lost');
    await hear();
    if (isRefundedMeanwhile) {
      await world.dispute(second, buyer);
      expect((await world.decide(second, 'refund')).status).toBe(200);
    }
    // 1000 were in the wallet, 500 are taken of the second sale, and the third ended.
    const meanwhile = isRefundedMeanwhile ? PRICE - 500 : 0;
    expect([await world.balanceOf(buyer), await world.statusOf(third)]).toEqual([meanwhile, 'refunded']);
    world.cards.dashboard.appealDispute(disputeId);
    world.cards.closeDispute(disputeId, 'won');
    await hear();
    const balance = isRefundedMeanwhile ? 1000 + PRICE : 1000;
    expect([await world.balanceOf(buyer), await world.statusOf(third)]).toEqual([balance, 'held']);
    if (outcome === 'lost') world.cards.closeDispute(disputeId, 'lost');
    await hear();
    const refundedAfter = outcome === 'won' && isRefundedMeanwhile ? third : null;
    if (refundedAfter) {
      await world.dispute(refundedAfter, buyer);
      expect((await world.decide(refundedAfter, 'refund')).status).toBe(200);
      const { body } = await world.request('GET', '/wallet/transactions', buyer.apiKey);
      const [last] = (body as unknown as { transactions: object[] }).transactions;
      expect(last).toMatchObject({ kind: 'refund', purchaseId: third, amountCents: PRICE });
    }
    world.market.clock.advance(2 * HOLD_MS);
    await world.expectAllWell();
    const net = await netOf(second);
    const less = net - Math.floor((net * 500) / PRICE);
    const isWon = outcome === 'won';
    const expected = {
      won: isRefundedMeanwhile ? [net, 0, 0] : [net, net, net],
      lost: isRefundedMeanwhile ? [net, 0, less] : [net, less, 0],
    };
    expect([sentTo(first), sentTo(second), sentTo(third)]).toEqual(expected[outcome]);
    const left = isWon ? balance + (refundedAfter ? PRICE : 0) : 0;
    expect([await world.balanceOf(buyer), await lossNow()]).toEqual([left, loss]);
  });

  it('stands still while the bank decides, and goes on when it leaves it', async () => {
    const { buyer, paymentId } = await fundedBuyer(PRICE);
    const purchaseId = await buyFromWallet(buyer);
    const disputeId = world.cards.disputePayment(paymentId);
    await hear();
    world.market.clock.advance(30 * DAY_MS);
    await world.everyMinute();
    expect([await world.statusOf(purchaseId), sentTo(purchaseId)]).toEqual(['held', 0]);
    world.cards.closeDispute(disputeId, 'won');
    await hear();
    await world.expectAllWell();
    expect(await world.statusOf(purchaseId)).toBe('released');
  });

  it('leaves what other top-ups paid for', async () => {
    const { buyer } = await fundedBuyer(PRICE);
    const earlier = await buyFromWallet(buyer);
    await world.fund(buyer, PRICE);
    const paymentId = await topUpPayment(buyer);
    const later = await buyFromWallet(buyer);
    lose(paymentId, PRICE);
    await hear();
    world.market.clock.advance(2 * HOLD_MS);
    await world.expectAllWell();
    expect([await world.statusOf(earlier), await world.statusOf(later)]).toEqual(['released', 'refunded']);
  });

  it('reservations come back and are taken; nothing is bought any more until an operator says so', async () => {
    const loss = await lossNow();
    const { buyer, paymentId } = await fundedBuyer(2 * PRICE);
    const { id } = await world.listing();
    const bulk = await world.request('POST', '/marketplace/purchases/bulk', buyer.apiKey, {
      listing_ids: [id],
    });
    expect(JSON.stringify(bulk.body)).toContain('"purchaseId"');
    lose(paymentId, 2 * PRICE);
    await hear();
    await world.everyMinute();
    await world.expectAllWell();
    expect([await world.balanceOf(buyer), await lossNow()]).toEqual([0, loss]);
    await world.fund(buyer, 2 * PRICE);
    for (const method of ['wallet', 'checkout'])
      expect((await world.buy(id, buyer, { body: { payment_method: method } })).body).toMatchObject({
        code: 'buyer_limited',
        charged: false,
      });
    const lifted = await world.request(
      'POST',
      `/admin/agents/${buyer.id}/purchases`,
      null,
      { limited: false },
      admin,
    );
    expect(lifted.status).toBe(200);
    expect((await world.buy(id, buyer, { body: { payment_method: 'wallet' } })).status).toBe(200);
    expect(await world.balanceOf(buyer)).toBe(PRICE);
    await world.expectAllWell();
  });

  it('refunded in the dashboard: the same, and the wallet can not spend it', async () => {
    const loss = await lossNow();
    const { buyer, paymentId } = await fundedBuyer(2 * PRICE);
    const purchaseId = await buyFromWallet(buyer);
    world.cards.dashboard.refund(paymentId, 2 * PRICE);
    await hear();
    await world.expectAllWell();
    expect([await world.statusOf(purchaseId), await world.balanceOf(buyer), await lossNow()]).toEqual([
      'refunded',
      0,
      loss,
    ]);
  });
});
