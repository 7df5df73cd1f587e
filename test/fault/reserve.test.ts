import { runEscrowClock } from '@agent-marketplace/core/sales/index.ts';
import { expect } from 'vitest';
import { createFaultWorld, HOLD_MS, METHODS, PRICE } from './fault-world.ts';
import { breakEverywhere, interruptEverywhere } from './scenarios.ts';

// What does not fit under the limit of a seller is kept, and paid once when its reserve ends, wherever the clock is cut
// off and whoever comes in between.

const world = await createFaultWorld({ reserveLimitCents: 0 });
const DAY_MS = 86_400_000;
const runClock = () => runEscrowClock(world.market.newPorts()).catch(() => {});

interface Kept {
  readonly purchaseId: string;
  readonly soldAt: number;
}

async function due(method: string): Promise<Kept> {
  // The seller of all these sales is new each time: its limit does not grow.
  await world.market.newPorts().market.commit([{ sql: 'DELETE FROM payout_totals', params: [] }]);
  const { purchaseId } = await world.newSale(method);
  const soldAt = world.market.clock.now();
  world.market.clock.advance(2 * HOLD_MS);
  return { purchaseId, soldAt };
}

const sentFor = (purchaseId: string) =>
  world.cards.transfers
    .filter((transfer) => transfer.purchaseId === purchaseId)
    .map((one) => one.amountCents);

/** Paid once, all of its share, and not before its time. */
async function expectEnd({ purchaseId, soldAt }: Kept): Promise<void> {
  expect([await world.statusOf(purchaseId), sentFor(purchaseId)]).toEqual(['released', [PRICE * 0.95]]);
  const [row] = await world.rows<{ releasing_since: string }>(
    'SELECT releasing_since FROM transfers WHERE purchase_id = ?',
    purchaseId,
  );
  expect(Date.parse(row?.releasing_since ?? '') - soldAt).toBeGreaterThanOrEqual(60 * DAY_MS);
}

for (const method of METHODS) {
  const keeping = {
    name: `the clock keeps what was paid by ${method}`,
    prepare: () => due(method),
    act: runClock,
    expectEnd,
  };
  await breakEverywhere(world, keeping);
  await interruptEverywhere(world, keeping, { name: 'the clock runs', come: runClock });
}
