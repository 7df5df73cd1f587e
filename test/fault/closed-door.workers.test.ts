import { originOf, runtimeFor } from '@agent-marketplace/core/compose/runtime.ts';
import { readSigned } from '@agent-marketplace/core/testing/marketplace/read-signed.ts';
import { TEST_INGRESS_SIGNING_KEY } from '@agent-marketplace/core/testing/marketplace/test-bindings.ts';
import { testBindings } from '@agent-marketplace/core/testing/marketplace/workers-bindings.ts';
import { createTestMarketplace } from '@agent-marketplace/core/testing/marketplace/workers-harness.ts';
import type { RequestScope } from '@agent-marketplace/core/transport/http/mount.ts';
import { API_ROOT } from '@agent-marketplace/protocol/brand.ts';
import { expect, it } from 'vitest';
import { forward, type Neighbour } from '../../workers/api/src/neighbours.ts';
import { newBerth, signedBody } from '../ingress/berth.ts';

// Invariant 20, where it is the Worker of a neighbour that is down; test/e2e/ingress.test.ts has all Workers together.

const market = createTestMarketplace();
const HELD = { INGRESS_SIGNING_KEY: TEST_INGRESS_SIGNING_KEY };

async function scopeOf(request: Request): Promise<RequestScope> {
  const ports = market.newPorts();
  return { runtime: runtimeFor(testBindings, ports), origin: await originOf(testBindings, request, ports) };
}

/** Asks a neighbour by what stands in for its Worker. */
async function ask(
  name: Neighbour,
  path: string,
  service: (request: Request) => Promise<Response>,
  bindings: { readonly INGRESS_SIGNING_KEY?: string },
  body?: string,
) {
  const request = new Request(`http://localhost${API_ROOT}${path}`, {
    ...(body === undefined ? {} : { method: 'POST', headers: { 'content-type': 'application/json' }, body }),
  });
  const neighbour = { name, service: { fetch: service } as unknown as Fetcher };
  return forward(request, neighbour, bindings, () => scopeOf(request));
}

const down = async () => {
  throw new Error('The Worker cannot be reached.');
};

async function admission(): Promise<string> {
  const terms = { intentClass: 'GUEST', requestId: crypto.randomUUID(), side: 'buy' as const };
  return JSON.stringify(
    await signedBody(await newBerth(), { ...terms, ts: Math.floor(market.clock.now() / 1000) }),
  );
}

it('a neighbour that answers gets the request as it was, and its answer goes out as it is', async () => {
  const body = await admission();
  const answer = new Response('as it is', { status: 418, headers: { 'x-own': '1' } });
  const seen: string[] = [];
  const response = await ask(
    'INGRESS',
    '/ingress/admit',
    async (request) => {
      seen.push(`${request.method} ${await request.text()}`);
      return answer;
    },
    HELD,
    body,
  );
  expect(seen).toEqual([`POST ${body}`]);
  expect([response.status, response.headers.get('x-own'), await response.text()]).toEqual([
    418,
    '1',
    'as it is',
  ]);
});

it.each([
  ['before it read the request', down],
  [
    'after it read the request',
    async (request: Request) => {
      await request.text();
      return down();
    },
  ],
  ['and the runtime says so', async () => new Response('<!DOCTYPE html>', { status: 500 })],
])('a door that breaks %s is answered for by a signed REFUSE', async (_, service) => {
  const body = await admission();
  const response = await ask('INGRESS', '/ingress/admit', service, HELD, body);
  const { body: refused } = await readSigned(response);
  const { berthKey, requestId } = JSON.parse(body);
  expect(response.status).toBe(503);
  expect(refused).toMatchObject({ type: 'REFUSE', code: 'COMPONENT_UNAVAILABLE', berthKey, requestId });
  expect(response.headers.get('retry-after')).toBe('1');
});

it('what the door says of its own failures stays its own', async () => {
  const own = async () =>
    new Response('its own', { status: 503, headers: { 'x-request-id': 'of the door' } });
  const response = await ask('INGRESS', '/ingress/admit', own, HELD, await admission());
  expect([response.status, await response.text()]).toEqual([503, 'its own']);
});

it('without the key of the door, it is an ordinary problem', async () => {
  for (const bindings of [{}, { INGRESS_SIGNING_KEY: '' }]) {
    const response = await ask('INGRESS', '/ingress/admit', down, bindings, await admission());
    const { body } = await readSigned(response);
    expect([response.status, body.code, body.retryable]).toEqual([503, 'service_unavailable', true]);
  }
});

it.each(['MCP', 'X402', 'SITE'] as const)('%s has no stand-in', async (name) => {
  const { body } = await readSigned(await ask(name, '/anywhere', down, HELD));
  expect([body.status, body.code]).toEqual([503, 'service_unavailable']);
});
