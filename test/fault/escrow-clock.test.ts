import { refundSale, runEscrowClock } from '@agent-marketplace/core/sales/index.ts';
import type { RegisteredAgent } from '@agent-marketplace/core/testing/fixtures/new-seller.ts';
import { describe, expect } from 'vitest';
import { createFaultWorld, HOLD_MS, METHODS } from './fault-world.ts';
import { breakEverywhere, type Intruder, interruptEverywhere, type Scenario } from './scenarios.ts';

// The clock that sends the sellers their share, cut off at every step, and overlapping itself, a dispute, a
// refund and a decision at every step of both.

const world = await createFaultWorld();
interface Held {
  readonly purchaseId: string;
  readonly buyer: RegisteredAgent;
  readonly key: string;
}

const runClock = () => runEscrowClock(world.market.newPorts()).catch(() => {});

/** A sale whose time in escrow is over by now. */
async function due(method: string): Promise<Held> {
  const sale = await world.newSale(method);
  world.market.clock.advance(HOLD_MS);
  return { ...sale, key: crypto.randomUUID() };
}

async function isDisputed({ purchaseId }: Held): Promise<boolean> {
  const rows = await world.rows(
    'SELECT 1 FROM disputes WHERE purchase_id = ? AND decision IS NULL',
    purchaseId,
  );
  return rows.length > 0;
}

const transfersOf = ({ purchaseId }: Held) =>
  world.cards.transfers.filter((transfer) => transfer.purchaseId === purchaseId).length;

/** Disputed: where it was, however long the clock runs. Else with the seller, by one transfer. */
async function expectHeldOrReleased(sale: Held): Promise<void> {
  if (!(await isDisputed(sale))) {
    expect([await world.statusOf(sale.purchaseId), transfersOf(sale)]).toEqual(['released', 1]);
    return;
  }
  world.market.clock.advance(10 * HOLD_MS);
  await world.everyMinute();
  expect([await world.statusOf(sale.purchaseId), transfersOf(sale)]).toEqual(['held', 0]);
}

const releasing = (method: string): Scenario<Held> => ({
  name: `the escrow clock releases what was paid by ${method}`,
  prepare: () => due(method),
  act: runClock,
  expectEnd: expectHeldOrReleased,
});

const disputing: Scenario<Held> = {
  name: 'a dispute is opened',
  prepare: () => due('card'),
  act: ({ purchaseId, buyer, key }) => world.dispute(purchaseId, buyer, { 'idempotency-key': key }),
  expectEnd: expectHeldOrReleased,
};

const theClock: Intruder<Held> = { name: 'the clock runs', come: runClock };
const aDispute: Intruder<Held> = {
  name: 'the buyer opens a dispute',
  isLeftOpen: true,
  async come({ purchaseId, buyer }) {
    const { status, body } = await world.dispute(purchaseId, buyer);
    expect(status === 200 ? 'open' : body.code).toMatch(/^(open|not_in_escrow)$/);
  },
};

describe('The escrow clock overlapping itself: at most one transfer', async () => {
  for (const method of METHODS) {
    await breakEverywhere(world, releasing(method));
    await interruptEverywhere(world, releasing(method), theClock);
  }
});

describe('The escrow clock overlapping a dispute: at most one transfer, none while disputed', async () => {
  for (const method of METHODS) await interruptEverywhere(world, releasing(method), aDispute);
  await interruptEverywhere(world, disputing, theClock);
  await breakEverywhere(world, {
    ...disputing,
    comeBack: async ({ purchaseId, buyer, key }) => {
      const ask = () => world.dispute(purchaseId, buyer, { 'idempotency-key': key });
      const answer = await ask();
      if (answer.status !== 200) await world.untilAnswered(ask);
    },
  });
});

describe('The escrow clock overlapping a refund: the money goes one way', async () => {
  const oneWay = async (sale: Held) => {
    const status = await world.statusOf(sale.purchaseId);
    expect(status).toMatch(/^(released|refunded)$/);
    expect(transfersOf(sale)).toBe(status === 'released' ? 1 : 0);
  };
  const refund = ({ purchaseId }: Held) =>
    refundSale(world.market.newPorts(), purchaseId, 'test').catch(() => {});
  for (const method of METHODS) {
    await interruptEverywhere(
      world,
      { ...releasing(method), expectEnd: oneWay },
      { name: 'the operator refunds it', come: refund },
    );
    const refunding: Scenario<Held> = { ...releasing(method), name: `a refund to a ${method}`, act: refund };
    await interruptEverywhere(world, { ...refunding, expectEnd: oneWay }, theClock);
  }
});

describe('The escrow clock overlapping a decision: the money goes where it was decided', async () => {
  for (const decision of ['refund', 'release'] as const) {
    const deciding: Scenario<Held> = {
      name: `a dispute over a card payment is decided: ${decision}`,
      async prepare() {
        const sale = await due('card');
        await world.dispute(sale.purchaseId, sale.buyer);
        return sale;
      },
      act: ({ purchaseId }) => world.decide(purchaseId, decision),
      async expectEnd(sale) {
        const isDecided = !(await isDisputed(sale));
        const ends = decision === 'refund' ? ['refunded', 0] : ['released', 1];
        expect([await world.statusOf(sale.purchaseId), transfersOf(sale)]).toEqual(
          isDecided ? ends : ['held', 0],
        );
      },
    };
    await interruptEverywhere(world, deciding, theClock);
  }
});

describe('A physical order stays in escrow until it is shipped, and then for its time', async () => {
  interface Order extends Held {
    readonly ship: () => ReturnType<typeof world.request>;
  }
  const shipping: Scenario<Order> = {
    name: 'the shipment of an order',
    async prepare() {
      const sale = { ...(await world.newSale('card', { fulfilment: 'physical' })), key: crypto.randomUUID() };
      const path = `/sell/orders/${sale.purchaseId}/shipment`;
      const body = { carrier: 'Post', trackingNumber: 'X1' };
      const headers = { 'idempotency-key': sale.key };
      world.market.clock.advance(10 * HOLD_MS);
      await world.everyMinute();
      expect(await world.statusOf(sale.purchaseId)).toBe('held');
      return {
        ...sale,
        ship: () => world.request('POST', path, world.seller.apiKey, body, headers),
      };
    },
    act: ({ ship }) => ship(),
    async comeBack({ purchaseId, ship }) {
      expect((await world.untilAnswered(ship)).body).toMatchObject({ purchaseId });
      await world.everyMinute();
      expect(await world.statusOf(purchaseId)).toBe('held');
    },
    expectEnd: expectHeldOrReleased,
  };
  await breakEverywhere(world, shipping);
  await interruptEverywhere(world, shipping, aDispute);
});
