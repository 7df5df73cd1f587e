import { cardWebhook } from '@agent-marketplace/core/compose/card-webhook.ts';
import { bookProcessorEntries, compareLedgerEntries, post } from '@agent-marketplace/core/ledger/index.ts';
import { bookEarlyCaptures, returnTransfers } from '@agent-marketplace/core/sales/index.ts';
import { sessionOf } from '@agent-marketplace/core/testing/marketplace/sales-marketplace.ts';
import { TEST_ADMIN_SECRET } from '@agent-marketplace/core/testing/marketplace/test-bindings.ts';
import { beforeEach, describe, expect, it } from 'vitest';
import { createFaultWorld, HOLD_MS, PRICE } from './fault-world.ts';

// Every movement of the platform's own money at the card processor, against the ledger: object by object.

const world = await createFaultWorld();
beforeEach(() => world.renew());
const MINUTE = 60_000;
const DAY = 24 * 3600_000;
const admin = { 'x-mkt-admin': TEST_ADMIN_SECRET };

/** What the jobs do about the processor's balance. */
async function minute(): Promise<void> {
  const ports = world.market.newPorts();
  await bookProcessorEntries(ports);
  await bookEarlyCaptures(ports);
  await returnTransfers(ports);
  await compareLedgerEntries(ports);
}

interface Report {
  readonly findings: readonly object[];
  readonly objects: {
    readonly differs: readonly Item[];
    readonly onlyInLedger: readonly Item[];
    readonly onlyOutside: readonly Item[];
    readonly counts: readonly { comparison: string; kind: string; count: number }[];
  };
}

interface Item {
  readonly id: string;
  readonly kind: string;
  readonly ledgerCents: number;
  readonly outsideCents: number;
}

async function hear(): Promise<void> {
  for (const { rawBody, signatureHeader } of await world.cards.takeWebhooks())
    await cardWebhook.take(world.market.newPorts(), rawBody, signatureHeader);
}

/** After what is under way has settled, and the processor was read. */
async function report(query = '') {
  await hear();
  world.market.clock.advance(6 * MINUTE);
  await minute();
  const { body } = await world.request('GET', `/admin/reconciliation${query}`, null, undefined, admin);
  const { findings, objects } = body as unknown as Report;
  const { counts, differs, onlyInLedger, onlyOutside } = objects;
  const of = (comparison: string) => (kind: string) =>
    counts.find((one) => one.comparison === comparison && one.kind === kind)?.count ?? 0;
  return { findings, differs, onlyInLedger, onlyOutside, matched: of('matched'), pending: of('pending') };
}

const GREEN = { findings: [], differs: [], onlyInLedger: [], onlyOutside: [] };
const paymentOf = (reference: string) => {
  const payment = world.cards.payments.find((one) => one.reference?.id === reference);
  if (!payment) throw new Error('It was not paid by card.');
  return payment.paymentId;
};

describe('what moves the balance of the processor is in the ledger', () => {
  it('a sale, its fee, its payout: green, and every object is counted', async () => {
    const sold = await world.newSale('card');
    world.market.clock.advance(2 * HOLD_MS);
    await world.expectAllWell();
    expect(await world.statusOf(sold.purchaseId)).toBe('released');
    const found = await report();
    expect(found).toMatchObject(GREEN);
    expect([found.matched('payment'), found.matched('fee'), found.matched('transfer')]).toEqual([
      expect.any(Number),
      expect.any(Number),
      expect.any(Number),
    ]);
    expect(found.matched('fee')).toBeGreaterThanOrEqual(found.matched('payment'));
    expect(found.matched('transfer')).toBeGreaterThan(0);
  });

  it('refunds, disputes with their fees, bank payouts, funding, fees of a month: green', async () => {
    const before = await world.account('bank');
    const refunded = await world.newSale('card');
    await hear();
    world.cards.dashboard.refund(paymentOf(refunded.purchaseId), 1000);
    const disputed = await world.newSale('card');
    await hear();
    const disputeId = world.cards.disputePayment(paymentOf(disputed.purchaseId));
    await hear();
    world.cards.closeDispute(disputeId, 'lost');
    world.cards.dashboard.fund(5000);
    world.cards.dashboard.payOut(1200);
    world.cards.dashboard.chargeFee(300);
    const fees = await world.account('processor_fees');
    const disputeFees = await world.account('dispute_fees');
    expect(await report()).toMatchObject(GREEN);
    expect(await world.account('bank')).toBe(before + 5000 - 1200);
    expect(fees - (await world.account('processor_fees'))).toBeGreaterThanOrEqual(300);
    expect(disputeFees - (await world.account('dispute_fees'))).toBe(1500);
  });

  it('a transfer that is reversed in the dashboard is owed, not lost', async () => {
    const sold = await world.newSale('card');
    world.market.clock.advance(2 * HOLD_MS);
    await world.expectAllWell();
    const sent = world.cards.transfers.find((one) => one.purchaseId === sold.purchaseId);
    const owed = await world.account('transfer_reversals');
    world.cards.dashboard.reverseTransfer(sent?.transferId ?? '', 700);
    expect(await report()).toMatchObject(GREEN);
    expect(await world.account('transfer_reversals')).toBe(owed + 700);
  });

  describe.each([
    // Of a sale that a wallet paid for, the second transfer is asked for in the words of the first.
    ['release', 'released', 'wallet'],
    ['release', 'released', 'card'],
    ['refund', 'refunded', 'card'],
  ] as const)(
    'a whole transfer is reversed in the dashboard, and the operator decides: %s (%s, paid by %s)',
    (decision, end, method) => {
      it('is owed to the seller again, and moved only by the decision, once', async () => {
        const sold = await world.newSale(method);
        world.market.clock.advance(2 * HOLD_MS);
        await world.expectAllWell();
        const sent = world.cards.transfers.filter((one) => one.purchaseId === sold.purchaseId);
        const [first] = sent;
        if (!first) throw new Error('It was not paid out.');
        world.cards.dashboard.reverseTransfer(first.transferId, 700);
        expect(await report()).toMatchObject(GREEN);
        expect(await world.statusOf(sold.purchaseId), 'of which a part is left').toBe('released');
        const escrow = await world.account(`escrow:${world.seller.id}`);
        world.cards.dashboard.reverseTransfer(first.transferId, first.amountCents - 700);
        await Promise.all([minute(), minute()]);
        expect(await report()).toMatchObject(GREEN);
        expect(await world.statusOf(sold.purchaseId)).toBe('held');
        expect(await world.account(`escrow:${world.seller.id}`)).toBe(escrow + first.amountCents);
        expect(await world.account('transfer_reversals')).toBe(0);
        const listed = await world.request('GET', '/admin/disputes', null, undefined, admin);
        expect(JSON.stringify(listed.body)).toContain(sold.purchaseId);
        const told = await world.request('GET', '/sell/me', world.seller.apiKey);
        expect(JSON.stringify(told.body)).toContain('transfer_reversed');

        world.market.clock.advance(30 * DAY);
        await world.everyMinute();
        await minute();
        expect(world.cards.transfers.length, 'not by itself').toBe(sent.length);
        const decided = await world.request(
          'POST',
          `/admin/disputes/${sold.purchaseId}/decision`,
          null,
          { decision },
          admin,
        );
        expect(decided.status).toBe(200);
        await world.expectAllWell();
        expect(await report()).toMatchObject(GREEN);
        expect(await world.statusOf(sold.purchaseId)).toBe(end);
        const made = world.cards.transfers.filter((one) => one.purchaseId === sold.purchaseId);
        expect(made.map(({ reversed }) => reversed)).toEqual(end === 'released' ? [true, false] : [true]);
        expect(await world.account(`escrow:${world.seller.id}`)).toBe(escrow);
      });
    },
  );

  describe.each([
    ['the webhook came', hear],
    ['the webhook was lost', async () => void (await world.cards.takeWebhooks())],
  ])('captured in the dashboard before it is collected: %s', (_name, tell) => {
    async function captured() {
      const { id } = await world.listing();
      const buyer = await world.newAgent();
      const { body } = await world.buy(id, buyer, { body: { payment_method: 'checkout' } });
      world.cards.payCheckout(sessionOf(body.checkoutUrl));
      await hear();
      world.cards.dashboard.capture(paymentOf(body.id));
      await tell();
      return { buyer, purchaseId: body.id };
    }

    it('is booked when it is seen, and delivered afterwards', async () => {
      const { buyer, purchaseId } = await captured();
      expect(await report()).toMatchObject(GREEN);
      expect(await world.statusOf(purchaseId)).toBe('authorized');
      expect(await world.account(`reserved:${purchaseId}`)).toBe(PRICE);
      const { body } = await world.read(purchaseId, buyer);
      expect(body.content).not.toBeNull();
      expect(await world.account(`reserved:${purchaseId}`)).toBe(0);
      await world.expectAllWell();
      expect(await report()).toMatchObject(GREEN);
    });

    it('is booked when it is seen, and refunded where nobody collects it', async () => {
      const { purchaseId } = await captured();
      expect(await report()).toMatchObject(GREEN);
      expect(await world.account(`reserved:${purchaseId}`)).toBe(PRICE);
      world.cards.dashboard.setRefundStatus('pending');
      world.market.clock.advance(8 * DAY);
      await world.everyMinute();
      expect(await report(), 'while the refund is pending').toMatchObject(GREEN);
      expect(await world.statusOf(purchaseId)).toBe('authorized');
      world.cards.dashboard.setRefundStatus('succeeded');
      for (const refundId of world.cards.dashboard.refundsOf(paymentOf(purchaseId)))
        world.cards.dashboard.endRefund(refundId, 'succeeded');
      await world.expectAllWell();
      expect(await report()).toMatchObject(GREEN);
      expect(await world.statusOf(purchaseId)).toBe('refunded');
      expect(await world.account(`reserved:${purchaseId}`)).toBe(0);
    });
  });

  it.each(['whole', 'in part'])(
    'a refund in the dashboard of what was captured there early, %s, is named until it is worked off',
    async (extent) => {
      const { id } = await world.listing();
      const buyer = await world.newAgent();
      const { body } = await world.buy(id, buyer, { body: { payment_method: 'checkout' } });
      world.cards.payCheckout(sessionOf(body.checkoutUrl));
      await hear();
      const paymentId = paymentOf(body.id);
      world.cards.dashboard.capture(paymentId);
      await hear();
      const cents = extent === 'whole' ? PRICE : 300;
      world.cards.dashboard.refund(paymentId, cents);
      const unheard = await world.cards.takeWebhooks();
      const object = { id: `refund:${paymentId}`, kind: 'refund', outsideCents: -cents, ledgerCents: 0 };
      expect((await report()).onlyOutside).toMatchObject([object]);
      for (const { rawBody } of unheard) {
        const repeated = await world.cards.repeatWebhook(rawBody);
        await cardWebhook.take(world.market.newPorts(), repeated.rawBody, repeated.signatureHeader);
      }
      const before = await report();
      expect(before).toMatchObject(GREEN);
      expect(await world.statusOf(body.id)).toBe(extent === 'whole' ? 'refunded' : 'authorized');
      // What is left of it goes back where nobody collects it: the same object, of all of the price.
      world.market.clock.advance(8 * DAY);
      await world.expectAllWell();
      const after = await report();
      expect(after).toMatchObject(GREEN);
      expect(await world.statusOf(body.id)).toBe('refunded');
    },
  );

  it('a refund that is pending here and there is no difference, and one of another amount is', async () => {
    const sold = await world.newSale('card');
    await hear();
    world.cards.dashboard.setRefundStatus('pending');
    await world.request('POST', `/marketplace/purchases/${sold.purchaseId}/dispute`, sold.buyer.apiKey, {
      reason: 'Wrong.',
    });
    const path = `/admin/disputes/${sold.purchaseId}/decision`;
    const decided = await world.request('POST', path, null, { decision: 'refund' }, admin);
    expect(decided.body).toMatchObject({ money: 'under_way' });
    const found = await report();
    expect(found).toMatchObject(GREEN);
    expect(found.pending('refund')).toBe(1);
    world.cards.dashboard.adjust(5);
    await minute();
    for (const refundId of world.cards.dashboard.refundsOf(paymentOf(sold.purchaseId)))
      world.cards.dashboard.endRefund(refundId, 'failed');
    expect((await report()).pending('refund'), 'it is over').toBe(0);
    world.cards.dashboard.setRefundStatus('succeeded');
  });

  it('two errors that cancel out in the total are told, and an operator can explain them', async () => {
    const { cards } = world;
    const ours = await world.newSale('card');
    world.market.clock.advance(2 * HOLD_MS);
    await world.expectAllWell();
    const { accountId } = await cards.createAccount('stranger', {
      sellerId: 's',
      country: 'DE',
      email: null,
    });
    cards.onboard(accountId);
    const { customerId } = await cards.createCustomer('customer', { agentId: 'a', email: null });
    const setup = await cards.createSetup('setup', { customerId, agentId: 'a', returnUrl: 'https://m' });
    cards.saveCard(setup.sessionId);
    const saved = await cards.getSetup(setup.sessionId);
    const charged = await cards.chargeSaved('stray', {
      reference: { kind: 'purchase', id: 'of another system' },
      customerId,
      paymentMethodId: saved?.card.paymentMethodId ?? '',
      amountCents: 900,
      description: 'Of another system',
      capture: 'automatic',
    });
    if (charged.kind !== 'succeeded') throw new Error(charged.kind);
    const transfer = { accountId, amountCents: 900, purchaseId: ours.purchaseId, sourceChargeId: null };
    const sent = await cards.transfer('twice', transfer);
    if (sent.kind !== 'transferred') throw new Error(sent.code);
    const found = await report();
    expect(found.findings, 'the total says nothing').toEqual([]);
    expect(found.onlyOutside).toMatchObject([
      { id: `payment:${charged.paymentId}`, outsideCents: 900, ledgerCents: 0 },
      { id: `transfer:${sent.transferId}`, outsideCents: -900, ledgerCents: 0 },
    ]);
    expect(found).toMatchObject({ differs: [], onlyInLedger: [] });
    const explain = (id: string | undefined, amountCents: number, reason = 'Of another system.') =>
      world.request(
        'POST',
        '/admin/ledger/adjustments',
        null,
        { account: 'card_clearing', amountCents, reference: id, reason },
        admin,
      );
    const first = await explain(found.onlyOutside[0]?.id, 900);
    expect(first).toMatchObject({ status: 200, body: { counterAccount: 'adjustments', kind: 'adjustment' } });
    const actions = async () =>
      (await world.rows('SELECT sequence FROM operator_actions WHERE statement LIKE ?', '%adjustLedger%'))
        .length;
    const audited = await actions();
    expect(audited).toBeGreaterThan(0);
    expect((await explain(found.onlyOutside[0]?.id, 900)).body.id, 'once').toBe(first.body.id);
    expect(await actions(), 'what was done before is no second action').toBe(audited);
    expect((await explain(found.onlyOutside[0]?.id, 901)).body.code).toBe('adjustment_differs');
    await explain(found.onlyOutside[1]?.id, -900);
    expect(await report()).toMatchObject(GREEN);
    expect(await world.account('adjustments')).toBe(0);
    const month = new Date(world.market.clock.now()).toISOString().slice(0, 7);
    const file = await world.market.request('GET', `/admin/periods/${month}/postings?format=csv`, {
      headers: admin,
    });
    expect(await file.text()).toContain(`payment:${charged.paymentId},Of another system.,`);
  });

  it('what the ledger says and the processor does not know is told', async () => {
    const sold = await world.newSale('card');
    await hear();
    const id = world.market.ids.uuid();
    await world.market.newPorts().market.commit([
      post(
        {
          kind: 'funding',
          reference: 'nothing',
          legs: [
            { account: 'card_clearing', amountCents: -50 },
            { account: 'bank', amountCents: 50 },
          ],
        },
        id,
        new Date(world.market.clock.now()).toISOString(),
      ),
    ]);
    const found = await report();
    expect(found.onlyInLedger).toMatchObject([{ id: 'funding:nothing', ledgerCents: 50, outsideCents: 0 }]);
    expect(found.matched('payment'), sold.purchaseId).toBeGreaterThan(0);
    const explained = await world.request(
      'POST',
      '/admin/ledger/adjustments',
      null,
      {
        account: 'bank',
        counterAccount: 'card_clearing',
        amountCents: 50,
        reference: 'funding:nothing',
        reason: 'Undone.',
      },
      admin,
    );
    expect(explained.status).toBe(200);
    expect(await report()).toMatchObject(GREEN);
  });

  it('while more moved than one run reads, what is newer is not known, and no difference', async () => {
    await report();
    const before = await world.account('processor_fees');
    for (let fees = 0; fees < 70; fees += 1) world.cards.dashboard.chargeFee(1);
    world.market.clock.advance(11 * MINUTE);
    await minute();
    const read = async () => {
      const { body } = await world.request('GET', '/admin/reconciliation', null, undefined, admin);
      return body as unknown as Report & {
        readonly processorCompared: boolean;
        readonly objects: { readonly readings: readonly { rail: string; isUpToDate: boolean }[] };
      };
    };
    const during = await read();
    expect(during).toMatchObject({ findings: [], processorCompared: false });
    expect(during.objects).toMatchObject({
      onlyOutside: [],
      readings: [{ rail: 'card', isUpToDate: false }],
    });
    // What is ten minutes old is not read again.
    for (let runs = 0; runs < 12; runs += 1) {
      world.market.clock.advance(MINUTE);
      await minute();
    }
    const after = await read();
    expect(after).toMatchObject({ findings: [], processorCompared: true });
    expect(after.objects).toMatchObject({ onlyOutside: [], readings: [{ rail: 'card', isUpToDate: true }] });
    expect(await world.account('processor_fees')).toBe(before - 70);
    world.cards.dashboard.chargeFee(9);
    expect(await read(), 'of this moment').toMatchObject({ findings: [], processorCompared: false });
  });

  it('an entry is posted once, however often and by how many it is read, and one that shows days late is, too', async () => {
    await report();
    const fees = await world.account('processor_fees');
    world.cards.dashboard.chargeFee(111);
    await Promise.all([minute(), minute()]);
    await minute();
    expect(await world.account('processor_fees')).toBe(fees - 111);
    const unexplained = await world.account('unexplained');
    world.cards.dashboard.adjust(40, 5 * DAY);
    await minute();
    expect(await world.account('unexplained')).toBe(unexplained);
    world.market.clock.advance(DAY + MINUTE);
    await minute();
    expect(await world.account('unexplained')).toBe(unexplained + 40);
    const found = await report();
    expect(found.findings).toEqual([
      { actualCents: unexplained + 40, check: 'unexplained', expectedCents: 0, subject: 'ledger' },
    ]);
  });
});
