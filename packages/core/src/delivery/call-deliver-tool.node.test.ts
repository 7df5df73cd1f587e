import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { clause } from '../../../../test/conformance/clause.ts';
import { createDeliveryPorts } from '../testing/marketplace/delivery-ports.ts';
import {
  type LocalSeller,
  type ReceivedPost,
  startLocalSeller,
} from '../testing/marketplace/local-seller.ts';
import { challengeEndpoint } from './challenge-endpoint.ts';
import { deliver } from './deliver.ts';

const REQUEST = { listingId: 'l', fingerprint: 'sha256:x', title: 't', verticalSlug: 'v', query: { a: 1 } };
const ports = createDeliveryPorts();

interface Call {
  readonly id?: number;
  readonly method: string;
  readonly params?: { readonly name: string; readonly arguments: Record<string, unknown> };
}
type Answerer = (call: Call, response: ServerResponse, post: ReceivedPost) => void;

/** A small MCP server that wants a session: a test changes what one of its methods answers. */
let methods: Record<string, Answerer>;
/** How it answers a request of the revision without sessions. */
let stateless: Answerer;
const refuse =
  (status: number): Answerer =>
  (_, response) =>
    void response.writeHead(status).end();
let server: LocalSeller;
beforeAll(async () => {
  server = await startLocalSeller((post, response) => {
    const call = JSON.parse(post.body) as Call;
    const isStateless = post.headers['mcp-protocol-version'] === '2026-07-28';
    (isStateless ? stateless : methods[call.method])?.(call, response, post);
  });
});
afterAll(() => server.close());
beforeEach(() => {
  server.received.length = 0;
  stateless = refuse(400);
  methods = {
    initialize: sendJson(
      { protocolVersion: '2025-06-18', capabilities: {} },
      { 'mcp-session-id': 'session-7' },
    ),
    'notifications/initialized': (_, response) => void response.writeHead(202).end(),
    'tools/call': sendJson({ structuredContent: { data: { b: 2, a: 1 } } }),
  };
});

function sendJson(result: unknown, headers: Record<string, string> = {}): Answerer {
  return ({ id }, response) =>
    void response
      .writeHead(200, { 'content-type': 'application/json', ...headers })
      .end(JSON.stringify({ jsonrpc: '2.0', id, result }));
}

function sendEvents(write: (id: number) => string): Answerer {
  return ({ id = 0 }, response) =>
    void response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' }).end(write(id));
}

const target = (mcpRevision: string | null = '2025-06-18') =>
  ({ sellerId: 's', callbackType: 'mcp', callbackUrl: `${server.origin}/mcp`, mcpRevision }) as const;
const deliverIt = (timeoutMs = 5000, mcpRevision?: string | null) =>
  deliver(ports, REQUEST, target(mcpRevision), { timeoutMs, maxBytes: 100_000 });
const text = (content: Uint8Array) => new TextDecoder().decode(content);

async function content(): Promise<string> {
  const outcome = await deliverIt();
  return outcome.kind === 'delivered' ? text(outcome.content) : JSON.stringify(outcome);
}

clause('selling.mcp');
test('initialises, notifies, calls: three signed POSTs in one session', async () => {
  expect(await content()).toBe('{"a":1,"b":2}');
  const calls = server.received.map(({ body }) => JSON.parse(body));
  expect(calls.map(({ jsonrpc, id, method }) => [jsonrpc, id, method])).toEqual([
    ['2.0', 1, 'initialize'],
    ['2.0', undefined, 'notifications/initialized'],
    ['2.0', 2, 'tools/call'],
  ]);
  expect(calls[0].params).toEqual({
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'Agent Marketplace', version: '1.0.0' },
  });
  expect(calls[2].params).toEqual({
    name: 'deliver',
    arguments: { type: 'delivery_request', ...REQUEST, issuedAt: expect.any(String) },
  });
  const [first, ...later] = server.received.map(({ headers }) => headers);
  expect(first).not.toHaveProperty('mcp-session-id');
  expect(first).not.toHaveProperty('mcp-protocol-version');
  expect(later).toHaveLength(2);
  for (const headers of later) {
    expect(headers).toMatchObject({ 'mcp-session-id': 'session-7', 'mcp-protocol-version': '2025-06-18' });
  }
  for (const { headers } of server.received) {
    expect(headers.accept).toBe('application/json, text/event-stream');
    expect(headers['x-mkt-signature']).toMatch(/^[\w-]{86}$/);
  }
});

test('a server without sessions', async () => {
  methods.initialize = sendJson({ protocolVersion: '2024-11-05' });
  expect(await content()).toBe('{"a":1,"b":2}');
  expect(server.received.at(-1)?.headers).not.toHaveProperty('mcp-session-id');
});

describe('event streams', () => {
  const reply = (id: number) =>
    JSON.stringify({ jsonrpc: '2.0', id, result: { structuredContent: { data: { a: 1 } } } });

  test.each<[string, (id: number) => string]>([
    ['one event', (id) => `event: message\ndata: ${reply(id)}\n\n`],
    ['CRLF, ids and comments', (id) => `: hi\r\nid: 1\r\ndata:${reply(id)}\r\n\r\n`],
    [
      'several lines',
      (id) =>
        `data: {"jsonrpc":"2.0","id":${id},\ndata: "result":{"structuredContent":{"data":{"a":1}}}}\n\n`,
    ],
    [
      'notifications and requests first',
      (id) =>
        `data: {"jsonrpc":"2.0","method":"notifications/progress"}\n\ndata: {"jsonrpc":"2.0","id":${id},"method":"ping"}\n\ndata: ${reply(id)}\n\n`,
    ],
  ])('%s', async (_, write) => {
    methods['tools/call'] = sendEvents(write);
    expect(await content()).toBe('{"a":1}');
  });

  test('one that ends without the response', async () => {
    methods['tools/call'] = sendEvents(() => 'data: {"jsonrpc":"2.0","method":"notifications/progress"}\n\n');
    expect(await deliverIt()).toMatchObject({ kind: 'failed', reason: 'mcp_protocol_error' });
  });
});

const nest = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);

test.each<[string, unknown, object]>([
  [
    'text content',
    { content: [{ type: 'image' }, { type: 'text', text: '{"data":{"x":1}}' }] },
    { kind: 'delivered' },
  ],
  [
    'as deep as a webhook may',
    { structuredContent: { data: { a: JSON.parse(nest(62)) } } },
    { kind: 'delivered' },
  ],
  ['structured unavailable', { structuredContent: { available: false } }, { kind: 'unavailable' }],
  [
    'unavailable in text',
    { content: [{ type: 'text', text: '{"available":false}' }] },
    { kind: 'unavailable' },
  ],
  [
    'tool error',
    { isError: true, structuredContent: { data: {} } },
    { reason: 'mcp_tool_error', retryable: true },
  ],
  ['no content', {}, { reason: 'no_data' }],
  ['text that is not JSON', { content: [{ type: 'text', text: 'sorry' }] }, { reason: 'not_json' }],
  [
    'text with duplicate keys',
    { content: [{ type: 'text', text: '{"data":{"a":1,"a":1}}' }] },
    { reason: 'not_json' },
  ],
  ['text too deep', { content: [{ type: 'text', text: nest(65) }] }, { reason: 'not_json' }],
  ['an array as result', [], { reason: 'mcp_protocol_error' }],
  ['a wrong claim', { structuredContent: { data: { __sha256: 'x' } } }, { kind: 'integrity_mismatch' }],
  ['too large', { structuredContent: { data: { a: 'x'.repeat(100_000) } } }, { kind: 'too_large' }],
  ['too deep', { structuredContent: { data: { a: JSON.parse(nest(64)) } } }, { reason: 'not_json' }],
])('%s', async (_, result, outcome) => {
  methods['tools/call'] = sendJson(result);
  expect(await deliverIt()).toMatchObject(outcome);
});

test.each<[string, string, Answerer, object]>([
  [
    'a JSON-RPC error',
    'tools/call',
    ({ id }, r) => r.end(JSON.stringify({ id, error: { code: -32602 } })),
    { reason: 'mcp_protocol_error' },
  ],
  ['another id', 'tools/call', (_, r) => r.end('{"id":9,"result":{}}'), { reason: 'mcp_protocol_error' }],
  ['not JSON', 'initialize', (_, r) => r.end('<html>'), { reason: 'not_json' }],
  [
    'an unknown revision',
    'initialize',
    sendJson({ protocolVersion: '1999-01-01' }),
    { reason: 'mcp_protocol_error' },
  ],
  ['no revision', 'initialize', sendJson({}), { reason: 'mcp_protocol_error' }],
  [
    'a bad session id',
    'initialize',
    sendJson({ protocolVersion: '2025-06-18' }, { 'mcp-session-id': 'a b' }),
    { reason: 'mcp_protocol_error' },
  ],
  ['HTTP 404', 'initialize', (_, r) => r.writeHead(404).end(), { reason: 'bad_status', retryable: false }],
  ['HTTP 500', 'tools/call', (_, r) => r.writeHead(500).end(), { reason: 'bad_status', retryable: true }],
  ['a redirect', 'initialize', (_, r) => r.writeHead(307, { location: '/' }).end(), { reason: 'redirected' }],
  ['a reset', 'notifications/initialized', (_, r) => r.destroy(), { reason: 'unreachable' }],
])('%s (%s)', async (_, method, answerer, outcome) => {
  methods[method] = answerer;
  expect(await deliverIt()).toMatchObject({ kind: 'failed', ...outcome });
});

test('all calls share one time limit', async () => {
  for (const [method, answer] of Object.entries(methods)) {
    methods[method] = (...args) => void setTimeout(() => answer(...args), 80);
  }
  expect(await deliverIt(150)).toEqual({ kind: 'timed_out' });
  expect(await deliverIt(1000)).toMatchObject({ kind: 'delivered' });
});

clause('selling.mcp');
test('the challenge goes to the same tool', async () => {
  methods['tools/call'] = (call, response, post) =>
    sendJson({ structuredContent: { nonce: call.params?.arguments.nonce } })(call, response, post);
  expect(await challengeEndpoint(ports, target(), 'ab'.repeat(24))).toEqual({
    verified: true,
    namesSeller: false,
    mcpRevision: '2025-06-18',
  });
  methods['tools/call'] = sendJson({ structuredContent: { nonce: 'other' } });
  expect(await challengeEndpoint(ports, target(), 'ab'.repeat(24))).toEqual({
    verified: false,
    reason: 'wrong_nonce',
  });
});

test('a tool is told which purchase it is called for, in the call and in signed headers of it', async () => {
  const purpose = { sellerId: 's', purchaseId: 'p-1', redelivery: 1 };
  await deliver(ports, REQUEST, { ...target(), purpose });
  const [hello, , call] = server.received;
  expect(JSON.parse(call?.body ?? '').params._meta).toEqual({ 'agent-marketplace/purchase': purpose });
  expect(call?.headers).toMatchObject({
    'x-mkt-seller-id': 's',
    'x-mkt-purchase-id': 'p-1',
    'x-mkt-redelivery': '1',
    'x-mkt-delivery-signature': expect.any(String),
  });
  expect(hello?.headers['x-mkt-purchase-id']).toBeUndefined();
});

describe('a server without sessions', () => {
  const STATELESS = '2026-07-28';
  const deliverTo = (revision: string | null) => deliverIt(5000, revision);
  const sent = () => server.received.map(({ body }) => (JSON.parse(body) as Call).method);
  const answers = sendJson({ resultType: 'complete', structuredContent: { data: { a: 1 } } });

  test.each<[string, string | null]>([
    ['is known as one', STATELESS],
    ['is not known yet', null],
  ])('is called with one signed POST that says everything, if it %s', async (_, revision) => {
    stateless = answers;
    expect(await deliverTo(revision)).toMatchObject({ kind: 'delivered' });
    expect(sent()).toEqual(['tools/call']);
    const [call] = server.received;
    expect(call?.headers).toMatchObject({
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': STATELESS,
      'mcp-method': 'tools/call',
      'mcp-name': 'deliver',
      'x-mkt-signature': expect.stringMatching(/^[\w-]{86}$/),
    });
    expect(call?.headers).not.toHaveProperty('mcp-session-id');
    expect(JSON.parse(call?.body ?? '').params).toEqual({
      name: 'deliver',
      arguments: { type: 'delivery_request', ...REQUEST, issuedAt: expect.any(String) },
      _meta: {
        'io.modelcontextprotocol/protocolVersion': STATELESS,
        'io.modelcontextprotocol/clientInfo': { name: 'Agent Marketplace', version: '1.0.0' },
        'io.modelcontextprotocol/clientCapabilities': {},
      },
    });
  });

  test('is told which purchase it is called for', async () => {
    stateless = answers;
    const purpose = { sellerId: 's', purchaseId: 'p-1', redelivery: 0 };
    await deliver(ports, REQUEST, { ...target(STATELESS), purpose });
    const [call] = server.received;
    expect(JSON.parse(call?.body ?? '').params._meta).toMatchObject({
      'io.modelcontextprotocol/protocolVersion': STATELESS,
      'agent-marketplace/purchase': purpose,
    });
    expect(call?.headers['x-mkt-purchase-id']).toBe('p-1');
  });

  test('that asks for more input has not answered', async () => {
    stateless = sendJson({ resultType: 'input_required', inputRequests: {} });
    expect(await deliverTo(STATELESS)).toMatchObject({ kind: 'failed', reason: 'mcp_protocol_error' });
    expect(sent()).toEqual(['tools/call']);
  });

  test.each([400, 404, 406, 422])('HTTP %i: it wants a session after all', async (status) => {
    stateless = refuse(status);
    for (const revision of [null, STATELESS]) {
      expect(await deliverTo(revision)).toMatchObject({ kind: 'delivered' });
      expect(sent()).toEqual(['tools/call', 'initialize', 'notifications/initialized', 'tools/call']);
      server.received.length = 0;
    }
  });

  test.each([401, 403, 408, 410, 429, 500, 503])(
    'HTTP %i is the answer, and says nothing of sessions',
    async (status) => {
      stateless = refuse(status);
      expect(await deliverTo(null)).toMatchObject({ kind: 'failed' });
      expect(sent()).toEqual(['tools/call']);
    },
  );

  test.each<[string, Answerer, object]>([
    ['a timeout', () => {}, { kind: 'timed_out' }],
    ['a reset', (_, response) => response.destroy(), { kind: 'failed', reason: 'unreachable' }],
    ['an error of the tool', sendJson({ isError: true }), { kind: 'failed', reason: 'mcp_tool_error' }],
    [
      'an error of the protocol with HTTP 200',
      ({ id }, response) => response.end(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32603 } })),
      { kind: 'failed', reason: 'mcp_protocol_error' },
    ],
  ])('%s: the seller may have worked, it is not called again', async (_, answerer, outcome) => {
    stateless = answerer;
    expect(await deliverIt(300, null)).toMatchObject(outcome);
    expect(sent()).toEqual(['tools/call']);
  });

  test('a challenge that is answered with an error is repeated in a session: it sells nothing', async () => {
    stateless = ({ id }, response) =>
      void response.end(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32600 } }));
    methods['tools/call'] = (call, response, post) =>
      sendJson({ structuredContent: { nonce: call.params?.arguments.nonce } })(call, response, post);
    expect(await challengeEndpoint(ports, target(null), 'ab'.repeat(24))).toEqual({
      verified: true,
      namesSeller: false,
      mcpRevision: '2025-06-18',
    });
  });

  test('one that refuses both ways is asked once in each', async () => {
    methods.initialize = refuse(404);
    for (const [revision, methodsSent] of [
      [STATELESS, ['tools/call', 'initialize']],
      ['2025-06-18', ['initialize', 'tools/call']],
    ] as const) {
      expect(await deliverTo(revision)).toMatchObject({ kind: 'failed' });
      expect(sent()).toEqual(methodsSent);
      server.received.length = 0;
    }
  });

  test('one that has no sessions any more is called without', async () => {
    methods.initialize = refuse(400);
    stateless = answers;
    expect(await deliverTo('2025-11-25')).toMatchObject({ kind: 'delivered' });
    expect(sent()).toEqual(['initialize', 'tools/call']);
  });
});
