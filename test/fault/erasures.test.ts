import { carryOutErasures } from '@agent-marketplace/core/privacy/index.ts';
import type { RegisteredAgent } from '@agent-marketplace/core/testing/fixtures/new-seller.ts';
import { sweepTopUps } from '@agent-marketplace/core/wallet/index.ts';
import { describe, expect } from 'vitest';
import { createFaultWorld } from './fault-world.ts';
import { breakEverywhere, interruptEverywhere, type Scenario } from './scenarios.ts';

// Who leaves has the money of the wallet back on the cards that paid for it, cut off at every step: never both refunded
// and spendable.

const world = await createFaultWorld();
const DAY_MS = 24 * 3600_000;
const PAID = [2000, 3000];

const run = () => carryOutErasures(world.market.newPorts()).catch(() => {});
const cancel = ({ apiKey }: RegisteredAgent) =>
  world.request('POST', '/account-erasures/cancel', apiKey, {}).catch(() => {});

async function leaving(): Promise<RegisteredAgent> {
  const agent = await world.newAgent();
  for (const cents of PAID) await world.fund(agent, cents);
  const { status } = await world.request('DELETE', '/agents/me', agent.apiKey);
  expect(status).toBe(202);
  world.market.clock.advance(7 * DAY_MS);
  return agent;
}

async function refundedOf({ id }: RegisteredAgent): Promise<number> {
  const rows = await world.rows<{ payment: string }>(
    'SELECT payment_id AS payment FROM wallet_top_ups WHERE agent_id = ?',
    id,
  );
  const payments = await Promise.all(rows.map(({ payment }) => world.cards.getPayment(payment)));
  return payments.reduce((sum, { refundedCents }) => sum + refundedCents, 0);
}

const spendable = async ({ id }: RegisteredAgent): Promise<number> =>
  (
    await world.rows<{ cents: number }>(
      "SELECT balance_cents AS cents FROM ledger_accounts WHERE account = 'wallet:' || ?",
      id,
    )
  )[0]?.cents ?? 0;

const isErased = async ({ id }: RegisteredAgent): Promise<boolean> =>
  (await world.rows('SELECT 1 FROM agents WHERE id = ? AND erased_at IS NOT NULL', id)).length === 1;

describe('A balance goes back to its cards once, and the account is erased after that', async () => {
  const erasure: Scenario<RegisteredAgent> = {
    name: 'an erasure is carried out',
    prepare: leaving,
    act: run,
    async expectEnd(agent) {
      expect([await refundedOf(agent), await spendable(agent), await isErased(agent)]).toEqual([
        5000,
        0,
        true,
      ]);
      await world.hearCardProcessor();
      expect(await world.rows('SELECT 1 FROM chargebacks WHERE agent_id = ?', agent.id)).toEqual([]);
    },
  };
  await breakEverywhere(world, erasure);
  await interruptEverywhere(world, erasure, {
    name: 'the jobs and the reports of the processor come',
    async come() {
      await run();
      await sweepTopUps(world.market.newPorts()).catch(() => {});
      await world.hearCardProcessor();
    },
  });
  await interruptEverywhere(
    world,
    {
      ...erasure,
      name: 'an erasure that is cancelled at the last moment',
      // Before the refunds were decided nothing goes back; after that, all does.
      async expectEnd(agent) {
        const [refunded, left, erased] = [
          await refundedOf(agent),
          await spendable(agent),
          await isErased(agent),
        ];
        expect([0, 5000]).toContain(refunded);
        expect([left, erased && refunded === 0]).toEqual([5000 - refunded, false]);
      },
    },
    { name: 'its owner cancels it', come: cancel },
  );
});
