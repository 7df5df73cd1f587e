import type { JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, it } from 'vitest';
import { createSigner } from '../../adapters/keys/keyring.ts';
import type { Runtime } from '../../kernel/operation/run-operation.ts';
import { apiOperations } from '../../operations/api.ts';
import { FakeClock } from '../../testing/fake-clock.ts';
import { readSigned } from '../../testing/read-signed.ts';
import { TEST_SIGNING_KEY } from '../../testing/test-bindings.ts';
import { allErrors } from '../openapi/errors.ts';
import { createAnswerCache } from './answer-cache.ts';
import { createApiApp } from './app.ts';
import { problemBody } from './problem.ts';

const clock = new FakeClock();
const signer = createSigner(TEST_SIGNING_KEY);
const app = createApiApp(
  apiOperations,
  '/api',
  createAnswerCache(() => clock.now()),
);
// Documents need no more of a runtime than this.
const runtime = { ports: { clock, signer }, problem: problemBody } as unknown as Runtime;

async function request(path: string, init: RequestInit = {}, host = 'market.example'): Promise<Response> {
  const baseUrl = `https://${host}/api`;
  const origin = { requestId: 'request-1', baseUrl, credential: null };
  return app.fetch(new Request(baseUrl + path, init), { scope: { runtime, origin } });
}

const PATHS = ['', '/', '/openapi.json', '/docs', '/docs.css', '/problems', '/problems/rate_limited'];

it.each(PATHS)('GET %s can be asked again cheaply, from any origin', async (path) => {
  const first = await request(path);
  expect([first.status, first.headers.get('access-control-allow-origin')]).toEqual([200, '*']);
  const etag = first.headers.get('etag') ?? '';
  const again = await request(path, { headers: { 'if-none-match': etag } });
  expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', etag]);
  const changed = await request(path, { headers: { 'if-none-match': 'W/"0"' } });
  expect(changed.status).toBe(200);
});

it.each(PATHS)('%s answers HEAD and preflights, and refuses the rest', async (path) => {
  const head = await request(path, { method: 'HEAD' });
  expect([head.status, await head.text()]).toEqual([200, '']);
  expect((await request(path, { method: 'OPTIONS' })).status).toBe(204);
  const post = await request(path, { method: 'POST' });
  expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
  expect(((await post.json()) as JsonObject).code).toBe('method_not_allowed');
});

it.each(['', '/openapi.json'])('GET %s is signed', async (path) => {
  const response = await request(path);
  expect(response.headers.get('content-type')).toBe('application/json');
  const { body } = await readSigned(response);
  expect(Object.keys(body).length).toBeGreaterThan(3);
});

it('serves an OpenAPI document that fits the official schema but for its provenance', async () => {
  const { provenance: _, ...document } = (await (await request('/openapi.json')).json()) as JsonObject;
  expect(await new Validator().validate(document)).toEqual({ valid: true });
});

it.each(['/docs', '/problems', '/problems/rate_limited', '/problems/nope'])(
  '%s is a page that runs nothing',
  async (path) => {
    const response = await request(path);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    const policy = response.headers.get('content-security-policy');
    expect(policy).toMatch(/^default-src 'none'; style-src 'self';/);
    expect(policy).not.toContain('unsafe');
  },
);

it('has a page for every error, and 404 for others', async () => {
  for (const { code } of allErrors(apiOperations)) {
    expect((await request(`/problems/${code}`)).status).toBe(200);
  }
  for (const code of ['nope', '%3Cscript%3E', '%E0%A4%A', '__proto__', 'constructor']) {
    const response = await request(`/problems/${code}`);
    expect([code, response.status]).toEqual([code, 404]);
    expect(await response.text()).not.toContain('<script');
  }
});

it('names the base URL it was reached by', async () => {
  for (const host of ['a.example', 'b.example', 'c.example', 'd.example', 'e.example', 'a.example']) {
    const document = (await (await request('/openapi.json', {}, host)).json()) as JsonObject;
    expect(document.servers).toEqual([{ url: `https://${host}/api` }]);
    expect(await (await request('/docs', {}, host)).text()).toContain(`https://${host}/api`);
  }
});
