import { isPublicRead } from '@agent-marketplace/core/kernel/operation/operation.ts';
import { DAY_MS } from '@agent-marketplace/core/kernel/time.ts';
import { mcpOperations } from '@agent-marketplace/core/operations/mcp.ts';
import { createMcpFace } from '@agent-marketplace/core/testing/marketplace/mcp-face.ts';
import { testBindings } from '@agent-marketplace/core/testing/marketplace/workers-bindings.ts';
import { argumentNames, type ToolOperation } from '@agent-marketplace/core/transport/mcp/names.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { send } from '../contract/requests.ts';
import { goodRequest } from '../contract/try-operation.ts';
import { createWorld, type World } from '../contract/world.ts';

// What one request without a key costs over MCP: the limits of REST hold nothing if a tool gets round them.

let world: World;
let face: ReturnType<typeof createMcpFace>;
beforeAll(async () => {
  world = await createWorld();
  face = createMcpFace(world.market);
});

const tools = (mcpOperations as readonly ToolOperation[])
  .filter(({ auth }) => auth === 'none' || auth === 'optional')
  .map((operation) => [operation.mcp.tool, operation] as const);

async function changes(): Promise<number> {
  const databases = [testBindings.DB, testBindings.SEARCH];
  const sums = await Promise.all(
    databases.map((db) => db.prepare('SELECT total_changes() AS n').first<number>('n')),
  );
  return sums.reduce<number>((sum, n) => sum + Number(n), 0);
}

/** What a request leaves the Worker for. No answer of an earlier one is in memory, and no quota is spent. */
async function costOf(ask: () => Promise<unknown>) {
  const { market } = world;
  market.clock.advance(DAY_MS);
  await market.background.settled();
  market.market.reset();
  market.search.reset();
  const [before, asked] = [await changes(), market.sellerEndpoint.requests.length];
  await ask();
  await market.background.settled();
  const sql = [...market.market.roundTrips, ...market.search.roundTrips].flat();
  return {
    statements: sql.filter((one) => !one.includes('total_changes')).length,
    rowsWritten: (await changes()) - before,
    sellerCalls: market.sellerEndpoint.requests.length - asked,
  };
}

const NOTHING = { statements: 0, rowsWritten: 0, sellerCalls: 0 };

describe('a tool without a key', () => {
  it('is one of several, and not every tool', () => {
    expect(tools.length).toBeGreaterThan(10);
    expect(tools.length).toBeLessThan(mcpOperations.length);
  });

  it.each(tools)('%s costs no more than its operation over REST', async (tool, operation) => {
    const keyless = async () => {
      const { apiKey: _, ...sent } = await goodRequest(world, operation);
      return sent;
    };
    const call = async ({ input }: { readonly input: Record<string, unknown> }) => {
      const { toWire } = argumentNames(operation);
      return face.callTool(
        tool,
        Object.fromEntries(Object.entries(input).map(([field, value]) => [toWire(field), value])),
      );
    };
    // The first of a day and of a host writes more or less than those that follow.
    for (const warm of [send(world.market, operation, await keyless()), call(await keyless())]) await warm;
    const [one, other] = [await keyless(), await keyless()];
    const rest = await costOf(() => send(world.market, operation, one));
    const overMcp = await costOf(() => call(other));
    for (const part of ['statements', 'rowsWritten', 'sellerCalls'] as const) {
      expect(overMcp[part], part).toBeLessThanOrEqual(rest[part]);
    }
    if (operation.http.method === 'get' && isPublicRead(operation)) expect(overMcp.rowsWritten).toBe(0);
  });
});

describe('what MCP has besides', () => {
  it.each(['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list', 'ping', 'no/method'])(
    '%s asks no database and no seller',
    async (method) => {
      expect(await costOf(() => face.rpc(method))).toEqual(NOTHING);
    },
  );

  it('neither does the manifest, nor any of the prompts', async () => {
    expect(await costOf(() => face.request({}))).toEqual(NOTHING);
    const { prompts } = await face.ask<{ prompts: { name: string; arguments?: { name: string }[] }[] }>(
      'prompts/list',
    );
    expect(prompts.length).toBeGreaterThan(0);
    for (const { name, arguments: named = [] } of prompts) {
      const filled = Object.fromEntries(named.map((argument) => [argument.name, 'tides']));
      expect(await costOf(() => face.rpc('prompts/get', { name, arguments: filled })), name).toEqual(NOTHING);
    }
  });

  it('a resource costs what the public operation costs that it shows', async () => {
    const { resources } = await face.ask<{ resources: { uri: string }[] }>('resources/list');
    expect(resources.length).toBeGreaterThan(0);
    for (const { uri } of resources) {
      const overMcp = await costOf(() => face.ask('resources/read', { uri }));
      const path = new URL(uri).pathname.replace(/^\/api/, '');
      const rest = await costOf(() => world.market.request('GET', path));
      expect(overMcp.statements, uri).toBeLessThanOrEqual(rest.statements);
      expect([overMcp.rowsWritten, overMcp.sellerCalls], uri).toEqual([0, 0]);
    }
  });

  it('a message of many calls is refused, and asks nobody', async () => {
    const calls = Array.from({ length: 50 }, (_, id) => ({
      jsonrpc: '2.0',
      id,
      method: 'tools/call',
      params: { name: 'browse_listings', arguments: {} },
    }));
    expect(await costOf(() => face.post(calls))).toEqual(NOTHING);
  });
});
