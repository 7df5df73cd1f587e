import type { AnyOperation } from '@agent-marketplace/core/kernel/operation/operation.ts';
import { DAY_MS } from '@agent-marketplace/core/kernel/time.ts';
import { x402Operations } from '@agent-marketplace/core/operations/x402.ts';
import { beforeAll, expect, it } from 'vitest';
import security from '../../docs/security.md?raw';
import { send } from '../contract/requests.ts';
import { createWorld, type World } from '../contract/world.ts';
import { anonymous, dearest, documentedRowsRead, grow } from './anonymous-walk.ts';

// What one request without a key makes the databases read at most, as D1 itself counts it, in two markets.

const SIZES = { small: 1000, large: 2000 };

/** What counts all that match, because its totals are exact, or takes the mean of all: "Where it falls short". */
const GROWS = [
  'browseListings',
  'claimEndpoint',
  'getVertical',
  'listAgents',
  'listX402Resources',
  'searchHealthData',
];

let world: World;
let small: Map<string, number>;
let large: Map<string, number>;

/** With what the request leaves to the background. Nothing is answered from memory. */
async function rowsRead(operation: AnyOperation): Promise<number> {
  const { market } = world;
  market.clock.advance(DAY_MS);
  const request = await dearest(world, operation);
  await market.background.settled();
  market.market.reset();
  market.search.reset();
  const { status } = await send(market, operation, request);
  expect(status, operation.name).toBeLessThan(500);
  await market.background.settled();
  return market.market.rowsRead + market.search.rowsRead;
}

async function walk(): Promise<Map<string, number>> {
  const rows = new Map<string, number>();
  for (const operation of anonymous) rows.set(operation.name, await rowsRead(operation));
  return rows;
}

beforeAll(async () => {
  world = await createWorld(x402Operations);
  await grow(world, 0, SIZES.small);
  small = await walk();
  await grow(world, SIZES.small, SIZES.large);
  large = await walk();
});

it('what a request reads grows with the market where totals are exact, and nowhere else', () => {
  const grown = [...large].filter(([name, rows]) => rows > 1.1 * (small.get(name) as number) + 10);
  expect(grown.map(([name]) => name).sort()).toEqual(GROWS);
});

it('docs/security.md has the figures, rounded up', () => {
  const wrong = anonymous.flatMap(({ name, http }) => {
    const rows = large.get(name) as number;
    const documented = documentedRowsRead(security, http);
    // What asks no database has no line.
    const figure = documented === null ? 0 : Number(documented.replace(',', ''));
    return rows <= figure && figure <= 1.2 * rows + 5 ? [] : [`${http.path}: ${documented} for ${rows}`];
  });
  expect(wrong).toEqual([]);
});
