import { cardWebhook } from '@agent-marketplace/core/compose/card-webhook.ts';
import { runEscrowClock } from '@agent-marketplace/core/sales/index.ts';
import type { RegisteredAgent } from '@agent-marketplace/core/testing/fixtures/new-seller.ts';
import { describe, expect } from 'vitest';
import { createFaultWorld, HOLD_MS, PRICE } from './fault-world.ts';
import { breakEverywhere, type Intruder, interruptEverywhere, type Scenario } from './scenarios.ts';

// What a cardholder's bank takes back: heard of and cut off at every step, and in between the steps of the clock, of a
// shipment, of a refund and of a buyer's dispute. The money goes one way.

const world = await createFaultWorld();
/** A sale paid by card falls due for its shipment after the deployment's 14 days. */
const SHIPMENT_MS = 14 * 24 * 3600_000;

interface Disputed {
  readonly purchaseId: string;
  readonly buyer: RegisteredAgent;
  readonly paymentId: string;
}

async function paymentOf(reference: string): Promise<string> {
  const payment = world.cards.payments.find((one) => one.reference?.id === reference);
  if (!payment) throw new Error('It was not paid by card.');
  return payment.paymentId;
}

/** Of a seller of its own where a bank may take what it was paid: it would bear that in the next run. */
async function sale(fields: Record<string, unknown> = {}, by?: RegisteredAgent): Promise<Disputed> {
  const { purchaseId, buyer } = await world.newSale('card', fields, by);
  await world.cards.takeWebhooks();
  return { purchaseId, buyer, paymentId: await paymentOf(purchaseId) };
}

/** All that the processor tells, as often as it is not taken. */
async function hear(): Promise<void> {
  for (const { rawBody } of await world.cards.takeWebhooks()) await tell(rawBody);
}

async function tell(rawBody: string): Promise<void> {
  const { signatureHeader } = await world.cards.repeatWebhook(rawBody);
  await cardWebhook.take(world.market.newPorts(), rawBody, signatureHeader);
}

const runClock = () => runEscrowClock(world.market.newPorts()).catch(() => {});
const outcomeOf = async ({ purchaseId }: { purchaseId: string }) => ({
  status: await world.statusOf(purchaseId),
  transfers: world.cards.transfers.filter((transfer) => transfer.purchaseId === purchaseId).length,
  refundedCents: world.cards.payments.find(({ reference }) => reference?.id === purchaseId)?.refundedCents,
});

const REFUNDED_BY_BANK = { status: 'refunded', transfers: 0, refundedCents: 0 };
const REFUNDED = { ...REFUNDED_BY_BANK, refundedCents: PRICE };
const RELEASED = { ...REFUNDED_BY_BANK, status: 'released', transfers: 1 };
const HELD = { ...REFUNDED_BY_BANK, status: 'held' };

/** A report of the processor that is cut off, and comes again. */
function reported<State>(
  name: string,
  prepare: () => Promise<State>,
  expectEnd: (state: State) => Promise<unknown>,
): Scenario<State & { readonly reports: readonly string[] }> {
  return {
    name,
    lasting: ['once', 'for_good'],
    async prepare() {
      const state = await prepare();
      const reports = (await world.cards.takeWebhooks()).map(({ rawBody }) => rawBody);
      return { ...state, reports };
    },
    act: ({ reports }) => tell(reports.at(-1) ?? '').catch(() => {}),
    async comeBack({ reports }) {
      for (const report of reports) await tell(report);
    },
    expectEnd,
  };
}

describe('Card webhooks cut off anywhere: a chargeback is worked off once', async () => {
  await breakEverywhere(
    world,
    reported(
      'a sale that the bank takes back',
      async () => {
        const sold = await sale();
        world.cards.closeDispute(world.cards.disputePayment(sold.paymentId), 'lost');
        return sold;
      },
      async (sold) => expect(await outcomeOf(sold)).toEqual(REFUNDED_BY_BANK),
    ),
  );
  await breakEverywhere(
    world,
    reported(
      'a sale that the bank leaves after all',
      async () => {
        const sold = await sale();
        const disputeId = world.cards.disputePayment(sold.paymentId);
        await hear();
        world.cards.closeDispute(disputeId, 'won');
        return sold;
      },
      async (sold) => expect(await outcomeOf(sold)).toEqual(RELEASED),
    ),
  );
  await breakEverywhere(
    world,
    reported(
      'a top-up that the bank takes back',
      async () => {
        const owner = await world.newBuyer('wallet');
        const [topUp] = await world.rows<{ id: string }>(
          'SELECT id FROM wallet_top_ups WHERE agent_id = ?',
          owner.id,
        );
        await world.cards.takeWebhooks();
        world.cards.closeDispute(world.cards.disputePayment(await paymentOf(topUp?.id ?? '')), 'lost');
        return { owner };
      },
      async ({ owner }) => expect(await world.balanceOf(owner)).toBe(0),
    ),
  );
});

describe('The escrow clock overlapping a chargeback: at most one transfer or refund', async () => {
  const releasing: Scenario<Disputed> = {
    name: 'the escrow clock releases a sale',
    async prepare() {
      const sold = await sale({}, await world.newSeller());
      world.market.clock.advance(HOLD_MS);
      return sold;
    },
    act: runClock,
    async expectEnd(sold) {
      const before = await outcomeOf(sold);
      expect([HELD, RELEASED]).toContainEqual(before);
      world.market.clock.advance(20 * HOLD_MS);
      await world.everyMinute();
      expect(await outcomeOf(sold)).toEqual(before);
      for (const { disputeId, paymentId } of world.cards.disputes)
        if (paymentId === sold.paymentId) world.cards.closeDispute(disputeId, 'lost');
      await hear();
      await world.recover();
      expect(await outcomeOf(sold)).toEqual(before.status === 'held' ? REFUNDED_BY_BANK : RELEASED);
    },
  };
  const aChargeback: Intruder<Disputed> = {
    name: 'the cardholder disputes it',
    async come({ paymentId }) {
      world.cards.disputePayment(paymentId);
      await hear();
    },
  };
  await interruptEverywhere(world, releasing, aChargeback);

  const takenBack = reported(
    'the report of a lost dispute',
    async () => {
      const sold = await sale({}, await world.newSeller());
      world.market.clock.advance(HOLD_MS);
      world.cards.closeDispute(world.cards.disputePayment(sold.paymentId), 'lost');
      return sold;
    },
    async (sold) => expect([REFUNDED_BY_BANK, RELEASED]).toContainEqual(await outcomeOf(sold)),
  );
  await interruptEverywhere(world, takenBack, { name: 'the clock runs', come: runClock });
  await interruptEverywhere(world, takenBack, {
    name: 'the buyer disputes it here',
    isLeftOpen: true,
    async come({ purchaseId, buyer }) {
      const { status, body } = await world.dispute(purchaseId, buyer);
      expect(status === 200 ? 'open' : body.code).toMatch(/^(open|not_in_escrow)$/);
    },
  });
});

describe('An order that is not shipped in time is refunded once, or shipped, or disputed', async () => {
  const overdue: Scenario<Disputed> = {
    name: 'the escrow clock refunds an order',
    async prepare() {
      const sold = await sale({ fulfilment: 'physical' });
      world.market.clock.advance(SHIPMENT_MS);
      return sold;
    },
    act: runClock,
    expectEnd: async (sold) => expect(await outcomeOf(sold)).toEqual(REFUNDED),
  };
  await breakEverywhere(world, { ...overdue, lasting: ['once', 'for_good'] });
  const ship = ({ purchaseId }: Disputed) =>
    world.request('POST', `/sell/orders/${purchaseId}/shipment`, world.seller.apiKey, {
      carrier: 'Post',
      trackingNumber: 'X1',
    });
  const isShipped = async ({ purchaseId }: Disputed) => (await world.payment(purchaseId)).shipped_at !== null;
  const shippedOrNot = async (sold: Disputed) =>
    expect(await outcomeOf(sold)).toEqual((await isShipped(sold)) ? RELEASED : REFUNDED);
  const theShipment: Intruder<Disputed> = {
    name: 'its seller ships it',
    async come(sold) {
      const { status, body } = await ship(sold);
      expect(status === 200 ? 'shipped' : body.code).toMatch(/^(shipped|not_to_be_shipped)$/);
    },
  };
  await interruptEverywhere(world, { ...overdue, expectEnd: shippedOrNot }, theShipment);
  await interruptEverywhere(
    world,
    { ...overdue, name: 'its seller ships an order', act: ship, expectEnd: shippedOrNot },
    { name: 'the clock runs', come: runClock },
  );
  await interruptEverywhere(
    world,
    {
      ...overdue,
      async expectEnd(sold) {
        const rows = await world.rows(
          'SELECT 1 FROM disputes WHERE purchase_id = ? AND decision IS NULL',
          sold.purchaseId,
        );
        expect(await outcomeOf(sold)).toEqual(rows.length > 0 ? HELD : REFUNDED);
      },
    },
    {
      name: 'the buyer disputes it',
      isLeftOpen: true,
      async come({ purchaseId, buyer }) {
        const { status, body } = await world.dispute(purchaseId, buyer);
        expect(status === 200 ? 'open' : body.code).toMatch(/^(open|not_in_escrow)$/);
      },
    },
  );
  await interruptEverywhere(
    world,
    {
      ...overdue,
      async expectEnd(sold) {
        const before = await outcomeOf(sold);
        expect([HELD, REFUNDED]).toContainEqual(before);
        for (const { disputeId, paymentId } of world.cards.disputes)
          if (paymentId === sold.paymentId) world.cards.closeDispute(disputeId, 'lost');
        await hear();
        await world.recover();
        expect(await outcomeOf(sold)).toEqual(before.status === 'held' ? REFUNDED_BY_BANK : REFUNDED);
      },
    },
    {
      name: 'the cardholder disputes it',
      async come({ paymentId, purchaseId }) {
        // What was refunded cannot be taken back as well.
        if ((await outcomeOf({ purchaseId })).refundedCents === 0) world.cards.disputePayment(paymentId);
        await hear();
      },
    },
  );
});

describe('A purchase whose request dies while its cardholder disputes it: the money goes back once', async () => {
  interface Bought {
    readonly listingId: string;
    readonly buyer: RegisteredAgent;
    readonly key: string;
  }
  await breakEverywhere<Bought>(world, {
    name: 'a purchase with a card that is disputed at once',
    lasting: ['once', 'for_good'],
    async prepare() {
      const { id } = await world.listing();
      const buyer = await world.newAgent();
      await world.saveCard(buyer, 'disputed');
      await world.cards.takeWebhooks();
      return { listingId: id, buyer, key: crypto.randomUUID() };
    },
    act: ({ listingId, buyer, key }) =>
      world.buy(listingId, buyer, { idempotencyKey: key, body: { payment_method: 'card' } }),
    async comeBack() {
      await hear();
      for (const { disputeId, status } of world.cards.disputes)
        if (status === 'open') world.cards.closeDispute(disputeId, 'lost');
      await hear();
    },
    async expectEnd({ listingId }) {
      const [bought] = await world.purchases(listingId);
      const statuses = bought ? bought.status : 'failed';
      expect(statuses).toMatch(/^(refunded|failed|expired)$/);
    },
  });
});
