import { refundSale } from '@agent-marketplace/core/sales/index.ts';
import type { RegisteredAgent } from '@agent-marketplace/core/testing/fixtures/new-seller.ts';
import { describe, expect } from 'vitest';
import { createFaultWorld, HOLD_MS, METHODS, PRICE } from './fault-world.ts';
import { breakEverywhere, type Intruder, interruptEverywhere, type Scenario } from './scenarios.ts';

// What gives a buyer its money back out of escrow, or decides that it does not, is cut off at every step.

const world = await createFaultWorld();
interface Held {
  readonly purchaseId: string;
  readonly buyer: RegisteredAgent;
  readonly key: string;
}

async function held(method: string): Promise<Held> {
  return { ...(await world.newSale(method)), key: crypto.randomUUID() };
}

async function disputed(method: string): Promise<Held> {
  const sale = await held(method);
  await world.dispute(sale.purchaseId, sale.buyer);
  return sale;
}

const refund = ({ purchaseId }: Held) =>
  refundSale(world.market.newPorts(), purchaseId, 'test').catch(() => {});

async function expectRefundedOnce({ purchaseId, buyer }: Held, method: string): Promise<void> {
  const told = (await world.events(buyer.id)).filter(({ type }) => type === 'purchase.refunded');
  expect([await world.statusOf(purchaseId), told.length]).toEqual(['refunded', 1]);
  if (method === 'wallet') expect(await world.balanceOf(buyer)).toBe(PRICE);
}

const decide = ({ purchaseId, key }: Held, decision: 'refund' | 'release') =>
  world.decide(purchaseId, decision, { 'idempotency-key': key });

describe('Transfer, fee and refund never exceed what was captured: a refund is made once', async () => {
  for (const method of METHODS) {
    const refunding: Scenario<Held> = {
      name: `a refund to a ${method}`,
      prepare: () => held(method),
      act: refund,
      comeBack: refund,
      expectEnd: (sale) => expectRefundedOnce(sale, method),
    };
    await breakEverywhere(world, refunding);
    const another: Intruder<Held> = { name: 'somebody else refunds it', come: refund };
    await interruptEverywhere(world, refunding, another);
  }
});

describe('Transfer, fee and refund never exceed what was captured: a dispute is decided one way', async () => {
  for (const method of METHODS) {
    for (const decision of ['refund', 'release'] as const) {
      const deciding: Scenario<Held> = {
        name: `a dispute over a payment by ${method} is decided: ${decision}`,
        prepare: () => disputed(method),
        act: (sale) => decide(sale, decision),
        async comeBack(sale) {
          const { status } = await world.untilAnswered(() => decide(sale, decision));
          expect(status).toBe(200);
        },
        async expectEnd(sale) {
          if (decision === 'refund') await expectRefundedOnce(sale, method);
          else expect(await world.statusOf(sale.purchaseId)).toBe('released');
        },
      };
      await breakEverywhere(world, deciding);
    }
  }
  const decidedAtOnce: Scenario<Held> = {
    name: 'a dispute is decided for the buyer',
    prepare: () => disputed('card'),
    act: (sale) => decide(sale, 'refund'),
    expectEnd: async ({ purchaseId }) =>
      expect(await world.statusOf(purchaseId)).toMatch(/^(refunded|released)$/),
  };
  await interruptEverywhere(world, decidedAtOnce, {
    name: 'somebody decides for the seller',
    async come({ purchaseId }) {
      const { status, body } = await world.decide(purchaseId, 'release');
      expect(status === 200 ? 'decided' : body.code).toMatch(/^(decided|dispute_decided)$/);
    },
  });
});

describe('A dispute is opened once, and stops the clock', async () => {
  for (const method of METHODS) {
    await breakEverywhere<Held>(world, {
      name: `a dispute over a payment by ${method}`,
      prepare: () => held(method),
      act: ({ purchaseId, buyer, key }) => world.dispute(purchaseId, buyer, { 'idempotency-key': key }),
      async comeBack({ purchaseId, buyer, key }) {
        const headers = { 'idempotency-key': key };
        const answer = await world.untilAnswered(() => world.dispute(purchaseId, buyer, headers));
        expect(answer.status, JSON.stringify(answer.body)).toBe(200);
        expect((await world.dispute(purchaseId, buyer)).body.code).toBe('dispute_open');
      },
      async expectEnd({ purchaseId }) {
        world.market.clock.advance(20 * HOLD_MS);
        await world.everyMinute();
        expect(await world.statusOf(purchaseId)).toBe('held');
      },
    });
  }
});
