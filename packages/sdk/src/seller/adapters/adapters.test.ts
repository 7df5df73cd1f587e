import { createServer, request as httpRequest, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serve } from '@hono/node-server';
import express from 'express';
import fastify from 'fastify';
import { Hono } from 'hono';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { memoryAnswers } from '../answer-store.ts';
import type { Refusal } from '../refusals.ts';
import { createSellerEndpoint, type FetchHandler, type SellerEndpointOptions } from '../seller-endpoint.ts';
import { createTestBuyer } from '../test-buyer/index.ts';
import { toFastifyPlugin } from './fastify.ts';
import { toHonoHandler } from './hono.ts';
import { toNodeListener } from './node-listener.ts';
import { toWorker } from './worker.ts';

// Each adapter in its real framework, behind a real socket, asked by a marketplace and by people who wish it no good.

const callbackUrl = 'https://seller.example/deliver';
const buyer = await createTestBuyer({ callbackUrl, sellerId: 's-1' });
const deliver = vi.fn<SellerEndpointOptions['deliver']>();
const onError = vi.fn();
const refusals: Refusal[] = [];
const optionsOf = (options: Partial<SellerEndpointOptions> = {}): SellerEndpointOptions => ({
  marketplace: buyer.keys,
  callbackUrl,
  sellerId: 's-1',
  deliver,
  onError,
  onRefusal: (refusal) => refusals.push(refusal),
  ...options,
});

let endpoint: FetchHandler;
const open = (options?: Partial<SellerEndpointOptions>) => {
  endpoint = createSellerEndpoint(optionsOf(options));
};
const handler: FetchHandler = (request) => endpoint(request);
beforeEach(() => {
  vi.clearAllMocks();
  refusals.length = 0;
  deliver.mockImplementation(async ({ query }) => ({ youAsked: query }));
  open();
});

type Start = () => Promise<{ server: Server; close(): unknown }>;

const listening = async (server: Server) => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, close: () => server.closeAllConnections() };
};
const onHono = (app: { fetch(request: Request): Response | Promise<Response> }) =>
  new Promise<Awaited<ReturnType<Start>>>((resolve) => {
    const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, () =>
      resolve({ server: server as Server, close: () => (server as Server).closeAllConnections() }),
    );
  });

const ADAPTERS: Record<string, Start> = {
  'node:http': () => listening(createServer(toNodeListener(handler))),
  Express: () => listening(createServer(express().all('/deliver', toNodeListener(handler)))),
  'an Express router': () => {
    const router = express.Router().all('/', toNodeListener(handler));
    return listening(createServer(express().use('/deliver', router).use(express.json())));
  },
  Fastify: async () => {
    const app = fastify();
    app.register(toFastifyPlugin(handler, '/deliver'));
    app.post('/own', async (request) => request.body);
    await app.listen({ port: 0, host: '127.0.0.1' });
    return { server: app.server, close: () => app.server.closeAllConnections() };
  },
  Hono: () => onHono(new Hono().all('/deliver', toHonoHandler(handler))),
  'a Worker': () => {
    const env = { CALLBACK_URL: callbackUrl };
    // What the options say is decided at the first request; the handler of the test goes on to the present one.
    const worker = toWorker((one: typeof env) => optionsOf({ callbackUrl: one.CALLBACK_URL }));
    const app = { fetch: (request: Request) => (current ? endpoint(request) : worker.fetch(request, env)) };
    return onHono(app);
  },
};
/** Whether a test opened an endpoint of its own. */
let current = false;
const openAnother = (options: Partial<SellerEndpointOptions>) => {
  current = true;
  open(options);
};
beforeEach(() => {
  current = false;
});

describe.each(Object.entries(ADAPTERS))('%s', (name, start) => {
  let url: string;
  let close: () => unknown;
  let server: Server;
  beforeAll(async () => {
    ({ server, close } = await start());
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/deliver`;
  });
  afterAll(async () => {
    await close();
    await new Promise((resolve) => server.close(resolve));
  });

  const send = async (init: RequestInit) => {
    const response = await fetch(url, { method: 'POST', ...init });
    return { status: response.status, body: await response.text() };
  };
  const refused = (status: number, error: string) => ({ status, body: JSON.stringify({ error }) });

  test('answers the challenge and delivers, whatever else the connection is used for', async () => {
    expect(await buyer.challenge(url)).toMatchObject({ verdict: 'verified' });
    const query = { city: 'Zürich', bytes: 'ü'.repeat(50_000) };
    const sold = await buyer.buy(url, { query });
    expect(sold).toMatchObject({ verdict: 'delivered', content: { youAsked: query } });
    expect(sold.answer?.contentType).toContain('application/json');
    deliver.mockResolvedValue(null);
    expect(await buyer.buy(url)).toMatchObject({ verdict: 'unavailable' });
    expect(refusals).toEqual([]);
  });

  test('refuses a replay, an altered body, altered headers, and what is not signed', async () => {
    const { request } = await buyer.buy(url);
    const body = JSON.stringify(request.body);
    expect(await send({ headers: request.headers, body })).toEqual(refused(429, 'replayed'));
    expect(await send({ headers: request.headers, body: body.replace('test-listing', 'x') })).toEqual(
      refused(401, 'body_mismatch'),
    );
    const headers = { ...request.headers, 'X-MKT-Purchase-Id': 'of-a-stranger' };
    expect(await send({ headers, body })).toEqual(refused(401, 'bad_delivery_signature'));
    expect(await send({ headers: { 'content-type': 'application/json' }, body })).toEqual(
      refused(401, 'not_signed'),
    );
    expect(await send({})).toEqual(refused(401, 'not_signed'));
    expect(deliver).toHaveBeenCalledOnce();
  });

  test.each(['GET', 'PUT', 'DELETE', 'OPTIONS', 'HEAD'])('refuses %s', async (method) => {
    const { status } = await fetch(url, { method });
    expect(status).toBe(405);
    expect(onError).not.toHaveBeenCalled();
  });

  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'nonsense',
    '',
  ])('what counts is the signature, not the content type: %s', async (type) => {
    // The marketplace signs it for an endpoint that was not there, so that it is new here.
    const { request } = await buyer.buy(() => new Response());
    const body = JSON.stringify(request.body);
    const { status } = await send({ headers: { ...request.headers, 'content-type': type }, body });
    // Fastify itself takes no type that is malformed.
    const isRefused = name === 'Fastify' && !type.includes('/');
    expect(status).toBe(isRefused ? 415 : 200);
  });

  test('refuses a huge body, announced or not', async () => {
    const huge = 'a'.repeat(3 * 1024 * 1024);
    expect(await send({ body: huge })).toEqual(refused(413, 'body_too_large'));
    const status = await new Promise((resolve, reject) => {
      const request = httpRequest(url, { method: 'POST' }, (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      request.on('error', reject);
      request.write(huge);
    });
    expect(status).toBe(413);
    expect(await buyer.buy(url)).toMatchObject({ verdict: 'delivered' });
  });

  test('lets no slow body hold it, and is not disturbed by one that breaks off', async () => {
    openAnother({ bodyTimeoutMs: 100 });
    const slow = await new Promise((resolve, reject) => {
      const request = httpRequest(
        url,
        { method: 'POST', headers: { 'content-length': '1000' } },
        (response) => {
          response.resume();
          resolve(response.statusCode);
        },
      );
      request.on('error', reject);
      request.write('{');
    });
    expect(slow).toBe(408);

    openAnother({});
    await new Promise((resolve) => {
      const request = httpRequest(url, { method: 'POST', headers: { 'content-length': '1000' } });
      request.on('error', resolve);
      request.write('{', () => setTimeout(() => request.destroy(), 20));
    });
    await vi.waitFor(() => expect(refusals.map(({ code }) => code)).toContain('body_incomplete'));
    expect(onError).not.toHaveBeenCalled();
    expect(await buyer.buy(url)).toMatchObject({ verdict: 'delivered' });
  });

  test('answers two requests for one purchase at once the same, and computes it once', async () => {
    openAnother({ answers: memoryAnswers() });
    let computed = 0;
    deliver.mockImplementation(async () => {
      computed += 1;
      await new Promise((resolve) => setTimeout(resolve, 20));
      return { computed };
    });
    const purchaseId = crypto.randomUUID();
    const both = await Promise.all([buyer.buy(url, { purchaseId }), buyer.buy(url, { purchaseId })]);
    expect(both.map(({ content }) => content)).toEqual([{ computed: 1 }, { computed: 1 }]);
    expect((await buyer.buy(url, { purchaseId, redelivery: 1 })).content).toEqual({ computed: 1 });
  });

  test('a handler that throws is a 500 that says nothing', async () => {
    deliver.mockRejectedValue(new Error('secret'));
    const { answer, verdict } = await buyer.buy(url);
    expect({ verdict, ...answer }).toMatchObject({
      verdict: 'failed',
      status: 500,
      body: '{"error":"internal_error"}',
    });
  });
});

describe('a body that was read before', () => {
  const explained = () => refusals.map(({ code, explanation }) => `${code}: ${explanation}`).join();
  const tryIt = async (start: Start) => {
    const { server, close } = await start();
    const report = await buyer.buy(`http://127.0.0.1:${(server.address() as AddressInfo).port}/deliver`);
    await close();
    await new Promise((resolve) => server.close(resolve));
    return report;
  };

  test.each<[string, Start]>([
    [
      'express.json()',
      () => listening(createServer(express().use(express.json()).post('/deliver', toNodeListener(handler)))),
    ],
    [
      'express.urlencoded() of everything',
      () => {
        const parser = express.urlencoded({ type: () => true });
        return listening(createServer(express().use(parser).post('/deliver', toNodeListener(handler))));
      },
    ],
    [
      'a middleware of Hono',
      () => {
        const app = new Hono().use(async (c, next) => {
          await c.req.json();
          await next();
        });
        return onHono(app.post('/deliver', toHonoHandler(handler)));
      },
    ],
    [
      "Fastify's own parser",
      async () => {
        const app = fastify();
        app.post('/deliver', (request, reply) => {
          reply.hijack();
          toNodeListener(handler)(request.raw, reply.raw);
        });
        await app.listen({ port: 0, host: '127.0.0.1' });
        return { server: app.server, close: () => app.server.closeAllConnections() };
      },
    ],
  ])('by %s is told to the seller', async (_, start) => {
    expect(await tryIt(start)).toMatchObject({ verdict: 'failed', answer: { status: 500 } });
    expect(explained()).toMatch(/^body_already_read: Something read the body .* before body parsers/);
    expect(deliver).not.toHaveBeenCalled();
  });

  test.each<[string, ReturnType<typeof express.raw>]>([
    ['express.raw()', express.raw({ type: () => true })],
    [
      'a parser that leaves rawBody',
      express.json({
        verify: (request, _response, bytes) => {
          Object.assign(request, { rawBody: bytes });
        },
      }),
    ],
  ])('by %s is as good', async (_, parser) => {
    const start = () =>
      listening(createServer(express().use(parser).post('/deliver', toNodeListener(handler))));
    expect(await tryIt(start)).toMatchObject({ verdict: 'delivered' });
    expect(refusals).toEqual([]);
  });

  test("Fastify's other routes are parsed as ever", async () => {
    const { server, close } = await (ADAPTERS.Fastify as Start)();
    const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/own`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"a":1}',
    });
    expect(await response.json()).toEqual({ a: 1 });
    await close();
    await new Promise((resolve) => server.close(resolve));
  });
});

test('a path that is no URL is refused like any other, not with a 500', async () => {
  const { server, close } = await listening(createServer(toNodeListener(handler)));
  const { port } = server.address() as AddressInfo;
  const status = await new Promise((resolve, reject) => {
    httpRequest({ port, path: '//', method: 'POST' }, (response) => {
      response.resume();
      resolve(response.statusCode);
    })
      .on('error', reject)
      .end();
  });
  expect(status).toBe(401);
  await close();
  await new Promise((resolve) => server.close(resolve));
});
