import { createServer, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { createSellerEndpoint, type FetchHandler } from '../seller-endpoint.ts';
import { toNodeListener } from './node-listener.ts';

let server: ReturnType<typeof createServer> | undefined;
afterEach(async () => {
  server?.closeAllConnections();
  await new Promise((resolve) => server?.close(resolve));
});

async function listen(handler: FetchHandler): Promise<string> {
  server = createServer(toNodeListener(handler));
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('carries method, path, headers and the exact bytes both ways', async () => {
  const origin = await listen(async (request) => {
    const { pathname, search } = new URL(request.url);
    const bytes = new Uint8Array(await request.arrayBuffer());
    return new Response(bytes, {
      status: 201,
      headers: { 'x-saw': `${request.method} ${pathname}${search} ${request.headers.get('x-sent')}` },
    });
  });
  const body = Uint8Array.from({ length: 300_000 }, (_, index) => index % 256);
  const response = await fetch(`${origin}/a/b?c=%41`, { method: 'POST', body, headers: { 'x-sent': 'yes' } });
  expect(response.status).toBe(201);
  expect(response.headers.get('x-saw')).toBe('POST /a/b?c=%41 yes');
  expect(Buffer.from(await response.arrayBuffer()).equals(Buffer.from(body))).toBe(true);
  expect((await fetch(`${origin}/read`)).headers.get('x-saw')).toBe('GET /read null');
});

test('a handler that throws is a 500', async () => {
  const origin = await listen(() => Promise.reject(new Error('secret')));
  const response = await fetch(origin);
  expect({ status: response.status, text: await response.text() }).toEqual({ status: 500, text: '' });
});

test('a body without an end is answered, not swallowed', async () => {
  const origin = await listen(
    createSellerEndpoint({
      marketplace: { keys: [], get: () => undefined },
      callbackUrl: 'https://seller.example/',
      deliver: () => null,
    }),
  );
  const status = await new Promise((resolve, reject) => {
    const request = httpRequest(origin, { method: 'POST' }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    request.on('error', reject);
    // More than is taken, and no end. A client that writes on after the answer may lose it with the connection.
    request.write(Buffer.alloc(8_000_000, 'a'));
  });
  expect(status).toBe(413);
});
