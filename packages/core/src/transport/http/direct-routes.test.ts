import fc from 'fast-check';
import { Hono } from 'hono';
import { expect, it } from 'vitest';
import { directRoutes } from './direct-routes.ts';

const ROUTES = [
  ['GET', '/api/agents'],
  ['POST', '/api/agents/register'],
  ['GET', '/api/agents/me'],
  ['GET', '/api/agents/{handle}'],
  ['POST', '/api/agents/{handle}/messages'],
  ['GET', '/api/listings/{id}'],
  ['PATCH', '/api/listings/{id}'],
  ['GET', '/api/listings/{id}/history/{version}'],
] as const;

const find = directRoutes(ROUTES.map(([method, path]) => ({ method, path, target: `${method} ${path}` })));

/** The same by the router that takes what is not found directly. */
const hono = new Hono();
for (const [method, path] of ROUTES) {
  hono.on(method, path.replaceAll(/\{(\w+)\}/g, ':$1'), (c) =>
    c.json({ target: `${method} ${path}`, parameters: c.req.param() }),
  );
}

it.each([
  ['GET', 'https://x.example/api/agents', { target: 'GET /api/agents', parameters: {} }],
  ['GET', 'http://localhost:8787/api/agents?limit=1', { target: 'GET /api/agents', parameters: {} }],
  ['GET', 'http://x/api/agents/me', { target: 'GET /api/agents/me', parameters: {} }],
  ['GET', 'http://x/api/agents/ann', { target: 'GET /api/agents/{handle}', parameters: { handle: 'ann' } }],
  [
    'GET',
    'http://x/api/listings/a-1/history/2?q=/',
    { target: 'GET /api/listings/{id}/history/{version}', parameters: { id: 'a-1', version: '2' } },
  ],
])('%s %s is found', (method, url, found) => {
  expect(find(method, url)).toEqual(found);
});

it.each([
  ['another method', 'DELETE', '/api/agents'],
  ['another method of a path that a pattern fits too', 'POST', '/api/agents/me'],
  ['HEAD', 'HEAD', '/api/agents'],
  ['a preflight', 'OPTIONS', '/api/agents'],
  ['an unknown path', 'GET', '/api/unknown'],
  ['a slash more', 'GET', '/api/agents/'],
  ['an empty segment', 'GET', '/api/listings//history/1'],
  ['an escape', 'GET', '/api/agents/an%6e'],
  ['a path in the query', 'GET', '/?/api/agents'],
])('%s is left to the router', (_, method, path) => {
  expect(find(method, `http://x${path}`)).toBeNull();
});

it('finds nothing that the router would not', async () => {
  const segment = fc.constantFrom(
    'agents',
    'me',
    'register',
    'listings',
    'history',
    'messages',
    '1',
    '',
    'ü',
    '%41',
  );
  const request = fc.record({
    method: fc.constantFrom('GET', 'POST', 'PATCH', 'DELETE', 'HEAD'),
    path: fc.array(segment, { maxLength: 5 }).map((segments) => ['/api', ...segments].join('/')),
    query: fc.constantFrom('', '?', '?a=/b', '?%'),
  });
  await fc.assert(
    fc.asyncProperty(request, async ({ method, path, query }) => {
      const { url } = new Request(`http://x${path}${query}`);
      const found = find(method, url);
      if (found === null) return;
      const response = await hono.fetch(new Request(url, { method }));
      expect(await response.json()).toEqual(found);
    }),
    { numRuns: 500 },
  );
});
