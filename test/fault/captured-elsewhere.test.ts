import { cardWebhook } from '@agent-marketplace/core/compose/card-webhook.ts';
import { bookProcessorEntries } from '@agent-marketplace/core/ledger/index.ts';
import { advanceDueSales, bookEarlyCaptures, readCardEvents } from '@agent-marketplace/core/sales/index.ts';
import { sellerOf } from '@agent-marketplace/core/testing/doubles/fake-seller-endpoint.ts';
import { sessionOf } from '@agent-marketplace/core/testing/marketplace/sales-marketplace.ts';
import { TEST_ADMIN_SECRET } from '@agent-marketplace/core/testing/marketplace/test-bindings.ts';
import { beforeEach, describe, expect, it } from 'vitest';
import { createFaultWorld, PRICE } from './fault-world.ts';
import { breakEverywhere } from './scenarios.ts';

// What finance captures or cancels in the processor's dashboard, before anybody collected the purchase.

const world = await createFaultWorld();
beforeEach(() => world.renew());
const DAY_MS = 24 * 3600_000;

async function hear(): Promise<void> {
  for (const { rawBody, signatureHeader } of await world.cards.takeWebhooks())
    await cardWebhook.take(world.market.newPorts(), rawBody, signatureHeader);
}

const lose = async () => void (await world.cards.takeWebhooks());

/** Paid on a page, and waiting to be collected. */
async function authorized(payer: 'agent' | 'guest' = 'agent') {
  const { id } = await world.listing();
  const buyer = await world.newAgent();
  const { body } = await world.buy(id, payer === 'guest' ? null : buyer, {
    body: { payment_method: 'checkout' },
  });
  world.cards.payCheckout(sessionOf(body.checkoutUrl));
  await hear();
  expect(await world.statusOf(body.id)).toBe('authorized');
  const payment = world.cards.payments.find(({ reference }) => reference?.id === body.id);
  return { purchaseId: body.id, buyer, paymentId: payment?.paymentId ?? '' };
}

const seen = (paymentId: string) => world.cards.payments.find((one) => one.paymentId === paymentId);

/** Captured in the dashboard, and never collected: its refund is asked for. */
async function expired() {
  const bought = await authorized();
  world.cards.dashboard.capture(bought.paymentId);
  world.market.clock.advance(8 * DAY_MS);
  return bought;
}

const overdueKinds = async (purchaseId: string) => {
  const admin = { 'x-mkt-admin': TEST_ADMIN_SECRET };
  const { body } = await world.request('GET', '/admin/overdue?limit=100', null, undefined, admin);
  const { overdue } = body as unknown as {
    overdue: { subjectId: string; kind: string; mendWith: string[] }[];
  };
  return overdue.filter(({ subjectId }) => subjectId === purchaseId);
};

describe('the refund of what was never delivered fails', () => {
  it('at once: it is made again, under another key', async () => {
    const bought = await expired();
    world.cards.dashboard.setRefundStatus('failed');
    await world.everyMinute();
    expect(await world.statusOf(bought.purchaseId)).toBe('authorized');
    world.cards.dashboard.setRefundStatus('succeeded');
    await world.expectAllWell();
    expect(await world.statusOf(bought.purchaseId)).toBe('refunded');
    expect(seen(bought.paymentId)).toMatchObject({ refundedCents: PRICE });
    expect(world.cards.dashboard.refundsOf(bought.paymentId)).toHaveLength(2);
  });

  it.each(['told', 'mended by the operator'])(
    'days after it counted as made, %s: it is made again',
    async (how) => {
      const bought = await expired();
      await world.expectAllWell();
      expect(await world.statusOf(bought.purchaseId)).toBe('refunded');
      const [refundId = ''] = world.cards.dashboard.refundsOf(bought.paymentId);
      world.market.clock.advance(3 * DAY_MS);
      world.cards.dashboard.endRefund(refundId, 'failed');
      await hear();
      await hear();
      if (how === 'mended by the operator') {
        world.cards.dashboard.setRefundStatus('failed');
        await world.everyMinute();
        world.market.clock.advance(DAY_MS);
        expect(await overdueKinds(bought.purchaseId)).toMatchObject([
          { kind: 'outcome_undone', mendWith: ['retryPurchase'] },
        ]);
        world.cards.dashboard.setRefundStatus('succeeded');
        const admin = { 'x-mkt-admin': TEST_ADMIN_SECRET };
        const path = `/admin/purchases/${bought.purchaseId}/retry`;
        expect((await world.request('POST', path, null, { reason: 'Test.' }, admin)).status).toBe(200);
        expect(await overdueKinds(bought.purchaseId)).toEqual([]);
      }
      await world.expectAllWell();
      await hear();
      expect(await overdueKinds(bought.purchaseId)).toEqual([]);
      expect(seen(bought.paymentId)).toMatchObject({ refundedCents: PRICE });
      const notices = await world.rows(
        "SELECT 1 FROM agent_events WHERE agent_id = ? AND type = 'purchase.notice'",
        bought.buyer.id,
      );
      expect(notices).toHaveLength(1);
    },
  );

  it('and finance refunds it in the dashboard: that counts', async () => {
    const bought = await expired();
    await world.expectAllWell();
    const [refundId = ''] = world.cards.dashboard.refundsOf(bought.paymentId);
    world.cards.dashboard.endRefund(refundId, 'failed');
    await hear();
    world.cards.dashboard.refund(bought.paymentId, PRICE);
    await hear();
    await world.expectAllWell();
    expect(seen(bought.paymentId)).toMatchObject({ refundedCents: PRICE });
    expect(await overdueKinds(bought.purchaseId)).toEqual([]);
  });
});

describe('an owed refund, cut off anywhere', async () => {
  const run = () => advanceDueSales(world.market.newPorts()).catch(() => {});
  await breakEverywhere<{ readonly purchaseId: string; readonly paymentId: string }>(world, {
    name: 'a refund that failed after it counted as made',
    async prepare() {
      const bought = await expired();
      await world.everyMinute();
      const [refundId = ''] = world.cards.dashboard.refundsOf(bought.paymentId);
      world.cards.dashboard.endRefund(refundId, 'failed');
      await hear();
      return bought;
    },
    act: run,
    async expectEnd({ paymentId }) {
      expect(seen(paymentId)).toMatchObject({ refundedCents: PRICE });
      expect(world.cards.dashboard.refundsOf(paymentId)).toHaveLength(2);
    },
  });
});

describe.each([
  ['the webhook came', hear],
  ['the webhook was lost', lose],
])('captured in the dashboard before it was collected: %s', (_name, told) => {
  it('the buyer collects it: it is paid once, and delivered', async () => {
    const bought = await authorized();
    world.cards.dashboard.capture(bought.paymentId);
    await told();
    const { body } = await world.read(bought.purchaseId, bought.buyer);
    expect(body).toMatchObject({ status: 'held' });
    expect(body.content).not.toBeNull();
    await world.expectAllWell();
    expect(seen(bought.paymentId)).toMatchObject({
      status: 'captured',
      capturedCents: PRICE,
      refundedCents: 0,
    });
  });

  it('nobody collects it: it is owed, and refunded', async () => {
    const bought = await authorized();
    world.cards.dashboard.capture(bought.paymentId);
    await told();
    world.market.clock.advance(8 * DAY_MS);
    await world.expectAllWell();
    expect(await world.statusOf(bought.purchaseId)).toBe('refunded');
    expect(seen(bought.paymentId)).toMatchObject({ capturedCents: PRICE, refundedCents: PRICE });
  });

  it('the seller has nothing for it: it is refunded at once', async () => {
    const bought = await authorized();
    world.cards.dashboard.capture(bought.paymentId);
    await told();
    const script = world.market.sellerEndpoint.script;
    world.market.sellerEndpoint.script = sellerOf(null);
    await world.read(bought.purchaseId, bought.buyer);
    world.market.sellerEndpoint.script = script;
    await world.expectAllWell();
    expect(await world.statusOf(bought.purchaseId)).toBe('refunded');
    expect(seen(bought.paymentId)).toMatchObject({ refundedCents: PRICE });
  });
});

describe.each([
  ['its reports are held back until then', true],
  ['before a job has looked at it', false],
])('captured in the dashboard within a second of its payment: %s', (_name, isHeldBack) => {
  it.each(['agent', 'guest'] as const)('the %s gets it whenever it comes', async (payer) => {
    const { id } = await world.listing();
    const buyer = await world.newAgent();
    const { body } = await world.buy(id, payer === 'guest' ? null : buyer, {
      body: { payment_method: 'checkout' },
    });
    world.cards.payCheckout(sessionOf(body.checkoutUrl));
    if (!isHeldBack) await hear();
    const { paymentId = '' } = world.cards.payments.find(({ reference }) => reference?.id === body.id) ?? {};
    world.cards.dashboard.capture(paymentId);
    const reports = [...(await world.cards.takeWebhooks())].reverse();
    for (const { rawBody, signatureHeader } of reports)
      await cardWebhook.take(world.market.newPorts(), rawBody, signatureHeader);
    await world.everyMinute();
    world.market.clock.advance(DAY_MS);
    await world.everyMinute();
    // An agent has it sent to its callback; a guest still has it to collect.
    expect(await world.statusOf(body.id)).toBe(payer === 'agent' ? 'released' : 'authorized');
    expect(seen(paymentId)).toMatchObject({ capturedCents: PRICE, refundedCents: 0 });
    world.market.clock.advance(8 * DAY_MS);
    await world.everyMinute();
    await world.audit();
    expect(await world.statusOf(body.id)).toBe(payer === 'agent' ? 'released' : 'refunded');
  });
});

describe('captured in the dashboard, and given back before it was collected', () => {
  const captured = async () => {
    const bought = await authorized();
    world.cards.dashboard.capture(bought.paymentId);
    await hear();
    return bought;
  };
  const expectOver = async (purchaseId: string, failureCode: string) => {
    const [sale] = await world.rows<{ status: string; failure: string | null }>(
      'SELECT status, failure FROM purchases JOIN payments ON purchase_id = id WHERE id = ?',
      purchaseId,
    );
    expect(sale).toEqual({ status: 'refunded', failure: failureCode });
  };

  it.each([
    ['refunded at once', [PRICE], 'refunded_elsewhere'],
    ['refunded in two parts', [300, PRICE - 300], 'refunded_elsewhere'],
    ['charged back', [], 'chargeback'],
  ])('%s: it ends refunded, and nothing is shown', async (_name, refunds, failure) => {
    const bought = await captured();
    for (const cents of refunds) {
      world.cards.dashboard.refund(bought.paymentId, cents);
      await hear();
    }
    if (refunds.length === 0) {
      const disputeId = world.cards.disputePayment(bought.paymentId);
      await hear();
      world.cards.closeDispute(disputeId, 'lost');
      await hear();
    }
    await expectOver(bought.purchaseId, failure);
    const { body } = await world.read(bought.purchaseId, bought.buyer);
    expect(body.content ?? null).toBeNull();
    expect(seen(bought.paymentId)).toMatchObject({ capturedCents: PRICE });
    await world.expectAllWell();
    await expectOver(bought.purchaseId, failure);
  });

  it.each([
    ['the report of the refund was lost', hear],
    ['both reports were lost', lose],
  ])('refunded at once, and %s: whoever collects it is shown nothing', async (_name, told) => {
    const bought = await authorized();
    world.cards.dashboard.capture(bought.paymentId);
    await told();
    world.cards.dashboard.refund(bought.paymentId, PRICE);
    await lose();
    const { body } = await world.read(bought.purchaseId, bought.buyer);
    expect(body.content ?? null).toBeNull();
    await world.expectAllWell();
    await expectOver(bought.purchaseId, 'reservation_gone');
    expect(seen(bought.paymentId)).toMatchObject({ capturedCents: PRICE, refundedCents: PRICE });
    expect(world.cards.dashboard.refundsOf(bought.paymentId)).toHaveLength(1);
    await world.audit();
  });

  it.each([
    ['all of it, and the report of that was lost', hear, PRICE],
    ['all of it, and both reports were lost', lose, PRICE],
    ['a part, and the report of that was lost', hear, 300],
  ])('a bank took %s: whoever collects it is shown what the rest pays for', async (_name, told, cents) => {
    const bought = await authorized();
    world.cards.dashboard.capture(bought.paymentId);
    await told();
    await readCardEvents(world.market.newPorts());
    const disputeId = world.cards.disputePayment(bought.paymentId, { amountCents: cents });
    world.cards.closeDispute(disputeId, 'lost');
    await lose();
    const { body } = await world.read(bought.purchaseId, bought.buyer);
    expect((body.content ?? null) === null).toBe(cents === PRICE);
    world.market.clock.advance(15 * 60_000);
    await readCardEvents(world.market.newPorts());
    await world.expectAllWell();
    if (cents === PRICE) await expectOver(bought.purchaseId, 'reservation_gone');
    else expect(await world.statusOf(bought.purchaseId)).toBe('released');
    expect(seen(bought.paymentId)).toMatchObject({ capturedCents: PRICE, refundedCents: 0 });
    await world.audit();
  });

  it('a part: it is recorded, and its seller bears its share once it is collected', async () => {
    const bought = await captured();
    world.cards.dashboard.refund(bought.paymentId, 300);
    await hear();
    const recorded = await world.rows(
      'SELECT withdrawn_cents FROM chargebacks WHERE purchase_id = ?',
      bought.purchaseId,
    );
    expect(recorded).toEqual([{ withdrawn_cents: 300 }]);
    expect((await world.read(bought.purchaseId, bought.buyer)).body).toMatchObject({ status: 'held' });
    await world.expectAllWell();
    const { taken_net_cents, taken_fee_cents } = await world.payment(bought.purchaseId);
    expect(Number(taken_net_cents) + Number(taken_fee_cents)).toBe(300);
  });

  it('a part, and nobody collects it: the rest goes back', async () => {
    const bought = await captured();
    world.cards.dashboard.refund(bought.paymentId, 300);
    await hear();
    world.market.clock.advance(8 * DAY_MS);
    await world.expectAllWell();
    expect(await world.statusOf(bought.purchaseId)).toBe('refunded');
    expect(seen(bought.paymentId)).toMatchObject({ refundedCents: PRICE });
    await world.audit();
  });
});

describe('captured in part in the dashboard', () => {
  const PART = 300;
  const expectBack = async (purchaseId: string, paymentId: string) => {
    await world.expectAllWell();
    expect(await world.statusOf(purchaseId)).toBe('refunded');
    expect(seen(paymentId)).toMatchObject({ capturedCents: PART, refundedCents: PART });
    const moved = await world.rows<{ kind: string; cents: number }>(
      `SELECT kind, MAX(ABS(amount_cents)) AS cents FROM ledger_postings
       JOIN ledger_entries ON posting_id = ledger_postings.id WHERE reference = ? GROUP BY kind ORDER BY kind`,
      purchaseId,
    );
    expect(moved).toEqual([
      { kind: 'capture', cents: PART },
      { kind: 'refund', cents: PART },
    ]);
  };

  it.each([
    ['the webhook came', hear],
    ['the webhook was lost, and it is collected', lose],
    ['the webhook was lost, and nobody collects', lose],
  ])('%s: nothing is shown, and what was taken goes back', async (name, told) => {
    const bought = await authorized();
    world.cards.dashboard.capture(bought.paymentId, PART);
    await told();
    if (name.endsWith('nobody collects')) world.market.clock.advance(8 * DAY_MS);
    const { body } = await world.read(bought.purchaseId, bought.buyer);
    expect(body.content ?? null).toBeNull();
    await expectBack(bought.purchaseId, bought.paymentId);
    const read = await world.read(bought.purchaseId, bought.buyer);
    expect(read.body.content ?? null).toBeNull();
  });

  it("the webhook was lost: the processor's balance shows it within the hour", async () => {
    const bought = await authorized('guest');
    // Looked at, and left to its buyer until it expires.
    await advanceDueSales(world.market.newPorts());
    world.cards.dashboard.capture(bought.paymentId, PART);
    await lose();
    for (let pass = 0; pass < 3; pass += 1) {
      world.market.clock.advance(10 * 60_000);
      await bookProcessorEntries(world.market.newPorts());
      await bookEarlyCaptures(world.market.newPorts());
    }
    expect(await world.statusOf(bought.purchaseId)).toBe('refunded');
    expect(seen(bought.paymentId)).toMatchObject({ capturedCents: PART, refundedCents: PART });
    await world.audit();
  });

  it('before the page reported its payment: the same', async () => {
    const { id } = await world.listing();
    const buyer = await world.newAgent();
    const { body } = await world.buy(id, buyer, { body: { payment_method: 'checkout' } });
    world.cards.payCheckout(sessionOf(body.checkoutUrl));
    const { paymentId = '' } = world.cards.payments.find(({ reference }) => reference?.id === body.id) ?? {};
    world.cards.dashboard.capture(paymentId, PART);
    await hear();
    await expectBack(body.id, paymentId);
    // It was never there to be collected.
    expect((await world.events(buyer.id)).map(({ type }) => type)).toEqual(['purchase.refunded']);
  });

  it('while the seller of a purchase with the saved card is asked: the same', async () => {
    const { id } = await world.listing();
    const buyer = await world.newAgent();
    await world.saveCard(buyer);
    const { script } = world.market.sellerEndpoint;
    world.market.sellerEndpoint.script = (call) => {
      for (const { paymentId, status } of world.cards.payments)
        if (status === 'authorized') world.cards.dashboard.capture(paymentId, PART);
      return sellerOf({ answer: 42 })(call);
    };
    const { body } = await world.buy(id, buyer, { body: { payment_method: 'card' } });
    world.market.sellerEndpoint.script = script;
    expect(body.content ?? null).toBeNull();
    const [sale] = await world.purchases(id);
    const payment = world.cards.payments.find(({ reference }) => reference?.id === sale?.id);
    await expectBack(sale?.id ?? '', payment?.paymentId ?? '');
  });

  it('and its refund fails days later: as much is refunded again', async () => {
    const bought = await authorized();
    world.cards.dashboard.capture(bought.paymentId, PART);
    await hear();
    await world.expectAllWell();
    const [refundId = ''] = world.cards.dashboard.refundsOf(bought.paymentId);
    world.cards.dashboard.endRefund(refundId, 'failed');
    await hear();
    await world.expectAllWell();
    expect(seen(bought.paymentId)).toMatchObject({ capturedCents: PART, refundedCents: PART });
  });
});

describe('captured in the dashboard once the sale had ended', () => {
  it.each([PRICE, 300])(
    'where it was paid in the same moment and not cancelled: %i go back',
    async (cents) => {
      const { id } = await world.listing();
      const buyer = await world.newAgent();
      const { body } = await world.buy(id, buyer, { body: { payment_method: 'checkout' } });
      world.cards.payCheckout(sessionOf(body.checkoutUrl));
      const { paymentId = '' } =
        world.cards.payments.find(({ reference }) => reference?.id === body.id) ?? {};
      // Closed by its page's own report, which the processor sent before it took the payment.
      await world.rows("UPDATE purchases SET status = 'expired' WHERE id = ? RETURNING id", body.id);
      world.cards.fault = ({ method }) => (method === 'cancel' ? 'lose_request' : undefined);
      await hear().catch(() => {});
      expect(seen(paymentId)).toMatchObject({ status: 'authorized' });
      world.cards.dashboard.capture(paymentId, cents);
      world.cards.fault = () => undefined;
      await hear();
      await hear();
      expect(seen(paymentId)).toMatchObject({ capturedCents: cents, refundedCents: cents });
      await world.expectAllWell();
      expect(await world.statusOf(body.id)).toBe('expired');
      expect(world.cards.dashboard.refundsOf(paymentId)).toHaveLength(1);
    },
  );
});

describe('a collection of what was captured in part, cut off anywhere', async () => {
  await breakEverywhere<Awaited<ReturnType<typeof authorized>>>(world, {
    name: 'a collection of what was captured in part',
    async prepare() {
      const bought = await authorized();
      world.cards.dashboard.capture(bought.paymentId, 300);
      await lose();
      return bought;
    },
    act: async ({ purchaseId, buyer }) => void (await world.read(purchaseId, buyer).catch(() => {})),
    async expectEnd({ purchaseId, paymentId }) {
      expect(await world.statusOf(purchaseId)).toBe('refunded');
      expect(seen(paymentId)).toMatchObject({ capturedCents: 300, refundedCents: 300 });
    },
  });
});

describe('a collection of what was given back, unreported, cut off anywhere', async () => {
  await breakEverywhere<Awaited<ReturnType<typeof authorized>>>(world, {
    name: 'a collection of what was refunded in the dashboard',
    async prepare() {
      const bought = await authorized();
      world.cards.dashboard.capture(bought.paymentId);
      await hear();
      world.cards.dashboard.refund(bought.paymentId, PRICE);
      await lose();
      return bought;
    },
    act: async ({ purchaseId, buyer }) => void (await world.read(purchaseId, buyer).catch(() => {})),
    async expectEnd({ purchaseId, paymentId }) {
      expect(await world.statusOf(purchaseId)).toBe('refunded');
      expect(seen(paymentId)).toMatchObject({ refundedCents: PRICE });
      expect(world.cards.dashboard.refundsOf(paymentId)).toHaveLength(1);
    },
  });
});

describe('the end of what was given back before it was collected, cut off anywhere', async () => {
  await breakEverywhere<Awaited<ReturnType<typeof authorized>>>(world, {
    name: 'a refund in the dashboard before the collection',
    async prepare() {
      const bought = await authorized();
      world.cards.dashboard.capture(bought.paymentId);
      await hear();
      world.cards.dashboard.refund(bought.paymentId, PRICE);
      return bought;
    },
    act: () => hear().catch(() => {}),
    async expectEnd({ purchaseId, paymentId }) {
      expect(await world.statusOf(purchaseId)).toBe('refunded');
      expect(seen(paymentId)).toMatchObject({ refundedCents: PRICE });
    },
  });
});

describe.each([
  ['the webhook came', hear],
  ['the webhook was lost', lose],
])('cancelled in the dashboard before it was collected: %s', (_name, told) => {
  it('it ends uncharged, and nothing is shown', async () => {
    const bought = await authorized();
    world.cards.dashboard.cancel(bought.paymentId);
    await told();
    const { body } = await world.read(bought.purchaseId, bought.buyer);
    expect(body.content ?? null).toBeNull();
    await world.expectAllWell();
    expect(await world.statusOf(bought.purchaseId)).toMatch(/^(expired|failed)$/);
    expect(seen(bought.paymentId)).toMatchObject({ status: 'canceled', capturedCents: 0 });
  });

  it('nobody asks for it: it ends by itself', async () => {
    const bought = await authorized();
    world.cards.dashboard.cancel(bought.paymentId);
    await told();
    world.market.clock.advance(8 * DAY_MS);
    await world.expectAllWell();
    expect(await world.statusOf(bought.purchaseId)).toMatch(/^(expired|failed)$/);
  });
});
