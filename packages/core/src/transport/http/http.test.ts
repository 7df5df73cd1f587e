import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { createWindowRateLimiter } from '../../adapters/rate-limit/window-rate-limiter.ts';
import { defineOperation } from '../../kernel/operation/operation.ts';
import { FakeClock } from '../../testing/doubles/fake-clock.ts';
import { readSigned } from '../../testing/marketplace/read-signed.ts';
import { createTestMarketplace, type RequestOptions } from '../../testing/marketplace/workers-harness.ts';

const market = createTestMarketplace();

async function send(method: string, path: string, options: RequestOptions = {}, at = market) {
  const response = await at.request(method, path, options);
  return { status: response.status, headers: response.headers, ...(await readSigned(response)) };
}

const JSON_TYPE = { 'content-type': 'application/json' };
const postText = (body: string | Uint8Array, headers: Record<string, string> = JSON_TYPE) =>
  send('POST', '/agents/register', { body, headers });

describe('a body', () => {
  it.each(['text/plain', 'application/x-www-form-urlencoded', 'application/jsonx', 'text/json', ''])(
    'of type %j is 415',
    async (type) => {
      const { status, body } = await postText('{"name":"x"}', { 'content-type': type });
      expect([status, body.code]).toEqual([415, 'unsupported_media_type']);
    },
  );

  it.each([
    'application/json',
    'application/json; charset=utf-8',
    'APPLICATION/JSON',
    'application/vnd.x+json',
  ])('of type %j is read', async (type) => {
    expect((await postText('{"name":"x"}', { 'content-type': type })).status).toBe(201);
  });

  it.each([
    ['no JSON', '{name: "x"}'],
    ['cut off', '{"name":"x"'],
    ['two values', '{"name":"x"} {}'],
    ['an array', '[{"name":"x"}]'],
    ['a scalar', '"x"'],
    ['null', 'null'],
    ['65 levels deep', `{"name":"x","utm":${'['.repeat(64)}${']'.repeat(64)}}`],
    ['a million levels deep', '['.repeat(1_000_000)],
    ['the same key twice', '{"name":"x","name":"y"}'],
    ['the same key twice, once escaped', '{"name":"x","n\\u0061me":"y"}'],
    ['half a surrogate pair', '{"name":"\\ud800"}'],
    ['a byte order mark', '\ufeff{"name":"x"}'],
  ])('with %s is 400', async (_, text) => {
    const { status, body } = await postText(text);
    expect([status, body.code]).toEqual([400, 'malformed_json']);
  });

  it.each(['1e400', '9007199254740993'])('with the number %s is 400, with its place', async (number) => {
    const { status, body } = await postText(`{"name":"x","utm":{"n":${number}}}`);
    expect([status, body.code]).toEqual([400, 'number_not_exact']);
    expect(body.errors).toMatchObject([{ path: 'utm.n' }]);
  });

  it('that is not UTF-8 is 400', async () => {
    const { status, body } = await postText(Uint8Array.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]));
    expect([status, body.code]).toEqual([400, 'malformed_json']);
  });

  it('that is absent is an empty object', async () => {
    const { status, body } = await send('POST', '/agents/register');
    expect(status).toBe(400);
    expect((body.errors as { path: string }[]).map(({ path }) => path)).toEqual(['name']);
  });

  it('of 1 MiB is read, of one byte more is 413', async () => {
    const wrapper = '{"name":""}'.length;
    const fits = await postText(`{"name":"${'x'.repeat(1024 * 1024 - wrapper)}"}`);
    expect(fits.body.code).toBe('validation_failed');
    const { status, body } = await postText(`{"name":"${'x'.repeat(1024 * 1024 - wrapper + 1)}"}`);
    expect([status, body.code]).toEqual([413, 'body_too_large']);
  });

  it('of 1 MiB is 413 when its length is not declared, too', async () => {
    const chunk = new TextEncoder().encode('x'.repeat(64 * 1024));
    let chunks = 0;
    const stream = new ReadableStream({
      type: 'bytes',
      pull(controller) {
        chunks += 1;
        if (chunks > 17) controller.close();
        else controller.enqueue(chunk.slice());
      },
    });
    const { status } = await send('POST', '/agents/register', { stream, headers: JSON_TYPE });
    expect(status).toBe(413);
  });
});

describe('a path and a method', () => {
  it.each(['/nothing', '/agents/', '/agents/x/y/z', '/AGENTS'])('%s is a signed 404', async (path) => {
    const { status, body, headers } = await send('GET', path);
    expect([status, body.code]).toEqual([404, 'path_not_found']);
    expect(headers.get('content-type')).toBe('application/problem+json');
  });

  it.each(['/agents/%E0%A4%A', '/agents/%', '/agents/%00', '/agents/%2e%2e%2f', '/%zz', '/agents/a%2Fb'])(
    '%s, oddly encoded, is refused like any other that is not there',
    async (path) => {
      const { status } = await send('GET', path);
      expect([400, 404]).toContain(status);
    },
  );

  it.each([
    ['DELETE', '/agents', 'GET, HEAD, OPTIONS'],
    ['GET', '/agents/register', 'POST, OPTIONS'],
    ['PUT', '/signing-key', 'GET, HEAD, OPTIONS'],
  ])('%s %s is 405 and says what is allowed', async (method, path, allow) => {
    const { status, body, headers } = await send(method, path);
    expect([status, body.code]).toEqual([405, 'method_not_allowed']);
    expect(headers.get('allow')).toBe(allow);
  });

  it('HEAD gives the headers of GET and no body', async () => {
    const response = await market.request('HEAD', '/agents');
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(response.headers.get('etag')).toMatch(/^W\/"[0-9a-f]{64}"$/);
    expect(await response.text()).toBe('');
    expect((await market.request('HEAD', '/nothing')).status).toBe(404);
  });

  it.each(['/agents', '/agents/register', '/nothing'])('OPTIONS %s answers a preflight', async (path) => {
    const response = await market.request('OPTIONS', path, {
      headers: { origin: 'https://app.example', 'access-control-request-method': 'POST' },
    });
    expect(response.status).toBe(204);
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(response.headers.get('access-control-allow-methods')).toContain('PATCH');
    expect(response.headers.get('access-control-allow-headers')).toBe('*, Authorization');
    expect(response.headers.has('access-control-allow-credentials')).toBe(false);
  });

  it('every answer may be read from any origin, also errors', async () => {
    for (const path of ['/agents', '/nothing']) {
      const response = await market.request('GET', path);
      expect(response.headers.get('access-control-allow-origin')).toBe('*');
      expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    }
  });
});

describe('a problem', () => {
  it('has the members of RFC 9457 and ours', async () => {
    const { body, headers } = await send('GET', '/agents?limit=x');
    expect(Object.keys(body)).toEqual([
      'code',
      'detail',
      'errors',
      'requestId',
      'retryable',
      'status',
      'title',
      'type',
    ]);
    expect(body).toMatchObject({
      status: 400,
      retryable: false,
      type: 'http://localhost/api/problems/validation_failed',
      requestId: headers.get('x-request-id'),
    });
    expect(headers.get('cache-control')).toBe('no-store');
  });

  it('of our own making names no inner detail', async () => {
    const broken = createTestMarketplace({
      overrides: {
        signer: {
          ...market.newPorts().signer,
          activeKey: () => Promise.reject(new Error('secret inner detail')),
        },
      },
    });
    const { status, body, text } = await send('GET', '/signing-key', {}, broken);
    expect([status, body.code, body.retryable]).toEqual([500, 'internal_error', true]);
    expect(text).not.toContain('secret');
    expect(broken.log.lines).toHaveLength(1);
  });
});

describe('validators', () => {
  it('an unchanged answer is 304 with its tag, a changed one is not', async () => {
    const first = await market.request('GET', '/agents');
    const etag = first.headers.get('etag') ?? '';
    const again = await market.request('GET', '/agents', { headers: { 'if-none-match': etag } });
    expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', etag]);
    const listed = await market.request('GET', '/agents', { headers: { 'if-none-match': `"a", ${etag}` } });
    expect(listed.status).toBe(304);

    await market.request('POST', '/agents/register', { body: { name: 'New' } });
    const changed = await market.request('GET', '/agents', { headers: { 'if-none-match': etag } });
    expect(changed.status).toBe(200);
  });

  it('a cached answer is 304 as well, and goes out without a round trip until it is stale', async () => {
    const first = await market.request('GET', '/signing-key');
    const etag = first.headers.get('etag') ?? '';
    expect(first.headers.get('cache-control')).toBe('public, max-age=60, stale-if-error=86400');
    market.market.reset();
    const again = await market.request('GET', '/signing-key', { headers: { 'if-none-match': etag } });
    expect([again.status, await again.text(), again.headers.get('content-type')]).toEqual([304, '', null]);
    await readSigned(await market.request('GET', '/signing-key'));
    expect(market.market.count).toBe(0);
    market.clock.advance(60_001);
    await market.request('GET', '/signing-key');
    expect(market.market.count).toBe(1);
  });

  it('whatever there is, is known to who sends `*`: kept or not, JSON or document; what is not there is 404', async () => {
    const ask = (path: string, method = 'GET') =>
      market.request(method, path, { headers: { 'if-none-match': ' * ' } });
    for (const path of ['/agents', '/signing-key', '/signing-key', '/openapi.json']) {
      const response = await ask(path);
      expect([path, response.status, await response.text()]).toEqual([path, 304, '']);
      expect(response.headers.get('etag')).toMatch(/^W\/"[0-9a-f]{64}"$/);
    }
    expect((await ask('/agents/agent-00000000')).status).toBe(404);
  });

  it('is no condition on what changes something', async () => {
    const response = await market.request('POST', '/agents/register', {
      body: { name: 'Grace' },
      headers: { 'if-none-match': '*' },
    });
    expect(response.status).toBe(201);
  });

  it('what depends on the caller is not for shared caches', async () => {
    const { body } = await send('POST', '/agents/register', { body: { name: 'Ada' } });
    const response = await market.request('GET', '/agents/me', { apiKey: String(body.apiKey) });
    expect(response.headers.get('cache-control')).toBe('private, no-cache');
  });
});

describe('rates', () => {
  const clock = new FakeClock();
  const figures = { limit: 2, windowSeconds: 60 };
  const table = {
    read: figures,
    write: figures,
    register: figures,
    purchase: figures,
    x402: figures,
    inquiry: figures,
  };
  const limited = createTestMarketplace({
    overrides: { clock, rateLimiter: createWindowRateLimiter(table, clock) },
  });
  const from = (address: string) => ({ headers: { 'cf-connecting-ip': address } });

  it('are stated in headers; the first request too many is 429', async () => {
    const first = await limited.request('GET', '/agents', from('192.0.2.7'));
    expect(first.headers.get('ratelimit-policy')).toBe('"read";q=2;w=60');
    expect(first.headers.get('ratelimit')).toBe('"read";r=1;t=60');
    clock.advance(15_000);
    await limited.request('GET', '/agents', from('192.0.2.7'));
    const refused = await send('GET', '/agents', from('192.0.2.7'), limited);
    expect([refused.status, refused.body.code, refused.body.retryable]).toEqual([429, 'rate_limited', true]);
    expect(refused.headers.get('retry-after')).toBe('45');
    expect(refused.headers.get('ratelimit')).toBe('"read";r=0;t=45');
  });

  it('are counted per address, and start anew with each window', async () => {
    expect((await limited.request('GET', '/agents', from('192.0.2.8'))).status).toBe(200);
    clock.advance(45_000);
    expect((await limited.request('GET', '/agents', from('192.0.2.7'))).status).toBe(200);
  });

  it('do not start anew with each guess of a key', async () => {
    const statuses = [];
    for (let n = 0; n < 4; n += 1) {
      const headers = { ...from('192.0.2.9').headers, 'x-api-key': `mkt_live_guess${n}` };
      statuses.push((await limited.request('GET', '/agents/me', { headers })).status);
    }
    expect(statuses).toEqual([401, 401, 429, 429]);
  });

  it('are one for all addresses of an IPv6 network', async () => {
    const statuses = [];
    for (let n = 1; n <= 4; n += 1) {
      statuses.push((await limited.request('GET', '/agents', from(`2001:db8:0:9::${n}`))).status);
    }
    expect(statuses).toEqual([200, 200, 429, 429]);
    expect((await limited.request('GET', '/agents', from('2001:db8:0:a::1'))).status).toBe(200);
  });
});

describe('keys that are none', () => {
  const clock = new FakeClock();
  const figures = { limit: 5, windowSeconds: 60 };
  const table = {
    read: figures,
    write: figures,
    register: figures,
    purchase: figures,
    x402: figures,
    inquiry: figures,
  };
  const limited = createTestMarketplace({
    overrides: { clock, rateLimiter: createWindowRateLimiter(table, clock) },
  });
  const ask = async (key: string, address = '192.0.2.20', path = '/agents/me') => {
    const headers = { 'x-api-key': key, 'cf-connecting-ip': address };
    return (await limited.request('GET', path, { headers })).status;
  };
  const register = async () => {
    const headers = { 'cf-connecting-ip': '192.0.2.21' };
    return String(
      (await send('POST', '/agents/register', { body: { name: 'Ada' }, headers }, limited)).body.apiKey,
    );
  };
  const guesses = (times: number) => Array.from({ length: times }, (_, n) => `mkt_live_${clock.now()}_${n}`);

  it('are not looked up any more once there were too many of an address', async () => {
    for (const key of guesses(5)) expect(await ask(key)).toBe(401);
    limited.market.reset();
    for (const key of guesses(50)) expect(await ask(key)).toBe(429);
    expect(limited.market.count).toBe(0);
  });

  it('do not shut out a key of the same address that is known, nor other addresses', async () => {
    const key = await register();
    expect(await ask(key, '192.0.2.22')).toBe(200);
    expect(await ask(key)).toBe(200);
    expect(await ask('mkt_live_other', '192.0.2.23')).toBe(401);
    clock.advance(60_000);
    expect(await ask(await register())).toBe(200);
  });

  it('are let through in part only where they come all at once', async () => {
    clock.advance(60_000);
    limited.market.reset();
    const statuses = await Promise.all(guesses(100).map((key) => ask(key)));
    expect(statuses.filter((status) => status === 401)).toHaveLength(5);
    expect(limited.market.count).toBe(5);
  });

  it('count with input that is refused, against their address', async () => {
    clock.advance(60_000);
    const statuses = [];
    for (const key of guesses(7)) statuses.push(await ask(key, '192.0.2.24', '/agents/me/inbox?limit=0'));
    expect(statuses).toEqual([400, 400, 400, 400, 400, 429, 429]);
  });

  it('push out no window of others, however many there are', async () => {
    clock.advance(60_000);
    const key = await register();
    for (let n = 0; n < 5; n += 1) await ask(key, '192.0.2.25');
    const { rateLimiter } = limited.newPorts();
    for (let n = 0; n < 25_000; n += 1) {
      if (rateLimiter.keys.begin('192.0.2.26') === null)
        rateLimiter.keys.end('192.0.2.26', `key ${n}`, 'invalid');
    }
    expect(await ask(key, '192.0.2.25')).toBe(429);
  });

  it('of one agent share its limit: making keys makes no more room', async () => {
    clock.advance(60_000);
    const first = await register();
    const made = await send(
      'POST',
      '/agents/me/keys',
      { apiKey: first, body: { label: 'second', scopes: ['read'] } },
      limited,
    );
    const second = String(made.body.apiKey);
    const { read } = table;
    const statuses: number[] = [];
    for (let n = 0; n <= read.limit; n += 1) statuses.push(await ask(n % 2 === 0 ? first : second));
    expect(statuses).toEqual([...Array.from({ length: read.limit }, () => 200), 429]);
    expect(await ask(await register())).toBe(200);
  });

  it('are not held against an address while the database cannot say', async () => {
    clock.advance(60_000);
    const key = await register();
    limited.market.fault = () => 'lose_request';
    for (let n = 0; n < 8; n += 1) expect(await ask(key, '192.0.2.27')).toBe(503);
    limited.market.fault = () => undefined;
    expect(await ask(key, '192.0.2.27')).toBe(200);
  });
});

describe('while the database is down', () => {
  const down = createTestMarketplace();

  it('is 503 with Retry-After, but the last good public answer stands in', async () => {
    const good = await send('GET', '/signing-key', {}, down);
    down.clock.advance(61_000);
    down.market.fault = () => 'lose_request';
    const stale = await send('GET', '/signing-key', {}, down);
    expect([stale.status, stale.text]).toEqual([200, good.text]);

    const refused = await send('GET', '/agents', {}, down);
    expect([refused.status, refused.body.code]).toEqual([503, 'service_unavailable']);
    expect(refused.headers.get('retry-after')).toBe('2');

    down.clock.advance(86_400_000);
    expect((await send('GET', '/signing-key', {}, down)).status).toBe(503);
  });
});

describe('names on the wire', () => {
  const renamed = defineOperation({
    name: 'renamed',
    summary: 'For this test.',
    area: 'Meta',
    auth: 'none',
    input: z.object({ priceCents: z.int(), flag: z.boolean().optional(), depth: z.string().optional() }),
    output: z.object({ flag: z.boolean().nullable(), priceCents: z.int(), depth: z.string().nullable() }),
    errors: [],
    http: {
      method: 'get',
      path: '/renamed/{price_cents}',
      status: 200,
      names: { priceCents: 'price_cents' },
      headers: { depth: 'X-Depth' },
    },
    rate: 'read',
    handle: async (_, { priceCents, flag, depth }) => ({
      depth: depth ?? null,
      flag: flag ?? null,
      priceCents,
    }),
  });
  const other = createTestMarketplace({ operations: [renamed] });

  it('stand for the fields, which text becomes the values of', async () => {
    const { body } = await send('GET', '/renamed/5?flag=false', { headers: { 'x-depth': 'd' } }, other);
    expect(body).toEqual({ depth: 'd', flag: false, priceCents: 5 });
  });

  it('name the field in errors', async () => {
    const { body } = await send('GET', '/renamed/x?flag=1', {}, other);
    expect((body.errors as { path: string }[]).map(({ path }) => path)).toEqual(['price_cents', 'flag']);
  });

  it('are taken beside the fields of their own names, and the path wins over all', async () => {
    const own = await send('GET', '/renamed/5?priceCents=7', {}, other);
    expect(own.body.priceCents).toBe(5);
    const twice = await send('GET', '/renamed/5?price_cents=7', {}, other);
    expect(twice.body.priceCents).toBe(5);
  });
});
