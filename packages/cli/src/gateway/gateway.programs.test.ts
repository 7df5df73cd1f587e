import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { DeliveryPurpose } from '@agent-marketplace/protocol/delivery-purpose.ts';
import type { JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import { signingKeyDocument } from '@agent-marketplace/protocol/testing/signing-party.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startSellerBench, WANTED } from '../../../../test/sdk/seller-bench.ts';
import { challengeEndpoint } from '../../../core/src/delivery/challenge-endpoint.ts';
import { deliver } from '../../../core/src/delivery/deliver.ts';
import { proveServed } from '../sell/prove-served.ts';
import { readTools } from '../sell/read-tools.ts';
import { createCliHome } from '../testing/run-cli.ts';
import { startServer } from '../testing/start-server.ts';
import { readGatewayConfig, updateGatewayConfig } from './config-file.ts';
import type { Credential, GatewayConfig, HttpUpstream, Upstream } from './gateway-config.ts';
import { serveGateway } from './serve-gateway.ts';

// The gateway as it is run, asked by the marketplace's own code.

const SECRET = 's3cret-of-the-seller';
const { party, time, ports, target, close } = await startSellerBench(() => null);
const home = await createCliHome({ SHORT: 's3c' });
const configPath = join(home.folder, 'gateway.json');
const log: string[] = [];

const marketplace = await startServer((request, response) => {
  if (request.url !== '/api/signing-key') return response.writeHead(404).end();
  return response
    .writeHead(200, { 'content-type': 'application/json' })
    .end(JSON.stringify(signingKeyDocument(party)));
});
const keysElsewhere: (string | undefined)[] = [];
const elsewhere = await startServer((request, response) => {
  keysElsewhere.push(request.headers.authorization);
  response.writeHead(200, { 'content-type': 'application/json' }).end('{"temperature":1}');
});
let calls = 0;
const upstream = await startServer((request, response) => {
  calls += 1;
  const json = (status: number, body: unknown, headers = {}) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
  const city = decodeURIComponent((request.url ?? '').split('/')[2] ?? '');
  switch (city) {
    case 'html':
      return response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><p>Sign in</p>');
    case 'slow':
      return undefined;
    case 'dripping':
      response.writeHead(200, { 'content-type': 'application/json' }).write('{"temperature":');
      return undefined;
    case 'elsewhere':
      return response.writeHead(302, { location: `${elsewhere.url}/steal` }).end();
    case 'moved':
      return response.writeHead(307, { location: '/cities/Brest' }).end();
    case 'round':
      return response.writeHead(302, { location: '/cities/round' }).end();
    case 'broken':
      return response.destroy();
    case 'large':
      return json(200, { temperature: 1, text: 'x'.repeat(11 * 1024 * 1024) });
    case 'echo':
      return json(200, { temperature: 1, auth: btoa(request.headers.authorization ?? '') });
    case 'wrong':
      return json(200, { temperature: 'warm' });
    case 'busy':
      return json(429, {}, { 'retry-after': '17' });
    default:
      return /^\d+$/.test(city)
        ? json(Number(city), {})
        : json(200, { temperature: 18.5, key: request.headers.authorization === `Bearer ${SECRET}` });
  }
});

const cities: HttpUpstream = {
  kind: 'http',
  method: 'get',
  url: `${upstream.url}/cities/{city}`,
  parameters: [{ member: 'city', name: 'city', in: 'path', style: 'simple', explode: false }],
  fixed: [],
  credentials: [{ in: 'header', name: 'authorization', prefix: 'Bearer ', encoding: 'plain', env: 'KEY' }],
  body: null,
  answer: 'object',
};
const plain: Credential = {
  in: 'header',
  name: 'x-key',
  prefix: '',
  encoding: 'plain',
  env: 'KEY',
};
const listingOf = (of: Upstream, more = {}) => ({
  title: 'Weather',
  upstream: of,
  inputSchema: {
    type: 'object',
    required: ['city'],
    properties: { city: { type: 'string' } },
    additionalProperties: false,
  },
  outputSchema: {
    type: 'object',
    properties: { temperature: { type: 'number' } },
    required: ['temperature'],
  },
  timeoutMs: 400,
  ...more,
});
const configOf = (listings: GatewayConfig['listings'], callbackUrl = 'http://localhost/'): GatewayConfig => ({
  marketplace: `${marketplace.url}/api`,
  callbackUrl,
  sellerId: 's-1',
  listings,
});
const write = (config: unknown) => writeFileSync(configPath, JSON.stringify(config), { mode: 0o600 });

let gateway: Awaited<ReturnType<typeof serveGateway>>;
let callbackUrl: string;
const serve = (port: number) =>
  serveGateway({
    configPath,
    secrets: { KEY: SECRET },
    answersPath: join(home.folder, 'answers'),
    host: '127.0.0.1',
    port,
    log: (line) => log.push(line),
  });
beforeAll(async () => {
  write(configOf({}));
  gateway = await serve(0);
  callbackUrl = `http://localhost:${gateway.port}/deliver`;
  write(
    configOf({ 'l-1': listingOf(cities), patient: listingOf(cities, { timeoutMs: 20_000 }) }, callbackUrl),
  );
});
beforeEach(() => {
  log.length = 0;
});
afterAll(async () => {
  await gateway?.close();
  await Promise.all([marketplace.close(), upstream.close(), elsewhere.close(), close(), home.remove()]);
});

/** Two equal requests in one millisecond are one: each is sent at a time of its own. */
const ask = (query: JsonObject, listingId = 'l-1', purpose?: DeliveryPurpose) => {
  requestCount += 1;
  time.marketplace = Date.now() - 60_000 + requestCount;
  return deliver(
    ports(),
    { ...WANTED, listingId, query },
    { ...target(callbackUrl), ...(purpose && { purpose }) },
  );
};
let requestCount = 0;

describe('the marketplace', () => {
  it('gets its nonce, with the seller named', async () => {
    time.marketplace = Date.now();
    expect(await challengeEndpoint(ports(), target(callbackUrl), 'ab'.repeat(24))).toEqual({
      verified: true,
      namesSeller: true,
      mcpRevision: null,
    });
    expect((await fetch(`http://127.0.0.1:${gateway.port}/`)).status).toBe(200);
  });

  it('is kept connected for longer than its proxy keeps an idle connection', async () => {
    const { headers } = await fetch(callbackUrl, { method: 'POST', body: '{}' });
    expect(Number(headers.get('keep-alive')?.replace('timeout=', ''))).toBeGreaterThan(15 * 60);
  });

  it('gets what the upstream answers, with its digest', async () => {
    const outcome = await ask({ city: 'São Paulo/SP' });
    expect(outcome.kind === 'delivered' && JSON.parse(new TextDecoder().decode(outcome.content))).toEqual({
      temperature: 18.5,
      key: true,
      __sha256: expect.stringMatching(/^sha256:/),
    });
    expect(log).toEqual(['l-1: 200.']);
    expect((await ask({ city: 'moved' })).kind).toBe('delivered');
  });

  it.each<[string, object]>([
    ['404', { kind: 'unavailable' }],
    ['410', { kind: 'unavailable' }],
    ['204', { kind: 'unavailable' }],
    ['400', { reason: 'query_refused', retryable: false }],
    ['422', { reason: 'query_refused', retryable: false }],
    ['401', { reason: 'call_refused', retryable: false }],
    ['403', { reason: 'call_refused', retryable: false }],
    ['busy', { reason: 'call_refused', retryable: true, retryAfter: '17' }],
    ['500', { reason: 'bad_status', retryable: true }],
    ['503', { reason: 'bad_status', retryable: true }],
    ['html', { reason: 'bad_status', retryable: false }],
    ['slow', { reason: 'bad_status', retryable: true }],
    ['dripping', { reason: 'bad_status', retryable: true }],
    ['elsewhere', { reason: 'bad_status', retryable: false }],
    ['round', { reason: 'bad_status', retryable: false }],
    ['broken', { reason: 'bad_status', retryable: true }],
    ['large', { reason: 'bad_status', retryable: false }],
    ['echo', { reason: 'bad_status', retryable: false }],
    ['wrong', { reason: 'bad_status', retryable: false }],
  ])('learns of an upstream that answers %s no more than it needs', async (city, expected) => {
    const isSlow = city === 'slow' || city === 'dripping';
    expect(await ask({ city }, isSlow ? 'l-1' : 'patient')).toMatchObject(expected);
    expect(log).toHaveLength(1);
    expect(log.join()).not.toMatch(/s3cret|localhost|127\.0\.0\.1/);
    expect(keysElsewhere).toEqual([]);
  });

  it.each(['elsewhere', 'round'])(
    'is answered without a redirect that leads %s, which is logged',
    async (city) => {
      expect((await ask({ city }, 'patient')).kind).toBe('failed');
      expect(log).toEqual([
        'patient: 501. The upstream redirected where the gateway does not follow: only GET is, on the same host, three times. Put the address that it leads to into the listing.',
      ]);
    },
  );

  it('gets the same answer of one purchase after a restart, and the upstream is not asked again', async () => {
    const purchase = { sellerId: 's-1', purchaseId: crypto.randomUUID(), redelivery: 0 };
    const first = await ask({ city: 'Brest' }, 'l-1', purchase);
    const before = calls;
    const { port } = gateway;
    await gateway.close();
    gateway = await serve(port);
    expect(await ask({ city: 'Lisbon' }, 'l-1', purchase)).toEqual(first);
    expect([first.kind, calls]).toEqual(['delivered', before]);
    const failing = { sellerId: 's-1', purchaseId: crypto.randomUUID(), redelivery: 0 };
    expect(await ask({ city: 'wrong' }, 'l-1', failing)).toMatchObject({ retryable: false });
    expect(await ask({ city: 'Brest' }, 'l-1', failing)).toMatchObject({ kind: 'delivered' });
  });

  it('a query that does not fit, or that would leave its place in the path, is not sent', async () => {
    const before = calls;
    expect(await ask({})).toMatchObject({ reason: 'query_refused' });
    expect(await ask({ city: 'x', other: 1 })).toMatchObject({ reason: 'query_refused' });
    expect(await ask({ city: '..' })).toMatchObject({ reason: 'query_refused' });
    expect(calls).toBe(before);
  });

  it('is told to come again for a listing that the file does not have yet, and the file is read anew', async () => {
    expect(await ask({ city: 'a' }, 'l-2')).toMatchObject({ reason: 'bad_status', retryable: true });
    write(configOf({ 'l-1': listingOf(cities), 'l-2': listingOf(cities) }, callbackUrl));
    expect(await ask({ city: 'a' }, 'l-2')).toMatchObject({ kind: 'delivered' });
    writeFileSync(configPath, '{', { mode: 0o600 });
    expect(await ask({ city: 'a' }, 'l-2')).toMatchObject({ kind: 'delivered' });
    expect(log.at(-2)).toContain('The configuration stays as it was.');
    write(configOf({ 'l-1': listingOf(cities) }, callbackUrl));
  });
});

describe('a real MCP server', () => {
  let server: ChildProcess;
  let url: string;
  beforeAll(async () => {
    const free = await startServer(() => {});
    const { port } = new URL(free.url);
    await free.close();
    url = `http://localhost:${port}/mcp`;
    const program = createRequire(import.meta.url)
      .resolve('@modelcontextprotocol/server-everything/package.json')
      .replace(/package\.json$/, 'dist/index.js');
    server = spawn(process.execPath, [program, 'streamableHttp'], {
      env: { ...process.env, PORT: port },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    await new Promise<void>((resolve) =>
      server.stderr?.on('data', (text) => String(text).includes('listening') && resolve()),
    );
  });
  afterAll(() => server.kill());

  it('has its tools read and tried', async () => {
    const sell = (...args: string[]) =>
      home.run(
        ['sell', 'mcp', url, '--price', 'free', '--vertical', 'general', '--dry-run', '--json', ...args],
        { env: { AGENT_MARKET_URL: 'http://localhost:1/api' } },
      );
    const structured = await sell('--tool', 'get-structured-content', '--example', '{"location":"New York"}');
    expect(structured.json).toMatchObject({
      upstream: { kind: 'mcp', tool: 'get-structured-content', answer: 'structured' },
      listing: {
        inputSchema: { required: ['location'] },
        preview: { sample: { temperature: expect.any(Number) } },
      },
    });
    const text = await sell('--tool', 'get-sum', '--example', '{"a":2,"b":3}');
    expect(text.json).toMatchObject({
      upstream: { answer: 'text' },
      listing: { preview: { sample: { text: expect.stringContaining('5') } } },
    });
    const unknown = await sell('--tool', 'none');
    expect([unknown.exitCode, unknown.json.error.message]).toEqual([2, 'The MCP server has no tool "none".']);
  });

  it('delivers', async () => {
    const upstreamOf = (tool: string, answer: 'text' | 'structured') => ({
      kind: 'mcp' as const,
      url,
      tool,
      credentials: [],
      answer,
    });
    const open = { inputSchema: null, outputSchema: null, timeoutMs: 5000 };
    const listings = {
      sum: listingOf(upstreamOf('get-sum', 'text'), open),
      weather: listingOf(upstreamOf('get-structured-content', 'structured'), open),
    };
    write(configOf({ 'l-1': listingOf(cities), ...listings }, callbackUrl));
    const outcome = await ask({ a: 2, b: 3 }, 'sum');
    expect(outcome.kind === 'delivered' && new TextDecoder().decode(outcome.content)).toContain(
      'The sum of 2 and 3 is 5',
    );
    expect((await ask({ location: 'Chicago' }, 'weather')).kind).toBe('delivered');
    expect(await ask({ a: 'x' }, 'sum')).toMatchObject({ reason: 'query_refused' });
  });

  it.each<[string, string, boolean, RegExp]>([
    ['hangs', 'slow', true, /^The MCP server at \S+ did not answer in 0\.4 s\.$/],
    ['is none', 'html', false, /^What answers at \S+ is no MCP server \(HTTP 200\)\.$/],
    ['fails', '500', true, /^What answers at \S+ is no MCP server \(HTTP 500\)\.$/],
    ['redirects elsewhere', 'elsewhere', false, /^[^\n]+\.$/],
  ])('one that %s is one sentence, and a delivery that failed', async (_, city, retryable, message) => {
    const bad = `${upstream.url}/cities/${city}`;
    await expect(readTools(bad, [], {}, 400)).rejects.toMatchObject({
      name: 'CliFailure',
      exit: 'unreachable',
      message: expect.stringMatching(message),
    });
    write(
      configOf(
        {
          bad: listingOf(
            { kind: 'mcp', url: bad, tool: 't', credentials: cities.credentials, answer: 'text' },
            { inputSchema: null },
          ),
        },
        callbackUrl,
      ),
    );
    expect(await ask({}, 'bad')).toMatchObject({ reason: 'bad_status', retryable });
    expect(keysElsewhere).toEqual([]);
  });
});

it('says of a listing whether it serves it, and nothing of others', async () => {
  write(
    configOf(
      {
        'l-1': listingOf(cities),
        short: listingOf({ ...cities, credentials: [] }),
      },
      callbackUrl,
    ),
  );
  const served = async (listing: string) => {
    const { isServed } = (await (await fetch(`${callbackUrl}?listing=${listing}`)).json()) as JsonObject;
    return isServed;
  };
  expect(await served('l-1')).toBe(true);
  expect(await served('l-9')).toBe(false);
  expect(await served('__proto__')).toBe(false);
  const sale = { title: 'Weather', sellerId: 's-1', callbackUrl, configPath };
  await proveServed({ ...sale, listingId: 'l-1' });
  const unserved = proveServed({ ...sale, listingId: 'l-9' });
  await expect(unserved).rejects.toMatchObject({
    exit: 'unreachable',
    message: expect.stringContaining('listed as l-9, but the gateway'),
  });
  await expect(proveServed({ ...sale, sellerId: 's-2', listingId: 'l-1' })).rejects.toThrow(
    'does not deliver',
  );
  // A variable that the running gateway lacks.
  write(
    configOf({ lacking: listingOf({ ...cities, credentials: [{ ...plain, env: 'LACKING' }] }) }, callbackUrl),
  );
  expect(await served('lacking')).toBe(false);
});

it('loses no listing of those who write the file at once', async () => {
  const path = join(home.folder, 'shared', 'gateway.json');
  const ids = Array.from({ length: 12 }, (_, index) => `l-${index}`);
  await Promise.all(
    ids.map((id) =>
      updateGatewayConfig(path, (now) => configOf({ ...now?.listings, [id]: listingOf(cities) })),
    ),
  );
  expect(Object.keys((await readGatewayConfig(path))?.listings ?? {}).toSorted()).toEqual(ids.toSorted());
});

describe('what is wrong with a configuration', () => {
  const file = join(home.folder, 'wrong.json');
  const serve = (config: unknown, ...args: string[]) => {
    writeFileSync(file, typeof config === 'string' ? config : JSON.stringify(config), { mode: 0o600 });
    return home.run(['gateway', '--config', file, '--port', '0', ...args]);
  };
  it.each<[string, unknown, string]>([
    ['no JSON', '{', 'is not JSON'],
    ['a member that is missing', { marketplace: 'x' }, 'is wrong at callbackUrl'],
    [
      'a secret in the file',
      configOf({
        a: listingOf({ ...cities, credentials: [{ ...cities.credentials[0], value: SECRET }] } as never),
      }),
      'is wrong at listings.a.upstream',
    ],
    [
      'a secret that would travel in the clear',
      configOf({ a: listingOf({ ...cities, url: 'http://api.example/{city}' }) }),
      'is not https',
    ],
    [
      'a host that buyers would choose',
      configOf({ a: listingOf({ ...cities, url: 'https://{city}.example/' }) }),
      'is no http address',
    ],
    ['a secret that is not set', configOf({ a: listingOf(cities) }), 'Not set: KEY'],
    [
      'a secret that nothing could keep out of answers',
      configOf({ a: listingOf({ ...cities, credentials: [{ ...plain, env: 'SHORT' }] }) }),
      'SHORT holds fewer than 8 characters',
    ],
  ])('%s', async (_, config, sentence) => {
    const { exitCode, stderr } = await serve(config);
    expect([exitCode, stderr]).toEqual([3, expect.stringContaining(sentence)]);
    expect(stderr).not.toMatch(/s3cret|\n\s+at /);
  });

  it('a file of secrets that others can read, or that is not there', async () => {
    const envFile = join(home.folder, 'secrets');
    writeFileSync(envFile, `KEY=${SECRET}\n`);
    chmodSync(envFile, 0o644);
    expect((await serve(configOf({ a: listingOf(cities) }), '--env-file', envFile)).stderr).toContain(
      'Others can read the secrets',
    );
    expect((await serve(configOf({}), '--env-file', `${envFile}.none`)).stderr).toContain('There is no file');
    const taken = await serve(configOf({}), '--port', String(gateway.port));
    expect([taken.exitCode, taken.stderr]).toEqual([3, expect.stringContaining('is taken')]);
  });
});
