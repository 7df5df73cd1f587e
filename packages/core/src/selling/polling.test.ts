import { MAX_JSON_DEPTH } from '@agent-marketplace/protocol/json/canonical-json.ts';
import type { JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { registerAgent } from '../agents/index.ts';
import { challengeEndpoint, deliver } from '../delivery/index.ts';
import { createFakePollingMailbox } from '../testing/doubles/fake-polling-mailbox.ts';
import { newAgentOf, newSellerOf, type RegisteredAgent } from '../testing/fixtures/new-seller.ts';
import { readSigned } from '../testing/marketplace/read-signed.ts';
import { createTestMarketplace } from '../testing/marketplace/workers-harness.ts';
import { answerDelivery } from './answer-delivery.ts';
import { listDeliveries } from './list-deliveries.ts';
import { registerSeller } from './register-seller.ts';

const operations = [registerAgent, registerSeller, listDeliveries, answerDelivery];
const market = createTestMarketplace({ operations });

interface Delivery {
  id: string;
  type: string;
  request: Record<string, unknown>;
  expiresAt: string;
}

async function list(seller: { apiKey: string }, place = market) {
  const response = await place.request('GET', '/sell/deliveries', { apiKey: seller.apiKey });
  const { body } = await readSigned(response);
  return { status: response.status, body, deliveries: body.deliveries as Delivery[] };
}

async function answer(seller: { apiKey: string }, id: string, body: unknown, place = market) {
  const response = await place.request('POST', `/sell/deliveries/${id}`, { apiKey: seller.apiKey, body });
  return { status: response.status, ...(await readSigned(response)) };
}

const target = (seller: RegisteredAgent) => ({
  sellerId: seller.id,
  callbackType: 'polling' as const,
  callbackUrl: 'https://seller.example.org/',
});
const REQUEST = {
  listingId: '3f2504e0-4f89-41d3-9a0c-0305e82c3301',
  fingerprint: `sha256:${'0'.repeat(64)}`,
  title: 'A listing',
  verticalSlug: 'market-data',
  query: { city: 'Rome' },
};

let seller: RegisteredAgent;
let other: RegisteredAgent;

beforeAll(async () => {
  seller = await newSellerOf(market);
  other = await newSellerOf(market);
});

describe('a seller that polls', () => {
  it('finds a delivery_request, answers it, and the buyer has the data', async () => {
    const delivered = deliver(market.newPorts(), REQUEST, target(seller));
    const [waiting] = (await list(seller)).deliveries;
    expect(waiting).toMatchObject({
      type: 'delivery_request',
      request: { ...REQUEST, type: 'delivery_request' },
    });
    expect(waiting?.expiresAt).toMatch(/^\d{4}-.*Z$/);
    const { status, body } = await answer(seller, waiting?.id ?? '', { data: { b: 1, a: 'é' } });
    expect([status, body]).toEqual([200, { accepted: true }]);
    const outcome = await delivered;
    expect(outcome.kind).toBe('delivered');
    if (outcome.kind === 'delivered') {
      expect(new TextDecoder().decode(outcome.content)).toBe('{"a":"é","b":1}');
    }
    expect((await list(seller)).deliveries).toEqual([]);
  });

  it('says that there is nothing to deliver', async () => {
    const delivered = deliver(market.newPorts(), REQUEST, target(seller));
    const id = (await list(seller)).deliveries[0]?.id ?? '';
    expect((await answer(seller, id, { available: false })).status).toBe(200);
    expect(await delivered).toEqual({ kind: 'unavailable' });
  });

  it('answers a challenge', async () => {
    const challenged = challengeEndpoint(market.newPorts(), target(seller), 'ab'.repeat(24));
    const [waiting] = (await list(seller)).deliveries;
    expect(waiting).toMatchObject({ type: 'verification_challenge', request: { nonce: 'ab'.repeat(24) } });
    await answer(seller, waiting?.id ?? '', { nonce: waiting?.request.nonce });
    expect(await challenged).toEqual({ verified: true, namesSeller: false, mcpRevision: null });
  });

  it('sees and answers its own messages only', async () => {
    const delivered = deliver(market.newPorts(), REQUEST, target(seller));
    const id = (await list(seller)).deliveries[0]?.id ?? '';
    expect((await list(other)).deliveries).toEqual([]);
    const { status, body } = await answer(other, id, { data: {} });
    expect([status, body.code]).toEqual([404, 'delivery_not_pending']);
    await answer(seller, id, { available: false });
    await delivered;
    expect((await answer(seller, id, { available: false })).status).toBe(404);
  });

  it.each([
    ['nothing', {}],
    ['two forms', { data: {}, available: false }],
    ['data that is a list', { data: [] }],
    ['data that is null', { data: null }],
    ['available: true', { available: true }],
    ['an unknown field', { data: {}, extra: 1 }],
  ])('is refused %s', async (_, body) => {
    const id = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';
    const { status, body: problem } = await answer(seller, id, body);
    expect([status, problem.code]).toEqual([400, 'validation_failed']);
  });

  it('delivers a member named __proto__ as it was sent', async () => {
    const delivered = deliver(market.newPorts(), REQUEST, target(seller));
    const id = (await list(seller)).deliveries[0]?.id ?? '';
    await market.request('POST', `/sell/deliveries/${id}`, {
      apiKey: seller.apiKey,
      body: '{"data":{"__proto__":{"x":1}}}',
      headers: { 'content-type': 'application/json' },
    });
    const outcome = await delivered;
    expect(outcome.kind === 'delivered' && new TextDecoder().decode(outcome.content)).toBe(
      '{"__proto__":{"x":1}}',
    );
  });

  it('may send 10 MB, and is told when it is more', async () => {
    const delivered = deliver(market.newPorts(), REQUEST, target(seller));
    const id = (await list(seller)).deliveries[0]?.id ?? '';
    const envelope = '{"data":{"x":""}}'.length;
    const most = 10 * 1024 * 1024 - envelope;
    const over = await answer(seller, id, { data: { x: 'x'.repeat(most + 1) } });
    expect([over.status, over.body.code]).toEqual([413, 'body_too_large']);
    expect((await answer(seller, id, { data: { x: 'x'.repeat(most) } })).status).toBe(200);
    expect((await delivered).kind).toBe('delivered');
  });

  const nested = (depth: number): JsonObject => (depth === 1 ? {} : { deeper: nested(depth - 1) });

  it('finds a query as deep as any body may be', async () => {
    const query = nested(MAX_JSON_DEPTH - 1);
    const delivered = deliver(market.newPorts(), { ...REQUEST, query }, target(seller));
    const [waiting] = (await list(seller)).deliveries;
    expect(waiting?.request.query).toEqual(query);
    await answer(seller, waiting?.id ?? '', { available: false });
    expect(await delivered).toEqual({ kind: 'unavailable' });
  });

  it('is not kept from its messages by one that no answer can hold', async () => {
    const deep = deliver(market.newPorts(), { ...REQUEST, query: nested(100) }, target(seller));
    const fine = deliver(market.newPorts(), REQUEST, target(seller));
    const { status, deliveries } = await list(seller);
    expect(status).toBe(200);
    expect(deliveries).toHaveLength(1);
    await answer(seller, deliveries[0]?.id ?? '', { available: false });
    expect(await fine).toEqual({ kind: 'unavailable' });
    void deep;
  });

  it('may be an agent that becomes a seller by answering its first challenge', async () => {
    const agent = await newAgentOf(market);
    const { status, body } = await list(agent);
    expect([status, body.deliveries]).toEqual([200, []]);
    const unknown = await answer(agent, REQUEST.listingId, { available: false });
    expect([unknown.status, unknown.body.code]).toEqual([404, 'delivery_not_pending']);
  });

  it('is told to come back when the mailbox is down', async () => {
    const pollingMailbox = {
      ...createFakePollingMailbox(),
      pending: async () => null,
      answer: async () => 'unavailable' as const,
    };
    const down = createTestMarketplace({ operations, overrides: { pollingMailbox } });
    const { status, body } = await list(seller, down);
    expect([status, body.code]).toEqual([503, 'service_unavailable']);
    expect((await answer(seller, REQUEST.listingId, { available: false }, down)).status).toBe(503);
  });
});

it('a polling seller is told which purchase a request is for', async () => {
  const purpose = { sellerId: seller.id, purchaseId: crypto.randomUUID(), redelivery: 2 };
  const delivered = deliver(market.newPorts(), REQUEST, { ...target(seller), purpose });
  const [waiting] = (await list(seller)).deliveries;
  expect(waiting).toMatchObject({ purchase: purpose });
  await answer(seller, waiting?.id ?? '', { data: { ok: true } });
  expect(await delivered).toMatchObject({ kind: 'delivered' });
});
