import { afterEach, describe, expect, it } from 'vitest';
import { cardWebhook } from '../../../compose/card-webhook.ts';
import { isoTime } from '../../../kernel/time.ts';
import { bookProcessorEntries } from '../../../ledger/index.ts';
import { reconcile } from '../../../ledger/reconcile.ts';
import { sellerOf } from '../../../testing/doubles/fake-seller-endpoint.ts';
import type { RegisteredAgent } from '../../../testing/fixtures/new-seller.ts';
import { createSalesMarketplace, sessionOf } from '../../../testing/marketplace/sales-marketplace.ts';
import { TEST_ADMIN_SECRET } from '../../../testing/marketplace/test-bindings.ts';
import { settleTopUp } from '../../../wallet/index.ts';
import { readCardEvents, refundSale, settleChargeback, sweepChargebacks } from '../../index.ts';

// What cardholders' banks take back.

const sales = createSalesMarketplace();
const { market, cards } = sales;
const HOUR = 3600_000;
const DAY = 24 * HOUR;
const PRICE = 4000;
const admin = { 'x-mkt-admin': TEST_ADMIN_SECRET };

market.sellerEndpoint.script = sellerOf({ answer: 42 });

afterEach(async () => {
  market.market.fault = () => undefined;
  cards.fault = () => undefined;
  await market.background.settled();
  await sales.audit();
  await expectReconciled();
});

/** To the cent, open or closed, whatever the processor charged for it. */
async function expectReconciled(): Promise<void> {
  await bookProcessorEntries(market.newPorts());
  const processor = { ...(await cards.getBalance()), keptCents: 0 };
  const { findings } = await reconcile(
    market.newPorts().market,
    { processor, chain: null },
    market.clock.now(),
  );
  expect(findings).toEqual([]);
}

async function hear(): Promise<void> {
  for (const { rawBody, signatureHeader } of await cards.takeWebhooks())
    await cardWebhook.take(market.newPorts(), rawBody, signatureHeader);
}

const paymentOf = (reference: string) => {
  const payment = cards.payments.find((one) => one.reference?.id === reference);
  if (!payment) throw new Error('It was not paid by card.');
  return payment.paymentId;
};

async function sold(method: 'card' | 'checkout' = 'card', fields: Record<string, unknown> = {}) {
  const seller = await sales.seller();
  const listing = await sales.listing({ priceCents: PRICE, ...fields }, seller);
  const buyer = await sales.newAgent({ name: 'Buyer', callbackUrl: 'https://buyer.example.com/hook' });
  if (method === 'card') await sales.saveCard(buyer, 'available_at_once');
  let { body } = await sales.buy(listing.id, buyer, { body: { payment_method: method } });
  if (method === 'checkout') {
    cards.payCheckout(sessionOf(body.checkoutUrl), 'available_at_once');
    body = (await sales.read(body.id, buyer)).body;
  }
  expect(body.status).toBe('held');
  await market.background.settled();
  return { ...listing, seller, buyer, purchaseId: body.id, paymentId: paymentOf(body.id) };
}

type Sold = Awaited<ReturnType<typeof sold>>;

const statusOf = async ({ id }: Sold) => (await sales.purchases(id))[0]?.status;
const countOf = (method: string, { purchaseId }: Sold) =>
  cards.calls.filter((call) => call.method === method && call.key?.includes(purchaseId)).length;
const notesOf = async (seller: RegisteredAgent) => {
  const { body } = await sales.request('GET', '/sell/me', seller.apiKey);
  const { notifications } = body as unknown as {
    notifications: { type: string; data: Record<string, unknown> }[];
  };
  return notifications.map(({ type, data }) => [type, data.chargeback ?? data.reason ?? null]);
};
const listed = async (disputeId: string) => {
  const { body } = await sales.request('GET', '/admin/disputes', null, undefined, admin);
  const { chargebacks } = body as unknown as { chargebacks: Record<string, unknown>[] };
  return chargebacks.find((one) => one.disputeId === disputeId);
};
const lossNow = async () => 0 - (await sales.account('chargebacks'));

describe('a payment that its cardholder disputes while the sale is in escrow', () => {
  it.each(['card', 'checkout'] as const)(
    '%s: stops the clock, which goes on when it is won',
    async (method) => {
      const sale = await sold(method);
      const disputeId = cards.disputePayment(sale.paymentId);
      await hear();
      await sales.pass(60 * DAY);
      expect([await statusOf(sale), countOf('transfer', sale)]).toEqual(['held', 0]);
      expect((await sales.read(sale.purchaseId, sale.buyer)).body).toMatchObject({
        chargeback: { settledAt: null, status: 'open' },
      });
      expect(await listed(disputeId)).toMatchObject({
        purchaseId: sale.purchaseId,
        status: 'open',
        lossCents: PRICE,
      });
      cards.closeDispute(disputeId, 'won');
      await hear();
      await sales.pass(HOUR);
      expect([await statusOf(sale), countOf('transfer', sale)]).toEqual(['released', 1]);
      const notes = await notesOf(sale.seller);
      expect(notes).toContainEqual(['sale.chargeback', 'open']);
      expect(notes).toContainEqual(['sale.chargeback', 'won']);
      expect(await listed(disputeId)).toMatchObject({ status: 'won', lossCents: 0 });
    },
  );

  it('lost: ends refunded without a refund, and the fee goes back', async () => {
    const fees = await sales.account('fees');
    const loss = await lossNow();
    const sale = await sold();
    const disputeId = cards.disputePayment(sale.paymentId);
    await hear();
    cards.closeDispute(disputeId, 'lost');
    await hear();
    await sales.pass(10 * DAY);
    expect([await statusOf(sale), countOf('refund', sale), countOf('transfer', sale)]).toEqual([
      'refunded',
      0,
      0,
    ]);
    expect([await sales.account('fees'), await lossNow()]).toEqual([fees, loss]);
    expect(await sales.payment(sale.purchaseId)).toMatchObject({ refunded_cents: PRICE, fee_cents: 0 });
    expect((await sales.read(sale.purchaseId, sale.buyer)).body).toMatchObject({
      chargeback: { status: 'lost' },
      failureCode: 'chargeback',
    });
    const told = (await sales.events(sale.buyer.id)).filter(({ type }) => type === 'purchase.refunded');
    expect(told).toHaveLength(1);
    expect(await notesOf(sale.seller)).toEqual(
      expect.arrayContaining([
        ['sale.refunded', 'chargeback'],
        ['sale.chargeback', 'open'],
      ]),
    );
    expect(await listed(disputeId)).toMatchObject({ status: 'lost', lossCents: 0 });
  });

  it('lost, and the buyer had disputed it here, too: that is over with it', async () => {
    const sale = await sold();
    await sales.request('POST', `/marketplace/purchases/${sale.purchaseId}/dispute`, sale.buyer.apiKey, {
      reason: 'No.',
    });
    cards.closeDispute(cards.disputePayment(sale.paymentId), 'lost');
    await hear();
    expect(await statusOf(sale)).toBe('refunded');
    const path = `/admin/disputes/${sale.purchaseId}/decision`;
    const { body } = await sales.request('POST', path, null, { decision: 'release' }, admin);
    expect(body.code).toBe('dispute_decided');
  });

  it('is decided here meanwhile: nothing moves before the bank has decided', async () => {
    for (const decision of ['refund', 'release'] as const) {
      const sale = await sold();
      await sales.request('POST', `/marketplace/purchases/${sale.purchaseId}/dispute`, sale.buyer.apiKey, {
        reason: 'No.',
      });
      const disputeId = cards.disputePayment(sale.paymentId);
      await hear();
      const path = `/admin/disputes/${sale.purchaseId}/decision`;
      const decided = await sales.request('POST', path, null, { decision }, admin);
      expect([decided.status, decided.body.status]).toEqual([200, 'held']);
      await sales.pass(DAY);
      expect([await statusOf(sale), countOf('transfer', sale)]).toEqual(['held', 0]);
      cards.closeDispute(disputeId, 'won');
      await hear();
      await sales.pass(DAY);
      expect(await statusOf(sale)).toBe(decision === 'refund' ? 'refunded' : 'released');
    }
  });

  it('an order that was not shipped waits for the bank, and is refunded when that is over', async () => {
    const sale = await sold('card', { fulfilment: 'physical' });
    const disputeId = cards.disputePayment(sale.paymentId);
    await hear();
    await sales.pass(30 * DAY);
    expect([await statusOf(sale), countOf('refund', sale)]).toEqual(['held', 0]);
    cards.closeDispute(disputeId, 'won');
    await hear();
    await sales.pass(HOUR);
    expect([await statusOf(sale), countOf('refund', sale)]).toEqual(['refunded', 1]);
  });

  it('only asked about by the bank: stops the clock, and takes no money', async () => {
    const loss = await lossNow();
    const sale = await sold();
    const disputeId = cards.disputePayment(sale.paymentId, { inquiry: true });
    await hear();
    await sales.pass(10 * DAY);
    expect([await statusOf(sale), await lossNow()]).toEqual(['held', loss]);
    cards.escalateDispute(disputeId);
    await hear();
    expect(await lossNow()).toBe(loss + PRICE);
    cards.closeDispute(disputeId, 'won');
    await hear();
    await sales.pass(HOUR);
    expect([await statusOf(sale), await lossNow()]).toEqual(['released', loss]);
  });

  it('lost for a part of the price: the seller and the fee bear that, and the sale goes on', async () => {
    const loss = await lossNow();
    const sale = await sold();
    cards.closeDispute(cards.disputePayment(sale.paymentId, { amountCents: 1000 }), 'lost');
    await hear();
    await sales.pass(4 * DAY);
    expect([await statusOf(sale), await lossNow()]).toEqual(['released', loss]);
    expect(await sales.payment(sale.purchaseId)).toMatchObject({ taken_net_cents: 950, taken_fee_cents: 50 });
  });

  it('lost for a part, and won once the rest was paid out: the bank is not asked about it for ever', async () => {
    const sale = await sold();
    const disputeId = cards.disputePayment(sale.paymentId, { amountCents: 1000 });
    cards.closeDispute(disputeId, 'lost');
    await hear();
    await sales.pass(4 * DAY);
    cards.dashboard.appealDispute(disputeId);
    await hear();
    cards.closeDispute(disputeId, 'won');
    await hear();
    const asked = () => cards.calls.filter(({ method }) => method === 'getDispute').length;
    await sales.pass(DAY);
    const before = asked();
    await sales.pass(2 * DAY, 12);
    expect(before).toBeGreaterThan(0);
    expect([await statusOf(sale), asked() - before]).toEqual(['released', 0]);
    expect(
      (await sales.rows('SELECT status, covered_cents FROM chargebacks WHERE dispute_id = ?', disputeId))[0],
    ).toEqual({ status: 'won', covered_cents: 1000 });
  });

  it('is noticed where no message arrives', async () => {
    const sale = await sold();
    const disputeId = cards.disputePayment(sale.paymentId);
    await hear();
    cards.closeDispute(disputeId, 'lost');
    await cards.takeWebhooks();
    await sweepChargebacks(market.newPorts());
    expect(await statusOf(sale)).toBe('held');
    market.clock.advance(6 * HOUR);
    await sweepChargebacks(market.newPorts());
    expect(await statusOf(sale)).toBe('refunded');
  });

  it('in the moment of its capture: is held, and stands still', async () => {
    const listing = await sales.listing({ priceCents: PRICE });
    const buyer = await sales.newAgent();
    await sales.saveCard(buyer, 'disputed');
    cards.fault = async ({ method }) => {
      if (method !== 'capture') return undefined;
      cards.fault = () => undefined;
      const payment = cards.payments.at(-1);
      await cards.capture(`purchase:${payment?.reference?.id}:capture`, payment?.paymentId ?? '');
      // The processor tells before the purchase knows that its money was taken.
      await hear();
      return undefined;
    };
    const { body } = await sales.buy(listing.id, buyer, { body: { payment_method: 'card' } });
    expect(body.status).toBe('held');
    expect(cards.disputes.at(-1)?.reference?.id).toBe(body.id);
    await sales.pass(10 * DAY);
    expect((await sales.purchases(listing.id))[0]?.status).toBe('held');
    cards.closeDispute(cards.disputes.at(-1)?.disputeId ?? '', 'lost');
    await hear();
    expect((await sales.purchases(listing.id))[0]?.status).toBe('refunded');
  });
});

describe('a dispute that cannot be looked at', () => {
  const admin = { 'x-mkt-admin': TEST_ADMIN_SECRET };
  async function overdue() {
    const { body } = await sales.request('GET', '/admin/overdue?limit=100', null, undefined, admin);
    const { overdue: rows } = body as unknown as {
      overdue: { subjectId: string; kind: string; mendWith: string[] }[];
    };
    return rows.filter(({ subjectId }) => subjectId.startsWith('delayed:'));
  }

  it.each(['by the operator', 'by itself'])('is listed as overdue, and mended %s', async (how) => {
    const sale = await sold();
    const disputeId = cards.disputePayment(sale.paymentId);
    await hear();
    cards.closeDispute(disputeId, 'lost');
    await cards.takeWebhooks();
    cards.fault = ({ method }) => (method === 'getDispute' ? 'lose_request' : undefined);
    market.clock.advance(7 * HOUR);
    await sweepChargebacks(market.newPorts());
    market.clock.advance(2 * HOUR);
    const [row] = await overdue();
    expect(row).toMatchObject({ kind: 'webhook_missed', mendWith: ['retryCardEvent'] });
    const path = `/admin/card-events/${row?.subjectId}/retry`;
    const retry = () => sales.request('POST', path, null, { reason: 'Delayed.' }, admin);
    expect((await retry()).body.code).toBe('card_processor_unavailable');
    expect(await overdue()).toHaveLength(1);
    cards.fault = () => undefined;
    if (how === 'by itself') await readCardEvents(market.newPorts());
    else expect((await retry()).status).toBe(200);
    expect([await overdue(), await statusOf(sale)]).toEqual([[], 'refunded']);
  });
});

it('no report counts as missed that came, though the clock went many days ahead and back; one that never came does', async () => {
  const gaps = () => market.log.lines.filter(({ event }) => event === 'webhook_gap').length;
  const readEvents = async (afterMs: number) => {
    market.clock.advance(afterMs);
    await readCardEvents(market.newPorts());
  };
  await hear();
  await readEvents(HOUR);
  const before = gaps();
  await sold();
  await hear();
  const minute = HOUR / 60;
  for (const afterMs of [11 * minute, 35 * DAY, minute, -35 * DAY, minute, HOUR / 2])
    await readEvents(afterMs);
  expect(gaps()).toBe(before);
  await sold();
  await cards.takeWebhooks();
  await readEvents(HOUR / 2);
  expect(gaps()).toBeGreaterThan(before);
});

describe('a sale that its buyer disputes here as well', () => {
  const decisionOf = async (purchaseId: string) =>
    (
      await sales.rows<Record<string, string | null>>(
        'SELECT decision, decided_by, decide_by FROM disputes WHERE purchase_id = ?',
        purchaseId,
      )
    )[0];

  async function takenAndGivenBack(sale: Awaited<ReturnType<typeof sold>>, between: () => Promise<unknown>) {
    const path = `/marketplace/purchases/${sale.purchaseId}/dispute`;
    const opened = await sales.request('POST', path, sale.buyer.apiKey, { reason: 'Wrong.' });
    expect(opened.status).toBe(200);
    const disputeId = cards.disputePayment(sale.paymentId);
    await hear();
    await between();
    cards.closeDispute(disputeId, 'lost');
    await hear();
    expect([await statusOf(sale), await decisionOf(sale.purchaseId)]).toMatchObject([
      'refunded',
      { decision: 'refund' },
    ]);
    cards.dashboard.appealDispute(disputeId);
    cards.closeDispute(disputeId, 'won');
    await hear();
  }

  it('is disputed again once its bank gave the money back: nobody had judged it', async () => {
    const sale = await sold();
    await takenAndGivenBack(sale, async () => {});
    const { decision, decide_by } = (await decisionOf(sale.purchaseId)) ?? {};
    expect([decision, (decide_by ?? '') > isoTime(market.clock.now())]).toEqual([null, true]);
    await sales.pass(10 * DAY);
    expect(await statusOf(sale)).toBe('held');
    expect((await notesOf(sale.seller)).map(([type]) => type)).toContain('sale.disputed');
    await sales.pass(6 * DAY);
    // The answer that its receipt names was given: the rule decides for the seller.
    expect([await statusOf(sale), (await decisionOf(sale.purchaseId))?.decided_by]).toEqual([
      'released',
      'rule',
    ]);
  });

  it('is refunded once its bank gave the money back, where the operator had decided so', async () => {
    const sale = await sold();
    await takenAndGivenBack(sale, async () => {
      const admin = { 'x-mkt-admin': TEST_ADMIN_SECRET };
      const path = `/admin/disputes/${sale.purchaseId}/decision`;
      const decided = await sales.request('POST', path, null, { decision: 'refund' }, admin);
      expect(decided.status, JSON.stringify(decided.body)).toBe(200);
    });
    await sales.pass(DAY);
    expect(await statusOf(sale)).toBe('refunded');
    const payment = cards.payments.find(({ paymentId }) => paymentId === sale.paymentId);
    expect([payment?.refundedCents, (await decisionOf(sale.purchaseId))?.decided_by]).toEqual([
      PRICE,
      'operator',
    ]);
  });
});

describe('a payment that is disputed although its request died once the money was taken', () => {
  it.each(['won', 'lost'] as const)('%s: the money goes back once, by whoever may', async (outcome) => {
    const loss = await lossNow();
    const listing = await sales.listing({ priceCents: PRICE });
    const buyer = await sales.newAgent();
    await sales.saveCard(buyer, 'disputed');
    let isDead = false;
    cards.fault = ({ method }) => {
      if (isDead) return 'lose_request';
      isDead = method === 'capture';
      return undefined;
    };
    market.market.fault = () => (isDead ? 'lose_request' : undefined);
    const { status } = await sales.buy(listing.id, buyer, { body: { payment_method: 'card' } });
    expect(status).not.toBe(200);
    await market.background.settled();
    cards.fault = () => undefined;
    market.market.fault = () => undefined;
    const [bought] = await sales.purchases(listing.id);
    const refunds = () =>
      cards.calls.filter(({ method, key }) => method === 'refund' && key?.includes(bought?.id ?? '')).length;
    expect(bought?.status).toBe('authorized');
    await hear();
    await sales.pass(DAY);
    // The processor refuses to give back what the bank has.
    expect([(await sales.purchases(listing.id))[0]?.status, refunds() > 0]).toEqual(['authorized', true]);
    const { disputeId = '' } = cards.disputes.find(({ reference }) => reference?.id === bought?.id) ?? {};
    cards.closeDispute(disputeId, outcome);
    await hear();
    await sales.pass(2 * DAY, 8);
    await sweepChargebacks(market.newPorts());
    expect([(await sales.purchases(listing.id))[0]?.status, await lossNow()]).toEqual(['refunded', loss]);
    expect(await listed(disputeId)).toMatchObject({
      status: outcome,
      lossCents: 0,
      settledAt: expect.any(String),
    });
    const refunded = cards.payments.find(({ reference }) => reference?.id === bought?.id)?.refundedCents;
    expect(refunded).toBe(outcome === 'won' ? PRICE : 0);
  });
});

describe('a payment that is disputed once the seller has its share', () => {
  it.each(['won', 'lost'] as const)(
    "%s: the loss is the platform's until the seller is paid again",
    async (outcome) => {
      const loss = await lossNow();
      const sale = await sold();
      await sales.pass(4 * DAY);
      expect(await statusOf(sale)).toBe('released');
      const disputeId = cards.disputePayment(sale.paymentId);
      await hear();
      await expectReconciled();
      expect(await lossNow()).toBe(loss + PRICE);
      cards.closeDispute(disputeId, outcome);
      await hear();
      await sales.pass(DAY);
      const expected = outcome === 'won' ? 0 : PRICE;
      expect([await statusOf(sale), await lossNow()]).toEqual(['released', loss + expected]);
      expect(await listed(disputeId)).toMatchObject({ status: outcome, lossCents: expected });
      const told = (await notesOf(sale.seller)).map(([type]) => type);
      expect(told.includes('sale.chargeback')).toBe(outcome === 'lost');
    },
  );

  it('lost while the transfer is on its way: it waits for what becomes of that', async () => {
    const sale = await sold();
    market.clock.advance(3 * DAY);
    cards.fault = ({ method }) => (method === 'transfer' ? 'lose_request' : undefined);
    await sales.clock();
    expect(await statusOf(sale)).toBe('releasing');
    cards.closeDispute(cards.disputePayment(sale.paymentId), 'lost');
    await hear();
    expect(await statusOf(sale)).toBe('releasing');
    cards.fault = () => undefined;
    market.clock.advance(10 * 60_000);
    // It was never made: the sale comes back into escrow, and the bank has its money.
    await sales.clock();
    expect([
      await statusOf(sale),
      cards.transfers.some(({ purchaseId }) => purchaseId === sale.purchaseId),
    ]).toEqual(['refunded', false]);
  });

  it('and had been refunded before, whose answer was lost: the refund stands', async () => {
    const sale = await sold();
    cards.fault = ({ method }) => (method === 'refund' ? 'lose_reply' : undefined);
    await refundSale(market.newPorts(), sale.purchaseId, 'test');
    cards.fault = () => undefined;
    // Nothing is left to be disputed.
    expect(() => cards.disputePayment(sale.paymentId)).toThrow();
    await sales.pass(HOUR);
    expect(await statusOf(sale)).toBe('refunded');
  });
});

describe('a top-up that its cardholder disputes', () => {
  async function toppedUp(amountCents = 5000) {
    const owner = await sales.newAgent();
    await sales.fund(owner, amountCents);
    const [topUp] = await sales.rows<{ id: string }>(
      'SELECT id FROM wallet_top_ups WHERE agent_id = ?',
      owner.id,
    );
    return { owner, topUpId: topUp?.id ?? '', paymentId: paymentOf(topUp?.id ?? '') };
  }

  it('is taken out of the wallet, and given back when it is won', async () => {
    const { owner, topUpId, paymentId } = await toppedUp();
    const disputeId = cards.disputePayment(paymentId);
    await hear();
    expect(await sales.balanceOf(owner)).toBe(0);
    const { body } = await sales.request('GET', '/wallet/transactions', owner.apiKey);
    const [last] = (body as unknown as { transactions: Record<string, unknown>[] }).transactions;
    expect(last).toMatchObject({ amountCents: -5000, kind: 'chargeback', topUpId, purchaseId: null });
    const wallet = (await sales.request('GET', '/wallet/balance', owner.apiKey)).body;
    expect(wallet).toMatchObject({ chargedBackCents: 5000, fundedCents: 5000, spentCents: 0 });
    await sales.fund(owner, 46_000);
    cards.closeDispute(disputeId, 'won');
    await hear();
    // What does not fit under the cap is not lost.
    const after = (await sales.request('GET', '/wallet/balance', owner.apiKey)).body;
    expect(after).toMatchObject({ balanceCents: 50_000, refundCreditCents: 1000, chargedBackCents: 0 });
    expect(await listed(disputeId)).toMatchObject({ topUpId, status: 'won', lossCents: 0 });
  });

  it('was spent: the wallet bears what is there, what it paid for the rest, and what is paid later stays', async () => {
    const loss = await lossNow();
    const { owner, paymentId } = await toppedUp();
    const { id } = await sales.listing({ priceCents: PRICE });
    await sales.buy(id, owner, { body: { payment_method: 'wallet' } });
    const disputeId = cards.disputePayment(paymentId);
    await hear();
    expect([await sales.balanceOf(owner), await lossNow()]).toEqual([0, loss + PRICE]);
    await sales.fund(owner, 2000);
    cards.closeDispute(disputeId, 'lost');
    await hear();
    await settleChargeback(market.newPorts(), disputeId);
    expect([await sales.balanceOf(owner), await lossNow()]).toEqual([2000, loss]);
    expect((await sales.purchases(id))[0]?.status).toBe('refunded');
    expect(await listed(disputeId)).toMatchObject({ status: 'lost', lossCents: 0 });
  });

  it('is heard of before it was credited: credited, and taken', async () => {
    const owner = await sales.newAgent();
    const opened = await sales.request('POST', '/wallet/fund', owner.apiKey, { amount_cents: 5000 });
    const sessionId = sessionOf(opened.body.checkoutUrl);
    cards.payCheckout(sessionId, 'disputed');
    const told = await cards.takeWebhooks();
    for (const { rawBody, signatureHeader } of told.toReversed())
      await cardWebhook.take(market.newPorts(), rawBody, signatureHeader);
    await settleTopUp(market.newPorts(), { sessionId });
    expect(await sales.balanceOf(owner)).toBe(0);
  });

  it('ends the recharging of the wallet by that card', async () => {
    const owner = await sales.newAgent();
    await sales.saveCard(owner, 'available_at_once');
    const auto = { enabled: true, threshold_cents: 1000, recharge_amount_cents: 5000 };
    await sales.request('POST', '/wallet/auto-recharge', owner.apiKey, auto);
    await sales.fund(owner, 5000);
    const [topUp] = await sales.rows<{ id: string }>(
      'SELECT id FROM wallet_top_ups WHERE agent_id = ?',
      owner.id,
    );
    cards.disputePayment(paymentOf(topUp?.id ?? ''));
    await hear();
    const [wallet] = await sales.rows<Record<string, unknown>>(
      'SELECT auto_recharge_enabled, recharge_state, recharge_problem FROM wallets WHERE agent_id = ?',
      owner.id,
    );
    expect(wallet).toEqual({
      auto_recharge_enabled: 0,
      recharge_state: 'idle',
      recharge_problem: 'chargeback',
    });
  });
});

describe('a dispute of a payment that is not ours', () => {
  it('is said in the log, and is otherwise none of our business', async () => {
    market.log.lines.length = 0;
    cards.fault = () => undefined;
    const strange = { ...(cards.disputes[0] as (typeof cards.disputes)[number]), reference: null };
    const ports = market.newPorts();
    const stranger = Object.create(cards, { getDispute: { value: async () => strange } });
    expect(await settleChargeback({ ...ports, cards: stranger }, 'du_strange')).toBe(false);
    expect(JSON.stringify(market.log.lines)).toContain('chargeback_unknown');
  });
});
