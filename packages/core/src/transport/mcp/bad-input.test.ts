import { describe, expect, it } from 'vitest';
import { newListingOf } from '../../testing/fixtures/new-listing.ts';
import { createMcpFace, MCP_URL } from '../../testing/marketplace/mcp-face.ts';
import { createTestMarketplace } from '../../testing/marketplace/workers-harness.ts';
import { MAX_MESSAGE_BYTES } from './message.ts';

const market = createTestMarketplace();
const face = createMcpFace(market);

const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
const call = (params: unknown) => ({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });

interface RpcAnswer {
  readonly id: unknown;
  readonly error?: { readonly code: number; readonly message: string };
}

describe('what is no message of JSON-RPC', () => {
  it.each([
    ['an empty batch', [], 400, -32600],
    ['no object', '"ping"', 400, -32600],
    ['null', 'null', 400, -32600],
    ['no JSON', '{"jsonrpc":"2.0",', 400, -32700],
    ['nothing', '', 400, -32700],
    ['the same key twice', '{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}', 400, -32700],
    ['a number that overflows', '{"jsonrpc":"2.0","id":1e999,"method":"ping"}', 400, -32700],
    ['half a character', '{"jsonrpc":"2.0","id":1,"method":"\\ud800"}', 400, -32700],
    ['nesting without end', `${'['.repeat(100_000)}`, 400, -32700],
    ['another version', { ...ping, jsonrpc: '1.0' }, 400, -32600],
    ['no version', { id: 1, method: 'ping' }, 400, -32600],
    ['no method', { jsonrpc: '2.0', id: 1 }, 400, -32600],
    ['a method that is no string', { ...ping, method: 7 }, 400, -32600],
    ['a request without an id', { jsonrpc: '2.0', method: 'tools/list' }, 400, -32600],
    ['an id of null', { ...ping, id: null }, 400, -32600],
    ['an id that is an object', { ...ping, id: {} }, 400, -32600],
    ['a fractional id', { ...ping, id: 1.5 }, 400, -32600],
    ['params that are a list', { ...ping, params: [] }, 400, -32600],
    ['too much', JSON.stringify({ ...ping, x: 'x'.repeat(MAX_MESSAGE_BYTES) }), 413, -32600],
  ])('%s', async (_, body, status, code) => {
    const response = await face.post(body);
    const { id, error } = (await response.json()) as RpcAnswer;
    expect([response.status, error?.code]).toEqual([status, code]);
    expect(id === null || id === 1).toBe(true);
    expect(error?.message).not.toMatch(/at .*\.ts|undefined/);
  });

  it('too much whose length is not declared', async () => {
    const chunk = new TextEncoder().encode(' '.repeat(256 * 1024));
    let left = 8;
    const body = new ReadableStream({
      type: 'bytes',
      pull: (controller) => (left-- > 0 ? controller.enqueue(chunk.slice()) : controller.close()),
    });
    const response = await face.request({
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
      duplex: 'half',
    } as RequestInit);
    expect(response.status).toBe(413);
  });

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'application/jsonx', ''])(
    'as %s',
    async (type) => {
      expect((await face.post(ping, { 'content-type': type })).status).toBe(415);
    },
  );
});

describe('what MCP does not know', () => {
  it.each([
    ['an unknown method', { ...ping, method: 'tools/burn' }, -32601],
    ['a method of the prototype', { ...ping, method: 'constructor' }, -32601],
    ['a subscription', { ...ping, method: 'resources/subscribe', params: { uri: 'a://b' } }, -32601],
    ['an unknown tool', call({ name: 'burn_data', arguments: {} }), -32602],
    ['a tool of the prototype', call({ name: 'toString', arguments: {} }), -32602],
    ['no tool', call({ arguments: {} }), -32602],
    ['no params', call(undefined), -32602],
    ['a tool that is no string', call({ name: 7 }), -32602],
    ['arguments that are a number', call({ name: 'list_verticals', arguments: 7 }), -32602],
    ['arguments that are a list', call({ name: 'list_verticals', arguments: [] }), -32602],
    ['arguments that are text', call({ name: 'list_verticals', arguments: '{}' }), -32602],
    ['an unknown prompt', { ...ping, method: 'prompts/get', params: { name: 'x' } }, -32602],
    [
      'a prompt without what it needs',
      { ...ping, method: 'prompts/get', params: { name: 'sell_something' } },
      -32602,
    ],
    [
      'an unknown resource',
      { ...ping, method: 'resources/read', params: { uri: 'https://x.example/' } },
      -32602,
    ],
    [
      'a path above the root',
      { ...ping, method: 'resources/read', params: { uri: `${MCP_URL}/../../x` } },
      -32602,
    ],
    ['a resource without a name', { ...ping, method: 'resources/read', params: {} }, -32602],
    ['initialize without params', { ...ping, method: 'initialize' }, -32602],
  ])('%s', async (_, message, code) => {
    const response = await face.post(message);
    const { id, error } = (await response.json()) as RpcAnswer;
    expect([response.status, id, error?.code], JSON.stringify(error)).toEqual([200, 1, code]);
  });

  it('a revision that nobody speaks', async () => {
    expect((await face.post(ping, { 'mcp-protocol-version': '1999-01-01' })).status).toBe(400);
    expect((await face.post(ping, { 'mcp-protocol-version': '2999-01-01' })).status).toBe(400);
    const params = {
      protocolVersion: '1999-01-01',
      capabilities: {},
      clientInfo: { name: 'c', version: '1' },
    };
    const { result } = await face.rpc('initialize', params);
    expect(result?.protocolVersion).toBe('2025-11-25');
  });

  it('a stream in which nothing would come', async () => {
    const meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'c', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'subscriptions/listen' };
    const params = { _meta: meta, notifications: { toolsListChanged: true } };
    const response = await face.post({ ...ping, method: 'subscriptions/listen', params }, headers);
    expect([response.status, ((await response.json()) as RpcAnswer).error?.code]).toEqual([404, -32601]);
  });
});

describe('what the business refuses is a tool error with the problem of REST', () => {
  it.each([
    ['an argument of a wrong type', 'browse_marketplace', { limit: '5' }, 'validation_failed', 'limit'],
    ['a value out of range', 'browse_marketplace', { min_rating: 6 }, 'validation_failed', 'min_rating'],
    ['an argument too many', 'register_agent', { name: 'A', colour: 'red' }, 'validation_failed', 'colour'],
    [
      'an argument of the prototype',
      'register_agent',
      JSON.parse('{"name":"A","__proto__":1}'),
      'validation_failed',
      '__proto__',
    ],
    ['a missing argument', 'register_agent', {}, 'validation_failed', 'name'],
    [
      'no key',
      'sell_data',
      { title: 'abc', description: 'd', preview: {}, price_cents: 0, consent: true },
      'missing_api_key',
      null,
    ],
    [
      'an unknown key',
      'deactivate_listing',
      { api_key: 'mkt_live_x', listing_id: crypto.randomUUID() },
      'invalid_api_key',
      null,
    ],
    [
      'a key that is no text',
      'deactivate_listing',
      { api_key: 7, listing_id: crypto.randomUUID() },
      'invalid_api_key',
      null,
    ],
    ['an unknown listing', 'preview_listing', { listing_id: crypto.randomUUID() }, 'listing_not_found', null],
  ])('%s', async (_, tool, args, code, field) => {
    const { isError, structuredContent, content } = await face.callTool(tool, args);
    expect([isError, structuredContent.code]).toEqual([true, code]);
    expect(content[0]?.text).toContain(`Refused (${code}): ${structuredContent.title}`);
    if (field)
      expect((structuredContent.errors as { path: string }[])[0]?.path.split('.')[0]).toContain(field);
  });

  it('a change of nothing: its fields are named as the tool has them', async () => {
    const { id, seller } = await newListingOf(market);
    const args = { api_key: seller.apiKey, listing_id: id, reason: 'None.' };
    const { structuredContent } = await face.callTool('update_listing', args);
    expect(structuredContent.code).toBe('validation_failed');
    const paths = (structuredContent.errors as { path: string }[]).map(({ path }) => path);
    expect(paths).toEqual([
      'title',
      'description',
      'price_cents',
      'price_micros',
      'meter',
      'active',
      'preview',
      'redelivery',
    ]);
    expect(JSON.stringify(structuredContent)).not.toContain('priceCents');
  });

  it('two different keys', async () => {
    const answer = await face.callTool(
      'get_purchase',
      { api_key: 'mkt_live_a', purchase_id: crypto.randomUUID() },
      { headers: { 'x-api-key': 'mkt_live_b' } },
    );
    expect(answer.structuredContent.code).toBe('conflicting_api_keys');
  });
});

it('takes arguments that are null for none', async () => {
  const response = await face.post(call({ name: 'list_verticals', arguments: null }));
  expect(await response.json()).toMatchObject({
    id: 1,
    result: { structuredContent: { verticals: expect.any(Array) } },
  });
});
