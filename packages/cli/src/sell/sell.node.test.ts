import { join } from 'node:path';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { createCliHome } from '../testing/run-cli.ts';
import { startServer } from '../testing/start-server.ts';
import { proposeVertical } from './propose-vertical.rules.ts';
import { resolveCredentials } from './resolve-credentials.rules.ts';
import type { CredentialNeed } from './sale-plan.rules.ts';

const home = await createCliHome({
  AGENT_MARKET_URL: 'http://localhost:1/api',
  KEY: 's3cret-of-the-seller',
  SHORT: 'abc',
});
const requests: { line: string; text: string; key: string | string[] | undefined }[] = [];
const DEMANDS: Record<string, object> = {
  v1: {
    x402Version: 1,
    accepts: [
      {
        maxAmountRequired: '25000',
        asset: '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
        description: 'Air quality of a city. Live.',
        outputSchema: {
          input: {
            type: 'http',
            method: 'GET',
            queryParams: { city: { type: 'string', required: true, pattern: '^[A-Z]' } },
          },
        },
      },
    ],
  },
  v2: {
    x402Version: 2,
    resource: { url: 'https://air.example', description: 'Air quality' },
    accepts: [{ amount: '1', asset: '0x0', extra: { name: 'USDC' } }],
    extensions: {
      bazaar: {
        info: { input: { method: 'GET', queryParams: { city: 'Brest' } }, output: { example: { aqi: 1 } } },
      },
    },
  },
};
const server = await startServer((request, response) => {
  const [, kind = ''] = (request.url ?? '').split(/[/?]/);
  requests.push({
    line: `${request.method} ${request.url}`,
    text: request.text,
    key: request.headers['x-key'],
  });
  const json = (status: number, body: unknown, headers = {}) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
  const isPaid = request.headers['x-key'] !== undefined;
  if (kind === 'v1' && !isPaid) return json(402, DEMANDS.v1);
  if (kind === 'v2' && !isPaid)
    return json(402, {}, { 'payment-required': btoa(JSON.stringify(DEMANDS.v2)) });
  if (kind === 'csv') return response.writeHead(200, { 'content-type': 'text/csv' }).end('a,b\n1,2\n');
  if (kind === 'echo') return json(200, { url: request.url?.replaceAll('-', '%2d') });
  if (kind === 'html') return response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html>');
  if (kind === 'list') return json(200, [{ n: 1 }, { n: null }]);
  return json(200, { aqi: 42, place: { name: 'Brest' } });
});
beforeEach(() => {
  requests.length = 0;
});
afterAll(async () => {
  await home.remove();
  await server.close();
});

const sell = (kind: string, url: string, ...args: string[]) =>
  home.run(['sell', kind, `${server.url}${url}`, '--vertical', 'general', '--dry-run', '--json', ...args]);

it('sells a bare URL: its query string and the places of its path are what buyers say', async () => {
  const ran = await sell(
    'http',
    '/air/{city}?days=3&unit=c',
    '--example',
    '{"city":"São Paulo"}',
    '--price',
    '1',
    '--secret',
    'query:appid=KEY',
  );
  expect(ran.json).toMatchObject({
    listing: {
      priceCents: 100,
      exampleQuery: { city: 'São Paulo', days: 3, unit: 'c' },
      inputSchema: {
        properties: { city: { type: 'string' }, days: { type: 'number' }, unit: { type: 'string' } },
        required: ['city', 'days', 'unit'],
        additionalProperties: false,
      },
      outputSchema: { required: ['aqi', 'place'] },
    },
  });
  expect(requests.map(({ line }) => line)).toEqual([
    'GET /air/S%C3%A3o%20Paulo?days=3&unit=c&appid=s3cret-of-the-seller',
  ]);
  expect(ran.stdout).not.toContain('s3cret');
  const posted = await sell(
    'http',
    '/air/{city}',
    '--post',
    '--example',
    '{"city":"a","of":[1]}',
    '--price',
    'free',
  );
  expect(posted.json.upstream.body).toEqual({ encoding: 'json', members: ['of'], member: null });
  expect(requests[1]).toMatchObject({ line: 'POST /air/a', text: '{"of":[1]}' });
});

it('sells lists and texts as members of an object, and pages not at all', async () => {
  const list = await sell('http', '/list', '--price', 'free');
  expect(list.json).toMatchObject({
    upstream: { answer: 'items' },
    listing: { preview: { sample: { items: [{ n: 1 }, { n: null }] } } },
  });
  expect((await sell('http', '/csv', '--price', 'free', '--no-sample')).json).toMatchObject({
    upstream: { answer: 'text' },
    listing: { preview: { members: ['text'] } },
  });
  const page = await sell('http', '/html', '--price', 'free');
  expect([page.exitCode, page.json.error.message]).toEqual([4, expect.stringContaining('a page (HTML)')]);
});

it('sells what asks for x402 payments, past its paywall', async () => {
  const first = await sell('x402', '/v1', '--example', '{"city":"Brest"}', '--secret', 'header:x-key=KEY');
  expect(first.json).toMatchObject({
    listing: {
      title: 'Air quality of a city',
      priceCents: 3,
      inputSchema: { properties: { city: { type: 'string' } }, required: ['city'] },
    },
    notes: expect.arrayContaining([expect.stringContaining('`pattern` is left out at city')]),
  });
  const second = await sell('x402', '/v2', '--upstream', `${server.url}/behind`);
  expect(second.json).toMatchObject({ listing: { priceCents: 1, exampleQuery: { city: 'Brest' } } });
  expect(requests.at(-1)?.line).toBe('GET /behind?city=Brest');
  const walled = await sell('x402', '/v2');
  expect([walled.exitCode, walled.json.error.message]).toEqual([4, expect.stringContaining('HTTP 402')]);
  const none = await sell('x402', '/behind', '--price', 'free');
  expect([none.exitCode, none.json.error.message]).toEqual([
    2,
    expect.stringContaining('does not ask for an x402 payment'),
  ]);
});

it('shows no secret in the preview, the example or the title', async () => {
  const title = `Air, asked with ${encodeURIComponent('s3cret-of-the-seller').toUpperCase()}`;
  const titled = await sell('http', '/air', '--price', 'free', '--secret', 'bearer=KEY', '--title', title);
  expect([titled.exitCode, titled.json.error.message]).toEqual([
    2,
    expect.stringContaining('would show your credentials'),
  ]);
  const echoed = await sell('http', '/echo', '--price', 'free', '--secret', 'query:appkey=KEY');
  expect([echoed.exitCode, echoed.json.error.message]).toEqual([
    4,
    expect.stringContaining('repeats your credentials'),
  ]);
  const short = await sell('http', '/air', '--price', 'free', '--secret', 'bearer=SHORT');
  expect([short.exitCode, short.json.error.message]).toEqual([
    3,
    expect.stringContaining('SHORT holds fewer than 8 characters'),
  ]);
});

it.each([
  ...[
    'key',
    'sig',
    'X-Amz-Signature',
    'code',
    'session',
    'sessionId',
    'jwt',
    'pw',
    'pwd',
    'password',
    'auth',
  ],
  ...[
    'client_secret',
    'token',
    'userToken',
    'X-Amz-Credential',
    'credentials',
    'APIKey',
    'appid',
    'x-api-key',
  ],
])('a URL with %s in it is refused, and nothing of it is sent', async (name) => {
  const pathWithSecret = `/air?city=Brest&${name}=hunter2hunter2`;
  const refused = [
    await sell('http', pathWithSecret, '--price', 'free'),
    await sell('http', '/air', '--price', 'free', '--example', JSON.stringify({ [name]: 'hunter2hunter2' })),
    await sell('x402', '/v2', '--upstream', `${server.url}${pathWithSecret}`),
  ];
  for (const { exitCode, stdout } of refused) {
    expect([exitCode, stdout]).toEqual([2, expect.stringContaining(`--secret 'query:${name}=VARIABLE'`)]);
    expect(stdout).not.toContain('hunter2');
  }
  expect(requests.filter(({ line }) => line.includes('hunter2'))).toEqual([]);
});

it.each(['country_code', 'page_token', 'keyword', 'author', 'max_tokens', 'sort_key', 'signed', 'passenger'])(
  '%s is for buyers',
  async (name) => {
    const ran = await sell('http', `/air?${name}=a`, '--price', 'free');
    expect(ran.json.listing.exampleQuery).toEqual({ [name]: 'a' });
  },
);

it.each<[string, string[], number, string]>([
  [
    'a host that buyers choose',
    ['http', 'http://{host}/open', '--price', 'free'],
    2,
    'The host of a URL is fixed',
  ],
  [
    'an empty title',
    ['http', `${server.url}/air`, '--price', 'free', '--title', ' ', '--dry-run', '--vertical', 'general'],
    2,
    'The title is empty',
  ],
  [
    'a secret that is given in place of its name',
    ['http', `${server.url}/air`, '--price', 'free', '--secret', 'bearer=sk_live_hunter2'],
    3,
    'never the secret itself',
  ],
  ['no URL', ['http', 'cities', '--price', 'free'], 2, 'is not a URL'],
  [
    'a password in it',
    ['http', 'https://a:b@api.example/', '--price', 'free'],
    2,
    'a user name or a password',
  ],
  ['no price', ['http', `${server.url}/air`], 2, 'Say what an answer costs'],
  ['half a cent', ['http', `${server.url}/air`, '--price', '0.005'], 2, 'whole cents'],
  [
    'an example that is no object',
    ['http', `${server.url}/air`, '--price', 'free', '--example', '[1]'],
    2,
    'JSON object',
  ],
  [
    'an example that does not fit',
    ['http', `${server.url}/air/{city}`, '--price', 'free', '--example', '{"other":1}'],
    2,
    'Say one: --example',
  ],
  ['nobody there', ['http', 'http://localhost:1/x', '--price', 'free'], 4, 'could not be reached'],
  [
    'no MCP server by its name',
    ['mcp', 'mcp-server', '--price', 'free'],
    2,
    'is not the URL of an MCP server',
  ],
  ['a marketplace that is not there', ['http', `${server.url}/air`, '--price', 'free', '--yes'], 4, ''],
  [
    'nobody to ask',
    ['http', `${server.url}/air`, '--price', 'free', '--vertical', 'general'],
    2,
    'Nothing is listed',
  ],
])('%s is one sentence', async (_, args, exitCode, sentence) => {
  const ran = await home.run(['sell', ...args, '--config', join(home.folder, 'gateway.json')]);
  expect([ran.exitCode, ran.stderr]).toEqual([exitCode, expect.stringContaining(sentence)]);
  expect(ran.stderr).not.toMatch(/hunter2|\n\s+at /);
});

it('finds the variable of each secret', () => {
  const need = (scheme: string): CredentialNeed => ({
    scheme,
    in: 'header',
    name: scheme,
    prefix: '',
    encoding: 'plain',
  });
  expect(resolveCredentials([need('a')], ['V'])).toEqual([
    { in: 'header', name: 'a', prefix: '', encoding: 'plain', env: 'V' },
  ]);
  expect(resolveCredentials([need('a'), need('b')], ['b=V', 'a=W'])).toMatchObject([
    { name: 'b', env: 'V' },
    { name: 'a', env: 'W' },
  ]);
  expect(resolveCredentials([need('a'), need('b')], ['V'])).toMatchObject({
    kind: 'fault',
    message: expect.stringContaining('not clear'),
  });
  expect(resolveCredentials([need('a')], [])).toMatchObject({
    kind: 'fault',
    message: expect.stringContaining('"a" (header a)'),
  });
  expect(resolveCredentials([], ['header:X-A=V', 'basic=W'])).toMatchObject([
    { name: 'X-A' },
    { prefix: 'Basic ', encoding: 'basic' },
  ]);
});

it('proposes the vertical that a text names', () => {
  const verticals = ['weather-data', 'stock-prices', 'maps'].map((slug) => ({
    slug,
    name: slug.replace('-', ' '),
    isExternal: slug === 'maps',
  }));
  const proposed = (title: string) => proposeVertical({ title, description: '' }, verticals);
  expect(['Weather of a city', 'Price of a stock', 'Maps', 'Jokes'].map(proposed)).toEqual([
    'weather-data',
    'stock-prices',
    null,
    null,
  ]);
});
