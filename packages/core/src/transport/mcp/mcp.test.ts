import { beforeAll, describe, expect, it } from 'vitest';
import { createWindowRateLimiter } from '../../adapters/rate-limit/window-rate-limiter.ts';
import { sellerOf } from '../../testing/doubles/fake-seller-endpoint.ts';
import { createMcpFace } from '../../testing/marketplace/mcp-face.ts';
import { readSigned } from '../../testing/marketplace/read-signed.ts';
import { createTestMarketplace, TEST_BASE_URL } from '../../testing/marketplace/workers-harness.ts';
import { REVISIONS } from './dispatch.ts';
import { META } from './names.ts';

const market = createTestMarketplace();
const face = createMcpFace(market);
let apiKey: string;

beforeAll(async () => {
  market.sellerEndpoint.script = sellerOf({ answer: 42 });
  const { structuredContent } = await face.callTool('register_agent', { name: 'Somebody' });
  apiKey = String(structuredContent.apiKey);
});

const newListing = { title: 'Tides', description: 'Of Brest.', preview: {}, price_cents: 0, consent: true };

describe('without a handshake', () => {
  it('tools/list and tools/call answer in JSON, with the id that was sent', async () => {
    for (const id of [7, 'seven', 0, '']) {
      const response = await face.post({ jsonrpc: '2.0', id, method: 'tools/list' });
      const body = (await response.json()) as { id: unknown; jsonrpc: string };
      expect([response.status, body.id, body.jsonrpc]).toEqual([200, id, '2.0']);
      expect(response.headers.get('content-type')).toMatch(/^application\/json/);
    }
  });

  it('tools/list is at most 30 kB as it is sent, its signature included', async () => {
    const response = await face.post({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
    expect(response.status).toBe(200);
    expect((await response.arrayBuffer()).byteLength).toBeLessThan(30_000);
  });

  it.each([undefined, '*/*', 'application/json', 'application/json, text/event-stream'])(
    'Accept: %s',
    async (accept) => {
      const response = await face.post({ jsonrpc: '2.0', id: 1, method: 'ping' }, accept ? { accept } : {});
      expect(await response.json()).toEqual({ jsonrpc: '2.0', id: 1, result: {} });
    },
  );

  it('notifications and responses are taken without a word', async () => {
    for (const message of [
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } },
      { jsonrpc: '2.0', method: 'notifications/unheard-of' },
      { jsonrpc: '2.0', id: 1, result: {} },
    ]) {
      const response = await face.post(message);
      expect([response.status, await response.text()]).toEqual([202, '']);
    }
  });
});

it.each(['initialize', 'tools/list', 'prompts/list', 'resources/list', 'resources/templates/list'])(
  '%s has a signed result',
  async (method) => {
    const clientInfo = { name: 'c', version: '1' };
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
    const response = await face.post({ jsonrpc: '2.0', id: 1, method, params });
    const { result } = (await response.json()) as { result: { _meta: Record<string, unknown> } };
    expect(result._meta[META.provenance]).toMatchObject({ receipt: { alg: 'ed25519' } });
  },
);

describe('initialize', () => {
  it.each(REVISIONS.slice(1))('speaks %s', async (protocolVersion) => {
    const params = { protocolVersion, capabilities: {}, clientInfo: { name: 'c', version: '1' } };
    const { result } = await face.rpc('initialize', params);
    expect(result).toMatchObject({
      protocolVersion,
      serverInfo: { name: 'agent-marketplace', version: '1.0.0' },
      capabilities: { tools: {}, resources: {}, prompts: {} },
    });
    const pong = await face.rpc('ping', {}, { 'mcp-protocol-version': protocolVersion });
    expect(pong.result).toEqual({});
  });

  it('and the revision that needs no handshake is the one that is said', async () => {
    const [revision = ''] = REVISIONS;
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': revision,
      'io.modelcontextprotocol/clientInfo': { name: 'c', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const headers = { 'mcp-protocol-version': revision, 'mcp-method': 'server/discover' };
    const { result } = await face.rpc('server/discover', { _meta }, headers);
    expect(result?.supportedVersions).toEqual([revision]);
  });

  it.each([
    ['tools/list', {}, 'public'],
    ['tools/list', { authorization: 'Bearer mkt_live_x' }, 'private'],
    ['prompts/list', {}, 'public'],
    ['resources/list', {}, 'public'],
  ])('%s %j may be cached for an hour: %s', async (method, key, cacheScope) => {
    const [revision = ''] = REVISIONS;
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': revision,
      'io.modelcontextprotocol/clientInfo': { name: 'c', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const headers = { 'mcp-protocol-version': revision, 'mcp-method': method, ...key };
    const { result } = await face.rpc(method, { _meta }, headers);
    expect(result).toMatchObject({ ttlMs: 3_600_000, cacheScope });
    const { result: earlier } = await face.rpc(method, {}, key);
    expect(earlier).not.toHaveProperty('ttlMs');
  });
});

describe('the key', () => {
  it.each([
    ['as Authorization', () => ({ authorization: `Bearer ${apiKey}` }), () => ({})],
    ['as x-api-key', () => ({ 'x-api-key': apiKey }), () => ({})],
    ['as an argument', () => ({}), () => ({ api_key: apiKey })],
    ['both ways, the same', () => ({ 'x-api-key': apiKey }), () => ({ api_key: apiKey })],
  ])('%s', async (_, headers, args) => {
    const answer = await face.callTool('sell_data', { ...newListing, ...args() }, { headers: headers() });
    expect(answer.isError, answer.content[0]?.text).toBeUndefined();
  });

  it('in a header takes it off what tools ask for', async () => {
    const requiredOf = async (headers: Record<string, string>) => {
      const { result } = await face.rpc('tools/list', {}, headers);
      const tools = result?.tools as { name: string; inputSchema: { required: string[] } }[];
      return tools.find(({ name }) => name === 'deactivate_listing')?.inputSchema.required;
    };
    expect(await requiredOf({})).toEqual(['api_key', 'listing_id']);
    expect(await requiredOf({ authorization: `Bearer ${apiKey}` })).toEqual(['listing_id']);
  });
});

describe('a tool result', () => {
  const signedBody = (structured: object) => readSigned(new Response(JSON.stringify(structured)));

  it('is the signed body, with its provenance besides, and a text for a reader', async () => {
    const { content, structuredContent, _meta } = await face.callTool('list_verticals');
    const { body, provenance } = await signedBody(structuredContent);
    expect(structuredContent).toEqual({ ...body, provenance });
    expect(_meta[META.provenance]).toEqual(provenance);
    expect(content[0]?.text).toMatch(/^verticals:\n- slug data-general, listingCount 0\n/);
  });

  it('of a refusal is signed too, and its text says what is wrong', async () => {
    const { content, structuredContent } = await face.callTool('register_agent', {});
    expect((await signedBody(structuredContent)).body.code).toBe('validation_failed');
    expect(content[0]?.text).toMatch(/^Refused \(validation_failed\): .*\n- name: /);
  });

  it('whose content is too long for the text says so, with id, status and URL, and has it whole as data', async () => {
    const { structuredContent: listed } = await face.callTool('sell_data', {
      ...newListing,
      api_key: apiKey,
    });
    await face.callTool('set_delivery_endpoint', {
      api_key: apiKey,
      callback_url: 'http://localhost:9/deliver',
    });
    market.sellerEndpoint.script = sellerOf({ long: 'x'.repeat(2_000_000) });
    const listingId = (listed.listing as { id: string }).id;
    const { content, structuredContent } = await face.callTool('buy_data', { listing_id: listingId });
    const { id } = structuredContent;
    expect(content[0]?.text.split('\n')).toEqual([
      `id: ${id}`,
      'status: released',
      'contentStatus: delivered',
      'amountCents: 0',
      'Not in this text: content (2000011 characters of JSON). It is in structuredContent, and at ' +
        `${TEST_BASE_URL}/marketplace/purchases/${id}.`,
    ]);
    expect((structuredContent.content as { long: string }).long).toHaveLength(2_000_000);
  });
});

describe('an idempotency key', () => {
  it.each([
    ['in _meta', { meta: { [META.idempotencyKey]: 'once-1' } }],
    ['in the header', { headers: { 'idempotency-key': 'once-2' } }],
  ])('%s makes a repeated call happen once', async (_, options) => {
    const args = { ...newListing, api_key: apiKey };
    const first = await face.callTool('sell_data', args, options);
    const second = await face.callTool('sell_data', args, options);
    expect(second.structuredContent.listing).toEqual(first.structuredContent.listing);
    expect([first._meta[META.idempotencyReplayed], second._meta[META.idempotencyReplayed]]).toEqual([
      undefined,
      true,
    ]);
    const other = await face.callTool('sell_data', { ...args, title: 'Another' }, options);
    expect(other.structuredContent.code).toBe('idempotency_key_reused');
  });
});

describe('limits', () => {
  const figures = { limit: 2, windowSeconds: 60 };
  const strict = createTestMarketplace({
    overrides: {
      rateLimiter: createWindowRateLimiter(
        { read: figures, write: figures, register: figures, purchase: figures } as never,
        market.clock,
      ),
    },
  });
  const strictFace = createMcpFace(strict);

  it('refuse a tool call as a problem, with the seconds to wait', async () => {
    for (let i = 0; i < 2; i++) await strictFace.callTool('register_agent', { name: 'a' });
    const { isError, structuredContent, _meta } = await strictFace.callTool('register_agent', { name: 'a' });
    expect([isError, structuredContent.code]).toEqual([true, 'rate_limited']);
    expect(_meta[META.retryAfterSeconds]).toBeGreaterThan(0);
  });

  it('refuse other messages with 429', async () => {
    const message = { jsonrpc: '2.0', id: 5, method: 'ping' };
    for (let i = 0; i < 2; i++) expect((await strictFace.post(message)).status).toBe(200);
    const response = await strictFace.post(message);
    const { id, error } = (await response.json()) as { id: number; error: { data: { code: string } } };
    expect([response.status, id, error.data.code]).toEqual([429, 5, 'rate_limited']);
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
  });
});
