import type { AnyOperation } from '@agent-marketplace/core/kernel/operation/operation.ts';
import { apiOperations } from '@agent-marketplace/core/operations/api.ts';
import type { D1Fault } from '@agent-marketplace/core/testing/doubles/observed-d1.ts';
import { testBindings } from '@agent-marketplace/core/testing/marketplace/workers-bindings.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Sent } from '../contract/requests.ts';
import { goodRequest, type Tried, tryOperation } from '../contract/try-operation.ts';
import { createWorld, type World } from '../contract/world.ts';

// Whichever round trip of an operation loses its connection, before or after the
// database did its work, the caller is told so, and the same request sent again has one effect in all.

let world: World;
beforeAll(async () => {
  world = await createWorld();
});

const named = (operations: readonly AnyOperation[]) => operations.map((one) => [one.name, one] as const);
const changing = named(apiOperations.filter(({ replay }) => replay !== undefined));
const others = named(apiOperations.filter(({ replay }) => replay === undefined));

/** Rows per table of the market database; what is only a note of work to do is left out. */
async function rowCounts(): Promise<Map<string, number>> {
  const { results } = await testBindings.DB.prepare(
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT GLOB '_cf_*' AND name NOT GLOB 'sqlite_*'",
  ).all<{ name: string }>();
  const tables = results.map(({ name }) => name).filter((name) => !NOTES.has(name));
  const counted = await testBindings.DB.batch<{ n: number }>(
    tables.map((name) => testBindings.DB.prepare(`SELECT count(*) AS n FROM "${name}"`)),
  );
  return new Map(tables.map((name, index) => [name, counted[index]?.results[0]?.n ?? 0]));
}

const NOTES = new Set(['idempotency_keys', 'search_outbox']);

/**
 * Rows that may be missing in the end, because they are no effect yet: the account at the card processor, which
 * the seller's next visit to the payout page makes. The answer cannot wait for it: it holds the key, shown once.
 */
const NOT_YET_AN_EFFECT: Readonly<Record<string, string>> = {
  registerSeller: 'payout_accounts',
  // A retry asks the seller of the same purchase again, which is counted.
  purchaseListing: 'answers',
};

async function rowsAdded(work: () => Promise<void>): Promise<Record<string, number>> {
  const before = await rowCounts();
  await work();
  await world.market.background.settled();
  const after = await rowCounts();
  const added = [...after].map(([table, n]) => [table, n - (before.get(table) ?? 0)] as const);
  return Object.fromEntries(added.filter(([, n]) => n !== 0));
}

/** Breaks one round trip to the market database, counted from 1. Gives whether it came to that. */
async function withFault(fault: D1Fault, at: number, work: () => Promise<void>): Promise<boolean> {
  const { market } = world.market;
  let count = 0;
  market.fault = () => {
    count += 1;
    return count === at ? fault : undefined;
  };
  await work();
  await world.market.background.settled();
  market.fault = () => undefined;
  return count >= at;
}

/** Sends again as a client would: after a while, if the first try may still be under way. */
async function retry(operation: AnyOperation, sent: Sent): Promise<Tried> {
  const tried = await tryOperation(world, operation, sent);
  if (tried.code !== 'idempotency_in_flight') return tried;
  world.market.clock.advance(61_000);
  return tryOperation(world, operation, sent);
}

let uses = 0;
async function keyedRequest(operation: AnyOperation): Promise<Sent> {
  uses += 1;
  const good = await goodRequest(world, operation);
  return { ...good, headers: { ...good.headers, 'idempotency-key': `fault-${uses}` } };
}

describe.each(['lose_request', 'lose_reply'] as const)('%s', (fault) => {
  it.each(changing)('%s: a retry makes it one effect', async (_, operation) => {
    // The first time may make what later times only count in: totals, the parties of sales.
    await tryOperation(world, operation, await keyedRequest(operation));
    const plain = await keyedRequest(operation);
    const expected = await rowsAdded(async () => {
      expect((await tryOperation(world, operation, plain)).status).toBe(operation.http.status);
    });
    for (let at = 1; ; at += 1) {
      const sent = await keyedRequest(operation);
      let wasBroken = false;
      let isDone = false;
      const added = await rowsAdded(async () => {
        wasBroken = await withFault(fault, at, async () => {
          const { status, text } = await tryOperation(world, operation, sent);
          expect([503, operation.http.status], text).toContain(status);
          isDone = status !== 503;
        });
        if (isDone) return;
        const again = await retry(operation, sent);
        if (again.code !== 'idempotency_not_replayable') {
          expect(again.status, `round trip ${at}: ${again.text}`).toBe(operation.http.status);
        }
      });
      for (const rows of [added, expected]) delete rows[NOT_YET_AN_EFFECT[operation.name] ?? ''];
      expect(added, `round trip ${at}`).toEqual(expected);
      if (!wasBroken) break;
    }
  });

  it.each(others)('%s: is answered from what is known, or 503', async (_, operation) => {
    for (let at = 1; ; at += 1) {
      const sent = await goodRequest(world, operation);
      const wasBroken = await withFault(fault, at, async () => {
        const { status, text, headers } = await tryOperation(world, operation, sent);
        expect([503, operation.http.status], text).toContain(status);
        if (status === 503) expect(headers.get('retry-after')).toMatch(/^\d+$/);
      });
      if (!wasBroken) break;
    }
  });
});
