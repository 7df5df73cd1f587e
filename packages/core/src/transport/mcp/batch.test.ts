import { describe, expect, it } from 'vitest';
import { createWindowRateLimiter } from '../../adapters/rate-limit/window-rate-limiter.ts';
import { sellerOf } from '../../testing/doubles/fake-seller-endpoint.ts';
import { newListingOf } from '../../testing/fixtures/new-listing.ts';
import { createMcpFace } from '../../testing/marketplace/mcp-face.ts';
import { createTestMarketplace } from '../../testing/marketplace/workers-harness.ts';
import { MAX_BATCH_MESSAGES } from './message.ts';

const market = createTestMarketplace();
const face = createMcpFace(market);

interface RpcAnswer {
  readonly id: unknown;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly code: number; readonly message: string };
}

const ping = (id: number) => ({ jsonrpc: '2.0', id, method: 'ping' });
const call = (id: number, name: string, args: object = {}) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: args },
});

async function send(messages: unknown[], headers?: Record<string, string>, at = face) {
  const response = await at.post(messages, headers);
  const text = await response.text();
  return { response, text, answers: text === '' ? [] : (JSON.parse(text) as RpcAnswer[]) };
}

describe('a batch', () => {
  it.each([undefined, '2025-03-26'])(
    'of revision %s has an answer for each request, and for nothing else',
    async (revision) => {
      const { response, answers } = await send(
        [
          ping(1),
          { jsonrpc: '2.0', method: 'notifications/initialized' },
          call(2, 'about_marketplace'),
          { jsonrpc: '2.0', id: 9, result: {} },
          call(3, 'burn_data'),
          { jsonrpc: '2.0', id: 4, method: 'tools/burn' },
          7,
        ],
        revision === undefined ? {} : { 'mcp-protocol-version': revision },
      );
      expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json']);
      expect(answers.map(({ id, error }) => [id, error?.code])).toEqual([
        [1, undefined],
        [2, undefined],
        [3, -32602],
        [4, -32601],
        [null, -32600],
      ]);
      expect(answers[1]?.result?.structuredContent).toMatchObject({ name: 'Agent Marketplace' });
    },
  );

  it('of notifications only has no answer', async () => {
    const { response, text } = await send([{ jsonrpc: '2.0', method: 'notifications/initialized' }]);
    expect([response.status, text]).toEqual([202, '']);
  });

  it('is one event for who takes event streams only', async () => {
    const response = await face.post([ping(1), ping(2)], { accept: 'text/event-stream' });
    const [, data = ''] = /^event: message\ndata: (.*)\n\n$/.exec(await response.text()) ?? [];
    expect((JSON.parse(data) as RpcAnswer[]).map(({ id }) => id)).toEqual([1, 2]);
  });

  const initialize = {
    ...ping(1),
    method: 'initialize',
    params: { protocolVersion: '2025-03-26', capabilities: {}, clientInfo: { name: 'c', version: '1' } },
  };
  it.each([
    ['of nothing', [], {}],
    ['of a later revision', [ping(1)], { 'mcp-protocol-version': '2025-06-18' }],
    ['with a handshake', [initialize, ping(2)], {}],
    ['with one Idempotency-Key for all', [ping(1)], { 'idempotency-key': 'once' }],
    [
      'that is too long',
      Array.from({ length: MAX_BATCH_MESSAGES + 1 }, (_, id) => call(id, 'register_agent', { name: 'A' })),
      {},
    ],
  ])('%s is refused as one, and nothing of it is run', async (_, messages, headers) => {
    const before = (await market.request('GET', '/agents').then((one) => one.json())) as { total: number };
    const response = await face.post(messages, headers as Record<string, string>);
    const { id, error } = (await response.json()) as RpcAnswer;
    expect([response.status, id, error?.code]).toEqual([400, null, -32600]);
    const after = (await market.request('GET', '/agents').then((one) => one.json())) as { total: number };
    expect(after.total).toBe(before.total);
  });

  it('is no way around the rate limit: each message is counted', async () => {
    const figures = { limit: 3, windowSeconds: 60 };
    const rateLimiter = createWindowRateLimiter(
      { read: figures, write: figures, register: figures, purchase: figures } as never,
      market.clock,
    );
    const strict = createMcpFace(createTestMarketplace({ overrides: { rateLimiter } }));
    const { response, answers } = await send([1, 2, 3, 4, 5].map(ping), {}, strict);
    expect(answers.map(({ error }) => error?.code)).toEqual([
      undefined,
      undefined,
      undefined,
      -32000,
      -32000,
    ]);
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
    const registered = await send(
      [1, 2, 3, 4].map((id) => call(id, 'register_agent', { name: 'A' })),
      {},
      strict,
    );
    expect(registered.answers.map(({ result }) => result?.isError === true)).toEqual([
      false,
      false,
      false,
      true,
    ]);
  });

  it('holds no more long answers than one that stands alone could: the others are not run', async () => {
    const { id: listing_id } = await newListingOf(market);
    market.sellerEndpoint.script = sellerOf({ long: 'x'.repeat(6_000_000) });
    const before = market.sellerEndpoint.requests.length;
    const { answers } = await send([1, 2, 3].map((id) => call(id, 'buy_data', { listing_id })));
    expect(answers.map(({ error }) => error?.code)).toEqual([undefined, undefined, -32000]);
    expect(market.sellerEndpoint.requests.length - before).toBe(2);
  });
});
