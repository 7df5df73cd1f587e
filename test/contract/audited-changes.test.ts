import type { AnyOperation } from '@agent-marketplace/core/kernel/operation/operation.ts';
import { apiOperations } from '@agent-marketplace/core/operations/api.ts';
import type { D1Fault } from '@agent-marketplace/core/testing/doubles/observed-d1.ts';
import { testBindings } from '@agent-marketplace/core/testing/marketplace/workers-bindings.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Sent, send } from './requests.ts';
import { hasChanged, snapshot } from './snapshot.ts';
import { goodRequest } from './try-operation.ts';
import { createWorld, type World } from './world.ts';

// Invariant 31: every change of an operator is in the audit chain, wherever the request is cut off. Each operation that
// operators change something with is broken at each round trip to the database, before it took effect and after.

const changes = apiOperations.filter(({ auth, replay }) => auth === 'operator' && replay !== undefined);
const AUDIT = ['operator_actions', 'audit_texts', 'log_outbox'];

let world: World;
beforeAll(async () => {
  world = await createWorld();
});

async function entries(): Promise<number> {
  const row = await testBindings.DB.prepare('SELECT COUNT(*) AS n FROM operator_actions').first<{
    n: number;
  }>();
  return row?.n ?? -1;
}

/** Sends it, and breaks its n-th round trip. Says how many there were before its entry was written. */
async function cut(operation: AnyOperation, sent: Sent, at: number, fault: D1Fault): Promise<number> {
  const { market } = world.market;
  let calls = 0;
  let callsToEntry = 0;
  market.fault = (sql) => {
    calls += 1;
    if (callsToEntry === 0 && sql.some((one) => /insert into "operator_actions"/i.test(one)))
      callsToEntry = calls;
    return calls === at ? fault : undefined;
  };
  await send(world.market, operation, sent);
  await world.market.background.settled();
  market.fault = () => undefined;
  return callsToEntry;
}

describe('cut off at every round trip up to its commit, a change and its entry are both there or neither', () => {
  it.each(changes.map((operation) => [operation.name, operation] as const))('%s', async (_, operation) => {
    const points = await cut(operation, await goodRequest(world, operation), 0, undefined);
    expect(points, 'it wrote an entry').toBeGreaterThan(0);
    // An example that says what was said before changes nothing but the chain.
    const again = await goodRequest(world, operation);
    await world.market.background.settled();
    const untouched = await snapshot();
    await cut(operation, again, 0, undefined);
    const isSeen = await hasChanged(untouched, AUDIT);
    for (let at = 1; at <= points; at += 1) {
      for (const fault of ['lose_request', 'lose_reply'] as const) {
        const sent = await goodRequest(world, operation);
        await world.market.background.settled();
        const [before, counted] = [await snapshot(), await entries()];
        await cut(operation, sent, at, fault);
        const isRecorded = (await entries()) > counted;
        const where = `${fault} at ${at} of ${points}`;
        expect(isRecorded, where).toBe(at === points && fault === 'lose_reply');
        expect(await hasChanged(before, AUDIT), where).toBe(isRecorded && isSeen);
      }
    }
  });
});
