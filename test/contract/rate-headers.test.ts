import { takesApiKey } from '@agent-marketplace/core/kernel/operation/find-caller.ts';
import { type AnyOperation, isPublicRead } from '@agent-marketplace/core/kernel/operation/operation.ts';
import { apiOperations } from '@agent-marketplace/core/operations/api.ts';
import { mcpOperations } from '@agent-marketplace/core/operations/mcp.ts';
import { createMcpFace } from '@agent-marketplace/core/testing/marketplace/mcp-face.ts';
import { createTestMarketplace } from '@agent-marketplace/core/testing/marketplace/workers-harness.ts';
import { argumentNames, type ToolOperation } from '@agent-marketplace/core/transport/mcp/names.ts';
import { API_ROOT } from '@agent-marketplace/protocol/brand.ts';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { hasBody, pathFields, type Sent, send } from './requests.ts';
import { goodRequest } from './try-operation.ts';
import { createWorld, type World } from './world.ts';

// Whatever is counted says where its caller stands, also where it is refused; what is not counted says nothing.

/** Longer than any answer is fresh. */
const LONG_MS = 2 * 3_600_000;

let world: World;
let face: ReturnType<typeof createMcpFace>;
beforeAll(async () => {
  world = await createWorld();
  face = createMcpFace(world.market);
});
// What an isolate remembers is sent again without being counted: none of it is fresh.
beforeEach(() => world.market.clock.advance(LONG_MS));

const all = apiOperations.map((operation) => [operation.name, operation] as const);
const reads = all.filter(([, { http, movesMoney }]) => http.method === 'get' && !movesMoney);
const withKey = all.filter(([, operation]) => takesApiKey(operation));

function remaining(headers: Headers, policy: string): number {
  expect(headers.get('ratelimit-policy')).toMatch(new RegExp(`^"${policy}";q=\\d+;w=\\d+$`));
  const [, left, seconds] =
    new RegExp(`^"${policy}";r=(\\d+);t=(\\d+)$`).exec(headers.get('ratelimit') ?? '') ?? [];
  expect(Number(seconds)).toBeGreaterThan(0);
  return Number(left);
}

function expectUncounted(headers: Headers): void {
  expect([headers.get('ratelimit'), headers.get('ratelimit-policy')]).toEqual([null, null]);
}

const sendTo = (operation: AnyOperation, sent: Sent) => send(world.market, operation, sent);

describe('over REST', () => {
  it.each(all)('%s: an answer counts one, and so does a refusal', async (_, operation) => {
    const good = await goodRequest(world, operation);
    const before = remaining((await sendTo(operation, good)).headers, operation.rate);
    const refused = await sendTo(operation, { ...good, extra: { not_a_field: 'x' } });
    expect(refused.status).toBe(isPublicRead(operation) ? operation.http.status : 400);
    expect(remaining(refused.headers, operation.rate)).toBe(before - 1);
  });

  it.each(all.filter(([, operation]) => hasBody(operation)))(
    '%s: what cannot be read',
    async (_, operation) => {
      const { headers = {} } = await goodRequest(world, operation);
      const path = operation.http.path.replaceAll(/\{\w+\}/g, 'x');
      const response = await world.market.request(operation.http.method.toUpperCase(), path, {
        body: '{"',
        headers: { 'content-type': 'application/json', ...headers },
      });
      expect(response.status).toBe(400);
      remaining(response.headers, operation.rate);
    },
  );

  it.each(all.filter(([, operation]) => pathFields(operation).length > 0))(
    '%s: 404',
    async (_, operation) => {
      const good = await goodRequest(world, operation);
      const unknown = pathFields(operation).map((field) => [field, '00000000-0000-4000-8000-00000000abcd']);
      const input = { ...good.input, ...Object.fromEntries(unknown) };
      const response = await sendTo(operation, { ...good, input });
      expect(response.status).toBe(404);
      remaining(response.headers, operation.rate);
    },
  );

  it.each(reads)('%s: 304 and HEAD', async (_, operation) => {
    const good = await goodRequest(world, operation);
    const first = await sendTo(operation, good);
    const headers = { ...good.headers, 'if-none-match': first.headers.get('etag') ?? '' };
    world.market.clock.advance(LONG_MS);
    const unchanged = await sendTo(operation, { ...good, headers });
    // What tells the time is never the same.
    expect(unchanged.status).toBeOneOf([200, 304]);
    remaining(unchanged.headers, operation.rate);
    remaining((await sendTo(operation, { ...good, method: 'head' })).headers, operation.rate);
  });

  it.each(withKey)(
    '%s: an unknown key counts against its address, whichever key it is',
    async (_, operation) => {
      const good = await goodRequest(world, operation);
      const left = [];
      for (const last of ['a', 'b']) {
        const response = await sendTo(operation, { ...good, apiKey: `mkt_live_${'x'.repeat(42)}${last}` });
        expect(response.status).toBe(isPublicRead(operation) ? 200 : 401);
        left.push(remaining(response.headers, 'write'));
      }
      expect(left[1]).toBe((left[0] ?? 0) - 1);
    },
  );

  it.each(all)('%s: preflights and other methods are not counted', async (_, operation) => {
    const path = operation.http.path.replaceAll(/\{\w+\}/g, 'x');
    expectUncounted((await world.market.request('OPTIONS', path)).headers);
    const wrong = await world.market.request('PUT', path);
    expect(wrong.status).toBe(405);
    expectUncounted(wrong.headers);
  });

  it('unknown paths and documents are not counted', async () => {
    for (const path of ['/nothing/here', '/openapi.json', '/llms.txt', '/problems/rate_limited']) {
      expectUncounted((await world.market.request('GET', path)).headers);
    }
  });

  it('what an isolate remembers is not counted while it is fresh, and is while it stands in', async () => {
    // A marketplace of its own: a change that an earlier test has under way makes everybody forget.
    const market = createTestMarketplace();
    const ask = () => market.request('GET', '/verticals');
    const first = await ask();
    expect(first.status).toBe(200);
    remaining(first.headers, 'read');
    expectUncounted((await ask()).headers);
    market.clock.advance(LONG_MS);
    market.search.fault = () => 'lose_request';
    market.market.fault = () => 'lose_request';
    const standIn = await ask();
    market.search.fault = () => undefined;
    market.market.fault = () => undefined;
    expect([standIn.status, await standIn.text()]).toEqual([200, await first.text()]);
    remaining(standIn.headers, 'read');
    expect(standIn.headers.get('x-request-id')).not.toBeNull();
  });
});

describe('over MCP', () => {
  // What counts here is an isolate's own counter, by its own clock: a minute must not end between two calls.
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
  afterEach(() => void vi.useRealTimers());

  const tools = (mcpOperations as readonly ToolOperation[]).map(
    (operation) => [operation.mcp.tool, operation] as const,
  );
  const message = (method: string, params: object = {}) => ({ jsonrpc: '2.0', id: 1, method, params });

  it.each(tools)('%s: a call, and a refused one', async (tool, operation) => {
    const { input, apiKey } = await goodRequest(world, operation);
    const { toWire } = argumentNames(operation);
    const args = Object.fromEntries(Object.entries(input).map(([field, value]) => [toWire(field), value]));
    const sent = { ...args, ...(apiKey === undefined ? {} : { api_key: apiKey }) };
    const call = (given: object) => face.post(message('tools/call', { name: tool, arguments: given }));
    const before = remaining((await call(sent)).headers, operation.rate);
    const refused = await call({ ...sent, not_a_field: 'x' });
    expect(remaining(refused.headers, operation.rate)).toBe(before - 1);
  });

  it.each([
    ['a list', message('tools/list')],
    [
      'a handshake',
      message('initialize', {
        protocolVersion: '2025-06-18',
        capabilities: {},
        clientInfo: { name: 'x', version: '1' },
      }),
    ],
    ['a notification', { jsonrpc: '2.0', method: 'notifications/initialized' }],
    ['a method that is not there', message('no/such')],
    ['a resource', message('resources/read', { uri: `http://localhost${API_ROOT}/verticals` })],
    ['what is no message', { hello: 1 }],
    ['what is no JSON', '{"'],
  ])('%s', async (_, body) => {
    remaining((await face.post(body)).headers, 'read');
  });

  it('the manifest and preflights are not counted', async () => {
    for (const method of ['GET', 'OPTIONS']) {
      expectUncounted((await face.request({ method })).headers);
    }
  });
});
