import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { clause } from '../../../../../test/conformance/clause.ts';
import type { HttpReply, NoReply, Relay, SignedRequest } from '../../kernel/ports/seller-endpoint.ts';
import { createLocalSigner } from '../../testing/doubles/local-signer.ts';
import {
  type LocalSeller,
  type ReceivedPost,
  startLocalSeller,
} from '../../testing/marketplace/local-seller.ts';
import { Slots } from '../system/slots.ts';
import type { HostResolver } from './dns-over-https-resolver.ts';
import { createRelay, type RelayOptions } from './relay.ts';
import { createSellerEndpoint } from './seller-endpoint.ts';

const NOW = Date.UTC(2030, 0, 2, 3, 4, 5, 678);
const CAP = 1024 * 1024;

const signer = createLocalSigner();
let seller: LocalSeller;
beforeAll(async () => {
  seller = await startLocalSeller((post, response) => PATHS[post.path.split('?')[0] ?? '']?.(response, post));
});
afterAll(() => seller.close());

const PATHS: Record<string, (response: ServerResponse, post: ReceivedPost) => void> = {
  '/ok': (r) => r.end('{"data":{}}'),
  '/empty': (r) => r.end(),
  '/exactly': (r) => r.end(Buffer.alloc(CAP, 'a')),
  '/exactly-chunked': (r) => writeInPieces(r, CAP),
  '/over': (r) => r.end(Buffer.alloc(CAP + 1, 'a')),
  '/over-chunked': (r) => writeInPieces(r, CAP + 1),
  '/endless': (r) => {
    const more = () => {
      while (!r.destroyed && r.write(Buffer.alloc(65_536, 'a')));
      if (!r.destroyed) r.once('drain', more);
    };
    more();
  },
  '/gzip': (r) => r.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('{"data":{}}')),
  '/gzip-bomb': (r) => r.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(20 * CAP))),
  '/brotli-bomb': (r) =>
    r.writeHead(200, { 'content-encoding': 'br' }).end(brotliCompressSync(Buffer.alloc(4 * CAP))),
  '/not-gzip': (r) => r.writeHead(200, { 'content-encoding': 'gzip' }).end('plain'),
  '/silent': () => {},
  '/stalls': (r) => r.writeHead(200).write('{"data":'),
  '/drips': (r) => {
    r.writeHead(200);
    const timer = setInterval(() => r.write(' '), 10);
    r.once('close', () => clearInterval(timer));
  },
  '/stalls-large': (r) => r.writeHead(200).write(Buffer.alloc(400_000, 'a')),
  '/drips-large': (r) => {
    r.writeHead(200).write(Buffer.alloc(400_000, 'a'));
    const timer = setInterval(() => r.write('a'), 5);
    r.once('close', () => clearInterval(timer));
  },
  '/breaks-large': (r) => {
    r.writeHead(200, { 'content-length': '900000' }).write(Buffer.alloc(400_000, 'a'));
    setTimeout(() => r.destroy(), 20);
  },
  '/large': (r) => r.end(Buffer.alloc(600_000, 'a')),
  '/resets': (r) => void r.destroy(),
  '/resets-midway': (r) => {
    r.writeHead(200, { 'content-length': '1000' }).write('{"data":');
    setTimeout(() => r.destroy(), 20);
  },
  '/404-drips': (r) => void r.writeHead(404).write('x'),
  '/500': (r) => r.writeHead(500).end('secret stack trace'),
};
for (const status of [300, 301, 302, 303, 304, 307, 308]) {
  PATHS[`/${status}`] = (r) => r.writeHead(status, { location: '/ok' }).end();
}

function writeInPieces(response: ServerResponse, bytes: number): void {
  for (let left = bytes; left > 0; left -= 10_000) response.write(Buffer.alloc(Math.min(left, 10_000), 'a'));
  response.end();
}

const never: HostResolver = () => new Promise(() => {});

interface Settings extends Partial<RelayOptions<HttpReply>> {
  readonly signBytes?: typeof signer.signBytes;
  readonly allowLoopbackHttp?: boolean;
}
type Request = Omit<SignedRequest, 'headers' | 'allowLoopbackHttp'> & Partial<SignedRequest>;

/** What signs and what sends, one behind the other; replies are handed on as they came. */
function endpoint({ signBytes = signer.signBytes, allowLoopbackHttp = true, ...relay }: Settings = {}) {
  const sending = createRelay<HttpReply>({ fetch, resolveHost: never, read: (_, reply) => reply, ...relay });
  const signing = createSellerEndpoint({
    signer: { signBytes },
    clock: { now: () => NOW },
    relay: { post: sending.send } as unknown as Relay,
    allowLoopbackHttp,
  });
  return {
    post: async (request: Request) =>
      (await signing.post({ reading: { envelope: { kind: 'none' } }, ...request })) as HttpReply | NoReply,
  };
}

function post(path: string, overrides: Partial<Request> = {}): Promise<HttpReply | NoReply> {
  const url = `${seller.origin}${path}`;
  return endpoint().post({ url, body: '{"a":"ü"}', timeoutMs: 5000, maxBytes: CAP, ...overrides });
}

describe('the signed POST', () => {
  clause(
    'agents.callback-delivery',
    'authentication.7-outbound',
    'events.key-id',
    'events.signature',
    'events.signature-alg',
    'events.timestamp',
    'events.body-sha256',
    'events.signature-input',
    'events.message',
    'events.freshness',
    'versioning.keys',
    'events.agent-callback',
  );
  test('carries the headers of the contract, which verify', async () => {
    await post('/ok?x=%41', { headers: { accept: 'text/event-stream', 'X-MKT-Timestamp': 'forged' } });
    const { headers, method, path, body } = seller.received.at(-1) as ReceivedPost;
    expect({ method, path, body }).toEqual({ method: 'POST', path: '/ok?x=%41', body: '{"a":"ü"}' });
    const sha256 = createHash('sha256').update(body).digest('hex');
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      accept: 'text/event-stream',
      'user-agent': 'AgentMarketplace/1.0.0',
      'x-mkt-key-id': 'key-1',
      'x-mkt-signature-alg': 'ed25519',
      'x-mkt-timestamp': '2030-01-02T03:04:05.678Z',
      'x-mkt-body-sha256': sha256,
      'x-mkt-signature-input': 'POST\\n<callback URL>\\n<X-MKT-Timestamp>\\n<X-MKT-Body-Sha256>',
    });
    const signature = headers['x-mkt-signature'] as string;
    expect(signature).toMatch(/^[\w-]{86}$/);
    const message = ['POST', `${seller.origin}/ok?x=%41`, '2030-01-02T03:04:05.678Z', sha256].join('\n');
    expect(signer.verifies(message, signature)).toBe(true);
    expect(signer.verifies(`${message}\n`, signature)).toBe(false);
  });

  clause('events.url-as-registered');
  test('signs the URL as registered, not as normalised', async () => {
    const url = `${seller.origin.replace('http:', 'HTTP:')}/a/../ok`;
    await endpoint().post({ url, body: '', timeoutMs: 5000, maxBytes: CAP });
    const { headers, path } = seller.received.at(-1) as ReceivedPost;
    expect(path).toBe('/ok');
    const message = `POST\n${url}\n${headers['x-mkt-timestamp']}\n${headers['x-mkt-body-sha256']}`;
    expect(signer.verifies(message, headers['x-mkt-signature'] as string)).toBe(true);
  });
});

describe('the reply', () => {
  test.each([
    ['/ok', '{"data":{}}'],
    ['/gzip', '{"data":{}}'],
    ['/empty', ''],
  ])('%s', async (path, text) => {
    const reply = await post(path);
    expect(reply).toMatchObject({ kind: 'replied', status: 200 });
    expect(reply.kind === 'replied' && new TextDecoder().decode(reply.body)).toBe(text);
  });

  clause('limits.challenge');
  test.each(['/exactly', '/exactly-chunked'])('%s the limit is let through', async (path) => {
    const reply = await post(path);
    expect(reply.kind === 'replied' && reply.body.length).toBe(CAP);
    expect(reply.kind === 'replied' && reply.body.every((byte) => byte === 0x61)).toBe(true);
  });

  clause('limits.challenge', 'limits.delivery');
  test.each(['/over', '/over-chunked', '/endless', '/gzip-bomb', '/brotli-bomb'])(
    '%s is too large',
    async (path) => {
      expect(await post(path)).toEqual({ kind: 'too_large' });
    },
  );

  clause('agents.callback-redirects', 'events.redirects');
  test.each([300, 301, 302, 303, 304, 307, 308])('%i is not followed', async (status) => {
    const before = seller.received.length;
    expect(await post(`/${status}`)).toEqual({ kind: 'redirected', status });
    expect(seller.received.length).toBe(before + 1);
  });

  clause('limits.challenge');
  test.each(['/silent', '/stalls', '/drips'])('%s runs into the limit of the whole call', async (path) => {
    const start = performance.now();
    expect(await post(path, { timeoutMs: 150 })).toEqual({ kind: 'timed_out' });
    expect(performance.now() - start).toBeLessThan(1000);
  });

  test.each(['/resets', '/resets-midway', '/not-gzip'])('%s counts as unreachable', async (path) => {
    expect(await post(path)).toEqual({ kind: 'unreachable' });
  });

  test.each([
    ['/404-drips', 404],
    ['/500', 500],
  ])('%s: the body of a failure is not read', async (path, status) => {
    const reply = await post(path);
    expect(reply).toMatchObject({ kind: 'replied', status });
    expect(reply.kind === 'replied' && reply.body.length).toBe(0);
  });

  test('a closed port is unreachable', async () => {
    const gone = await startLocalSeller(() => {});
    await gone.close();
    expect(await post('', { url: `${gone.origin}/` })).toEqual({ kind: 'unreachable' });
  });

  test('a failing signer sends nothing and throws nothing', async () => {
    const failing = () => Promise.reject(new Error('no key'));
    const before = seller.received.length;
    const request = { url: `${seller.origin}/ok`, body: '', timeoutMs: 500, maxBytes: CAP };
    expect(await endpoint({ signBytes: failing }).post(request)).toEqual({ kind: 'unreachable' });
    expect(seller.received.length).toBe(before);
  });
});

describe('the guard', () => {
  const request = { url: 'https://seller.example.com/hook', body: '', timeoutMs: 100, maxBytes: CAP };

  clause('events.target');
  test.each([
    [
      'a refused URL',
      'https://169.254.169.254/',
      ['8.8.8.8'],
      { kind: 'url_refused', reason: 'link_local_address' },
    ],
    ['a private address', request.url, ['10.0.0.1'], { kind: 'url_refused', reason: 'private_address' }],
    [
      'one bad address of many',
      request.url,
      ['8.8.8.8', '::1'],
      { kind: 'url_refused', reason: 'loopback_address' },
    ],
    [
      'a name that hides one',
      'https://127.0.0.1.nip.io/',
      ['127.0.0.1'],
      { kind: 'url_refused', reason: 'loopback_address' },
    ],
    ['no address', request.url, [], { kind: 'unreachable' }],
    ['no DNS', request.url, null, { kind: 'unreachable' }],
  ])('connects to nothing for %s', async (_, url, addresses, outcome) => {
    const connect = vi.fn<typeof fetch>();
    const guarded = endpoint({
      fetch: connect,
      resolveHost: async () => addresses,
      allowLoopbackHttp: false,
    });
    expect(await guarded.post({ ...request, url })).toEqual(outcome);
    expect(connect).not.toHaveBeenCalled();
  });

  test('is passed again at each call: a name may move to a private address', async () => {
    const connect = vi.fn<typeof fetch>(async () => new Response('{}'));
    const answers = [['93.184.215.14'], ['192.168.1.1']];
    const guarded = endpoint({
      fetch: connect,
      resolveHost: async () => answers.shift() ?? null,
      allowLoopbackHttp: false,
    });
    expect(await guarded.post(request)).toMatchObject({ kind: 'replied', status: 200 });
    expect(await guarded.post(request)).toEqual({ kind: 'url_refused', reason: 'private_address' });
    expect(connect).toHaveBeenCalledTimes(1);
  });

  test('resolving counts against the time limit', async () => {
    expect(await endpoint({ fetch: vi.fn() }).post(request)).toEqual({ kind: 'timed_out' });
  });
});

test('a call too many is refused at once, and of one host before the others', async () => {
  const silent = vi.fn<typeof fetch>(() => new Promise(() => {}));
  const bounded = endpoint({ fetch: silent, calls: new Slots(3, 2) });
  const call = (port: number) =>
    bounded.post({ url: `http://127.0.0.1:${port}/`, body: '', timeoutMs: 60_000, maxBytes: CAP });
  void [call(1), call(1)];
  await vi.waitFor(() => expect(silent).toHaveBeenCalledTimes(2));
  expect(await call(1)).toEqual({ kind: 'relay_busy' });
  void call(2);
  expect(await call(3)).toEqual({ kind: 'relay_busy' });
  expect(silent).toHaveBeenCalledTimes(3);
  const withOneSlot = endpoint({ fetch: async () => new Response('{}'), calls: new Slots(1, 1) });
  const request = { url: 'http://127.0.0.1:1/', body: '', timeoutMs: 200, maxBytes: CAP };
  expect(await withOneSlot.post(request)).toMatchObject({ kind: 'replied' });
  expect(await withOneSlot.post(request)).toMatchObject({ kind: 'replied' });
});

test('a relay that ends is no failure of the seller', async () => {
  const ended = createSellerEndpoint({
    signer,
    clock: { now: () => NOW },
    relay: { post: () => Promise.reject(new Error('exceeded memory')) },
    allowLoopbackHttp: true,
  });
  const request = { url: `${seller.origin}/ok`, body: '', timeoutMs: 500, maxBytes: CAP };
  expect(await ended.post(request)).toEqual({ kind: 'relay_busy' });
});

test('the body is not read where only the status matters', async () => {
  const start = performance.now();
  const request = { url: `${seller.origin}/drips`, body: '', timeoutMs: 5000, maxBytes: CAP };
  const sending = createRelay({ fetch, resolveHost: never, read: (_, reply) => reply });
  expect(await sending.send({ ...request, headers: {}, allowLoopbackHttp: true })).toMatchObject({
    status: 200,
    body: new Uint8Array(),
  });
  expect(performance.now() - start).toBeLessThan(1000);
});

test('large replies wait for a slot, small ones do not; that there was none is not their fault', async () => {
  const largeReplies = new Slots(1, 1, 5);
  const bounded = endpoint({ largeReplies });
  const request = { body: '', timeoutMs: 200, maxBytes: CAP };
  const { release } = await largeReplies.take('other.example', 60_000, AbortSignal.timeout(1000));
  expect(await bounded.post({ ...request, url: `${seller.origin}/ok` })).toMatchObject({ kind: 'replied' });
  expect(await bounded.post({ ...request, url: `${seller.origin}/exactly` })).toEqual({ kind: 'relay_busy' });
  release();
  expect(await bounded.post({ ...request, url: `${seller.origin}/exactly` })).toMatchObject({
    kind: 'replied',
  });
  expect(await bounded.post({ ...request, url: `${seller.origin}/over-chunked` })).toEqual({
    kind: 'too_large',
  });
  expect(await bounded.post({ ...request, url: `${seller.origin}/exactly` })).toMatchObject({
    kind: 'replied',
  });
});

describe('a large reply that hardly moves', () => {
  const call = (bounded: ReturnType<typeof endpoint>, path: string, timeoutMs = 5000) =>
    bounded.post({ body: '', maxBytes: CAP, timeoutMs, url: `${seller.origin}${path}` });

  test.each(['/stalls-large', '/drips-large'])(
    '%s has all of its time while nobody waits for its slot',
    async (path) => {
      const bounded = endpoint({ largeReplies: new Slots(1, 1, 5), slowMs: 20 });
      expect(await call(bounded, path, 300)).toEqual({ kind: 'timed_out' });
    },
  );

  test.each(['/stalls-large', '/drips-large'])(
    '%s makes room for one that waits, and neither is to blame',
    async (path) => {
      const bounded = endpoint({ largeReplies: new Slots(1, 1, 5), slowMs: 20 });
      const slow = call(bounded, path, 60_000);
      const honest = await call(bounded, '/large');
      // Whichever of them came first.
      expect(honest.kind === 'replied' && honest.body.length).toBe(600_000);
      void call(bounded, '/large');
      expect(await slow).toEqual({ kind: 'relay_busy' });
    },
  );

  test('of one host leaves slots for the others', async () => {
    const largeReplies = new Slots(3, 2, 5);
    const bounded = endpoint({ largeReplies });
    const stalled = [1, 2, 3].map(() => call(bounded, '/stalls-large', 600));
    const fromElsewhere = { origin: seller.origin.replace('127.0.0.1', 'localhost') };
    const request = { body: '', maxBytes: CAP, timeoutMs: 5000 };
    for (let n = 0; n < 3; n += 1) {
      const reply = await bounded.post({ ...request, url: `${fromElsewhere.origin}/large` });
      expect(reply).toMatchObject({ kind: 'replied', status: 200 });
    }
    const ends = (await Promise.all(stalled)).map(({ kind }) => kind).sort();
    expect(ends).toEqual(['relay_busy', 'timed_out', 'timed_out']);
  });

  test('and breaks while it waits is not to blame either', async () => {
    const largeReplies = new Slots(1, 1, 5);
    const bounded = endpoint({ largeReplies });
    const { release } = await largeReplies.take('other.example', 60_000, AbortSignal.timeout(1000));
    const breaking = call(bounded, '/breaks-large');
    setTimeout(release, 60);
    expect(await breaking).toEqual({ kind: 'relay_busy' });
    expect(await call(bounded, '/breaks-large')).toEqual({ kind: 'unreachable' });
  });
});
