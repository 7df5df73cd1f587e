import { replied, sellerOf } from '@agent-marketplace/core/testing/doubles/fake-seller-endpoint.ts';
import { createTestMarketplace } from '@agent-marketplace/core/testing/marketplace/workers-harness.ts';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { clause } from './clause.ts';
import { createService, DATE_TIME, type Party, pathsOf } from './service.ts';

const service = createService();
const { sellerEndpoint } = service.market;
const URL_OF_SELLER = 'http://localhost:9/deliver';
let seller: Party;
beforeAll(async () => {
  seller = await service.register('Seller', '/sell/register');
});
afterEach(() => {
  sellerEndpoint.script = sellerOf({});
});

const callback = (body: object, key = seller.apiKey) => service.post('/sell/callback', body, { key });
const endpointOf = async ({ apiKey: key }: Party) => (await service.get('/sell/me', { key })).body.endpoint;

interface RpcCall {
  readonly id?: number;
  readonly method: string;
  readonly params?: { readonly name: string; readonly arguments: { readonly nonce?: string } };
}

/** A seller's MCP server: its tool `deliver` repeats nonces, and delivers this data. */
function mcpServerOf(data: object, wantsSession = false): typeof sellerEndpoint.script {
  return ({ body, headers }) => {
    const { id, method, params } = JSON.parse(body) as RpcCall;
    if (id === undefined) return replied('', 202);
    if (wantsSession && headers?.['mcp-protocol-version'] === '2026-07-28') return replied('', 400);
    const nonce = params?.arguments?.nonce;
    const structuredContent = nonce === undefined ? { data } : { nonce };
    const result =
      method === 'initialize' ? { protocolVersion: '2025-06-18', capabilities: {} } : { structuredContent };
    return replied({ jsonrpc: '2.0', id, result }, 200, { 'content-type': 'application/json' });
  };
}

describe('POST /sell/register', () => {
  it('response 201, without auth: a seller with an API key', async () => {
    const { status, body } = await service.post('/sell/register', { name: 'Shop' });
    expect(status).toBe(201);
    expect(body).toMatchObject({ apiKey: expect.stringMatching(/^mkt_live_/), sellerId: body.id });
    expect(body).toHaveProperty('onboardingUrl');
  });

  clause('selling.register-name');
  it('name required; email format; referralSource at most 300; referrer at most 500; utm at most 8 keys', async () => {
    const utm = Object.fromEntries([...'123456789'].map((key) => [key, 'v']));
    const wrong = {
      email: 'nobody',
      referralSource: 's'.repeat(301),
      referrer: 'r'.repeat(501),
      utm,
    };
    expect(pathsOf(await service.post('/sell/register', {}))).toEqual(['name']);
    for (const [field, value] of Object.entries(wrong)) {
      const reply = await service.post('/sell/register', { name: 'Shop', [field]: value });
      expect(pathsOf(reply)).toEqual([field]);
    }
  });
});

describe('POST /sell/callback', () => {
  clause('selling.callback-key');
  it('needs a key; callbackUrl required', async () => {
    expect((await service.post('/sell/callback', { callbackUrl: URL_OF_SELLER })).status).toBe(401);
    expect(pathsOf(await callback({}))).toEqual(['callbackUrl']);
  });

  clause('endpoint-states.verified', 'selling.callback-type', 'selling.callback-200');
  it('response 200: endpoint verified; callbackType default webhook', async () => {
    const { status, body } = await callback({ callbackUrl: URL_OF_SELLER });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      verified: true,
      callbackType: 'webhook',
      callbackUrl: URL_OF_SELLER,
      verifiedAt: expect.stringMatching(DATE_TIME),
    });
    // It is kept, and where what is bought is asked for from now on.
    expect(await endpointOf(seller)).toMatchObject({
      callbackType: 'webhook',
      callbackUrl: URL_OF_SELLER,
      verified: true,
    });
    const { id } = await service.list(seller);
    await service.post(`/marketplace/listings/${id}/purchase`);
    expect(sellerEndpoint.requests.at(-1)).toMatchObject({
      url: URL_OF_SELLER,
      body: expect.stringContaining('delivery_request'),
    });
  });

  clause('selling.callback-type', 'selling.mcp');
  it('callbackType enum webhook, polling, mcp', async () => {
    expect(pathsOf(await callback({ callbackUrl: URL_OF_SELLER, callbackType: 'mail' }))).toEqual([
      'callbackType',
    ]);
    const server = await service.register('Server', '/sell/register');
    sellerEndpoint.requests.length = 0;
    sellerEndpoint.script = mcpServerOf({ answer: 43 });
    const callbackUrl = 'http://localhost:9/mcp';
    const { body } = await callback({ callbackUrl, callbackType: 'mcp' }, server.apiKey);
    expect(body).toMatchObject({ verified: true, callbackType: 'mcp' });
    const { id } = await service.list(server);
    const bought = await service.post(`/marketplace/listings/${id}/purchase`, { query: { day: 1 } });
    expect(bought.body).toMatchObject({ status: 'released', content: { answer: 43 } });
    const calls = sellerEndpoint.requests.map(({ body: sent }) => JSON.parse(sent) as RpcCall);
    expect(calls.map(({ method }) => method)).toEqual(['tools/call', 'tools/call']);
    expect(calls.map(({ params }) => params)).toMatchObject([
      { name: 'deliver', arguments: { type: 'verification_challenge' } },
      { name: 'deliver', arguments: { type: 'delivery_request', listingId: id, query: { day: 1 } } },
    ]);
  });

  clause('selling.mcp');
  it('an MCP server that wants a session is asked for one at once, after it was verified', async () => {
    const server = await service.register('Server', '/sell/register');
    sellerEndpoint.script = mcpServerOf({ answer: 44 }, true);
    await callback({ callbackUrl: 'http://localhost:9/sessions', callbackType: 'mcp' }, server.apiKey);
    const { id } = await service.list(server);
    sellerEndpoint.requests.length = 0;
    const bought = await service.post(`/marketplace/listings/${id}/purchase`, {});
    expect(bought.body).toMatchObject({ status: 'released', content: { answer: 44 } });
    const calls = sellerEndpoint.requests.map(({ body: sent }) => JSON.parse(sent) as RpcCall);
    expect(calls.map(({ method }) => method)).toEqual([
      'initialize',
      'notifications/initialized',
      'tools/call',
    ]);
  });

  clause('selling.callback-https', 'events.target');
  it('must be public https', async () => {
    const strict = createService(createTestMarketplace({ settings: { sellerEndpoints: 'public' } }));
    const { apiKey: key } = await strict.register('Shop', '/sell/register');
    for (const callbackUrl of [
      URL_OF_SELLER,
      'http://example.com/',
      'https://127.0.0.1/',
      'https://0x7f.1/',
      'https://[::1]/',
      'https://localhost/',
      'https://printer.local/',
      'https://user@example.com/',
      'https://example.com:25/',
    ]) {
      const reply = await strict.post('/sell/callback', { callbackUrl }, { key });
      expect([reply.status, pathsOf(reply)], callbackUrl).toEqual([400, ['callbackUrl']]);
    }
    expect(strict.market.sellerEndpoint.requests).toEqual([]);
  });
});

describe('Events: verification_challenge', () => {
  clause('endpoint-states.fresh-nonce', 'events.freshness', 'events.challenge');
  it('body {type, nonce (48-char hex, single-use), issuedAt, instructions}', async () => {
    const sent: Record<string, string>[] = [];
    for (let n = 0; n < 2; n += 1) {
      service.market.clock.advance(60_000);
      expect((await callback({ callbackUrl: URL_OF_SELLER })).status).toBe(200);
      const message = JSON.parse(sellerEndpoint.requests.at(-1)?.body ?? '') as Record<string, string>;
      expect(Object.keys(message).sort()).toEqual(['instructions', 'issuedAt', 'nonce', 'type']);
      expect(message).toMatchObject({
        type: 'verification_challenge',
        nonce: expect.stringMatching(/^[0-9a-f]{48}$/),
        issuedAt: new Date(service.market.clock.now()).toISOString(),
        instructions: expect.stringContaining('nonce'),
      });
      sent.push(message);
    }
    expect(sent[0]?.nonce).not.toBe(sent[1]?.nonce);
    // What answered one challenge answers no other.
    sellerEndpoint.script = () => replied({ nonce: sent[1]?.nonce });
    expect((await callback({ callbackUrl: URL_OF_SELLER })).body.code).toBe('endpoint_not_verified');
  });

  clause('endpoint-states.verified', 'events.url-as-registered', 'limits.challenge');
  it('reply within 15 s, capped at 64 KB, to the URL exactly as registered', async () => {
    const callbackUrl = 'http://LOCALHOST:9/Deliver?a=%7e';
    await callback({ callbackUrl });
    expect(sellerEndpoint.requests.at(-1)).toMatchObject({
      url: callbackUrl,
      timeoutMs: 15_000,
      maxBytes: 64 * 1024,
    });
  });

  clause('endpoint-states.failed', 'events.challenge-reply');
  it.each([
    ['another nonce', () => replied({ nonce: '0'.repeat(48) })],
    ['no nonce', () => replied({})],
    ['HTTP 201', ({ body }: { body: string }) => replied({ nonce: JSON.parse(body).nonce }, 201)],
    ['HTTP 404', () => replied({}, 404)],
    ['HTTP 500', () => replied({}, 500)],
    ['text', () => replied('ok')],
    ['a redirect', () => ({ kind: 'redirected', status: 302 }) as const],
    ['nothing', () => ({ kind: 'unreachable' }) as const],
    ['too much', () => replied({ nonce: 'x'.repeat(65 * 1024) })],
  ])('any other reply fails: %s', async (_, script) => {
    const fresh = await service.register('Fresh', '/sell/register');
    sellerEndpoint.script = script;
    const { status, body } = await callback({ callbackUrl: 'http://localhost:9/fresh' }, fresh.apiKey);
    expect([status, body.code, await endpointOf(fresh)]).toEqual([502, 'endpoint_not_verified', null]);
  });

  clause('endpoint-states.failed');
  it('too late: fails as timed out, and may be tried again', async () => {
    sellerEndpoint.script = () => ({ kind: 'timed_out' });
    const { status, body } = await callback({ callbackUrl: URL_OF_SELLER });
    expect([status, body.code, body.retryable]).toEqual([504, 'endpoint_timed_out', true]);
  });

  clause('endpoint-states.keeps');
  it('a failure leaves the endpoint that was verified before', async () => {
    const good = await service.seller('http://localhost:9/good');
    sellerEndpoint.script = () => replied({}, 500);
    await callback({ callbackUrl: 'http://localhost:9/bad' }, good.apiKey);
    sellerEndpoint.script = sellerOf({ a: 1 });
    const { id } = await service.list(good);
    await service.post(`/marketplace/listings/${id}/purchase`);
    expect(sellerEndpoint.requests.at(-1)?.url).toBe('http://localhost:9/good');
  });
});

describe('GET and POST /sell/deliveries (callbackType polling)', () => {
  clause('selling.polling');
  it('the seller fetches a challenge and a delivery, and answers both', async () => {
    const poller = await service.register('Poller', '/sell/register');
    const key = poller.apiKey;
    const answerNext = async (answer: (request: Record<string, unknown>) => object) => {
      for (;;) {
        const { body } = await service.get('/sell/deliveries', { key });
        const [next] = body.deliveries as { id: string; request: Record<string, unknown> }[];
        if (next) return service.post(`/sell/deliveries/${next.id}`, answer(next.request), { key });
      }
    };
    const verifying = callback({ callbackUrl: URL_OF_SELLER, callbackType: 'polling' }, key);
    await answerNext(({ nonce }) => ({ nonce }));
    expect((await verifying).body).toMatchObject({ verified: true, callbackType: 'polling' });

    const { id } = await service.list(poller);
    const buying = service.post(`/marketplace/listings/${id}/purchase`, { query: { day: 1 } });
    await answerNext(({ query }) => ({ data: { echo: query } }));
    expect((await buying).body).toMatchObject({ status: 'released', content: { echo: { day: 1 } } });
  });

  it('are for the seller alone', async () => {
    expect((await service.get('/sell/deliveries')).status).toBe(401);
    const poller = await service.register('Poller', '/sell/register');
    const verifying = callback({ callbackUrl: URL_OF_SELLER, callbackType: 'polling' }, poller.apiKey);
    const pending = async (party: Party) =>
      (await service.get('/sell/deliveries', { key: party.apiKey })).body.deliveries as {
        id: string;
        request: { nonce: string };
      }[];
    let [message] = await pending(poller);
    while (!message) [message] = await pending(poller);
    expect(await pending(seller)).toEqual([]);
    const answer = { nonce: message.request.nonce };
    const stolen = await service.post(`/sell/deliveries/${message.id}`, answer, { key: seller.apiKey });
    expect(stolen.status).toBe(404);
    await service.post(`/sell/deliveries/${message.id}`, answer, { key: poller.apiKey });
    expect((await verifying).status).toBe(200);
  });
});
