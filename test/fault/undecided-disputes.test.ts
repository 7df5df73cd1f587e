import { runEscrowClock } from '@agent-marketplace/core/sales/index.ts';
import type { RegisteredAgent } from '@agent-marketplace/core/testing/fixtures/new-seller.ts';
import { describe, expect } from 'vitest';
import { createFaultWorld, METHODS } from './fault-world.ts';
import { breakEverywhere, type Intruder, interruptEverywhere, type Scenario } from './scenarios.ts';

// The rule that ends disputes which nobody decided, cut off at every step, and overlapping itself, the operator and the
// seller at every step of both.

const world = await createFaultWorld();
const DAY_MS = 24 * 3600_000;

interface Disputed {
  readonly purchaseId: string;
  readonly buyer: RegisteredAgent;
}

const runClock = () => runEscrowClock(world.market.newPorts()).catch(() => {});
const theClock: Intruder<Disputed> = { name: 'the clock runs', come: runClock };
const transfersOf = ({ purchaseId }: Disputed) =>
  world.cards.transfers.filter((transfer) => transfer.purchaseId === purchaseId).length;

describe('A dispute that nobody decides ends once, by the rule', async () => {
  /** `fulfilment` decides how: what was delivered conforms, what was not shipped does not. */
  const undecided = (method: string, fulfilment: 'digital' | 'physical'): Scenario<Disputed> => ({
    name: `the rule ends a dispute over ${fulfilment} goods paid by ${method}`,
    async prepare() {
      const sale = await world.newSale(method, { fulfilment });
      await world.dispute(sale.purchaseId, sale.buyer);
      world.market.clock.advance(14 * DAY_MS);
      return sale;
    },
    act: runClock,
    async expectEnd(sale) {
      const ends = fulfilment === 'digital' ? ['released', 1] : ['refunded', 0];
      expect([await world.statusOf(sale.purchaseId), transfersOf(sale)]).toEqual(ends);
      for (const [agent, type] of [
        [sale.buyer.id, 'purchase.dispute_decided'],
        [world.seller.id, 'sale.dispute_decided'],
      ] as const) {
        const events = await world.rows(
          "SELECT 1 FROM agent_events WHERE agent_id = ? AND type = ? AND data ->> '$.purchaseId' = ?",
          agent,
          type,
          sale.purchaseId,
        );
        expect(events).toHaveLength(1);
      }
    },
  });
  /** However two decide at once, one of them did, and the money went one way. */
  const oneWay = async (sale: Disputed) => {
    const status = await world.statusOf(sale.purchaseId);
    expect([status, transfersOf(sale)]).toEqual(status === 'released' ? ['released', 1] : ['refunded', 0]);
  };
  for (const method of METHODS) {
    for (const fulfilment of ['digital', 'physical'] as const) {
      const scenario = undecided(method, fulfilment);
      await breakEverywhere(world, scenario);
      await interruptEverywhere(world, scenario, theClock);
    }
  }
  await interruptEverywhere(
    world,
    { ...undecided('card', 'digital'), expectEnd: oneWay },
    {
      name: 'the operator decides for the buyer',
      async come({ purchaseId }) {
        const { status, body } = await world.decide(purchaseId, 'refund');
        expect(status === 200 ? 'decided' : body.code).toMatch(/^(decided|dispute_decided)$/);
      },
    },
  );
  await interruptEverywhere(
    world,
    { ...undecided('wallet', 'physical'), expectEnd: oneWay },
    {
      name: 'the seller ships it',
      async come({ purchaseId }) {
        const path = `/sell/orders/${purchaseId}/shipment`;
        const body = { carrier: 'Post', trackingNumber: 'X1' };
        const answer = await world.request('POST', path, world.seller.apiKey, body);
        expect(answer.status === 200 ? 'shipped' : answer.body.code).toMatch(/^(shipped|not_to_be_shipped)$/);
      },
    },
  );
});
