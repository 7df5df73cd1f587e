import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { ImageReply } from '../kernel/ports/images/image-fetcher.ts';
import { drawnGif, drawnJpeg, drawnPng, drawnWebp } from '../testing/fixtures/pictures.ts';
import {
  type LocalSeller,
  type ReceivedPost,
  startLocalSeller,
} from '../testing/marketplace/local-seller.ts';
import { imageRelay } from './image-relay.ts';

const SCRIPT = '<script>alert(1)</script>';
const SVG = `<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10">${SCRIPT}</svg>`;
const POLYGLOT = Buffer.concat([drawnPng(50, 40), Buffer.from(SCRIPT)]);
const MIB = 1024 * 1024;

/** Says of everything that it is a picture. */
const sent = (r: ServerResponse, body: Uint8Array | string, type = 'image/png') =>
  r.writeHead(200, { 'content-type': type }).end(body);

const PATHS: Record<string, (response: ServerResponse) => void> = {
  '/png': (r) => sent(r, drawnPng(640, 480)),
  '/gif': (r) => sent(r, drawnGif(640, 480), 'text/html'),
  '/jpeg': (r) => sent(r, drawnJpeg(640, 480), 'application/octet-stream'),
  '/webp': (r) => r.end(drawnWebp(640, 480)),
  '/svg': (r) => sent(r, SVG),
  '/svg-named': (r) => sent(r, SVG, 'image/svg+xml'),
  '/page': (r) => sent(r, `<!doctype html>${SCRIPT}`),
  '/empty': (r) => sent(r, ''),
  '/polyglot': (r) => sent(r, POLYGLOT),
  '/html-then-png': (r) => sent(r, Buffer.concat([Buffer.from('<!--'), drawnPng(50, 40)])),
  '/100-mb': (r) => r.writeHead(200, { 'content-length': String(100 * MIB) }).write(drawnPng(9, 9)),
  '/100-mb-undeclared': (r) => {
    r.write(drawnPng(9, 9));
    const more = () => {
      while (!r.destroyed && r.write(Buffer.alloc(65_536)));
      if (!r.destroyed) r.once('drain', more);
    };
    more();
  },
  '/bomb': (r) => sent(r, drawnPng(50_000, 50_000)),
  '/long-side': (r) => sent(r, drawnGif(20_000, 1)),
  '/25-megapixels': (r) => sent(r, drawnPng(5000, 5000)),
  '/26-megapixels': (r) => sent(r, drawnPng(5200, 5000)),
  '/to-private': (r) => r.writeHead(302, { location: 'http://169.254.169.254/latest/meta-data/' }).end(),
  '/to-itself': (r) => r.writeHead(301, { location: '/png' }).end(),
  '/404': (r) => r.writeHead(404).end(drawnPng(640, 480)),
  '/403': (r) => r.writeHead(403).end(),
  '/500': (r) => r.writeHead(500).end(drawnPng(640, 480)),
  '/429': (r) => r.writeHead(429).end(),
  '/resets': (r) => void r.destroy(),
};

let seller: LocalSeller;
beforeAll(async () => {
  seller = await startLocalSeller((post, response) => PATHS[post.path]?.(response));
});
afterAll(() => seller.close());

/** What the service for pictures was given to draw. */
let drawn: { readonly bytes: Uint8Array; readonly transform: unknown; readonly output: unknown }[] = [];
beforeEach(() => {
  drawn = [];
});

/** Draws two bytes' worth of a picture in the format that was asked for. */
const images = {
  input: (stream: ReadableStream<Uint8Array>) => ({
    transform: (transform: unknown) => ({
      async output(output: { format: string }) {
        const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
        drawn.push({ bytes, transform, output });
        const picture = output.format === 'image/webp' ? drawnWebp(160, 160) : drawnJpeg(1200, 900);
        return { response: () => new Response(picture) };
      },
    }),
  }),
} as unknown as ImagesBinding;

const fetchImage = (path: string, service: ImagesBinding | undefined = images): Promise<ImageReply> =>
  imageRelay(fetch, service, async () => null).image({ url: seller.origin + path, allowLoopbackHttp: true });

const refused = (reason: string) => ({ kind: 'refused', reason });

test.each(['/png', '/gif', '/jpeg', '/webp', '/25-megapixels', '/polyglot'])(
  '%s is drawn anew, small and large',
  async (path) => {
    expect(await fetchImage(path)).toEqual({
      kind: 'fetched',
      small: { bytes: drawnWebp(160, 160), width: 160, height: 160 },
      large: { bytes: drawnJpeg(1200, 900), width: 1200, height: 900 },
    });
    expect(drawn).toHaveLength(2);
  },
);

test('of a picture that is a page as well, only what is drawn anew is handed on', async () => {
  const reply = await fetchImage('/polyglot');
  expect(Buffer.from(drawn[0]?.bytes ?? []).toString()).toContain(SCRIPT);
  if (reply.kind !== 'fetched') throw new Error('It was not fetched.');
  for (const { bytes } of [reply.small, reply.large])
    expect(Buffer.from(bytes).toString()).not.toContain('script');
});

test.each([
  ['/svg', 'not_an_image'],
  ['/svg-named', 'not_an_image'],
  ['/page', 'not_an_image'],
  ['/empty', 'not_an_image'],
  ['/html-then-png', 'not_an_image'],
  ['/100-mb', 'too_large'],
  ['/100-mb-undeclared', 'too_large'],
  ['/bomb', 'too_many_pixels'],
  ['/long-side', 'too_many_pixels'],
  ['/26-megapixels', 'too_many_pixels'],
  ['/to-private', 'redirected'],
  ['/to-itself', 'redirected'],
  ['/404', 'not_found'],
  ['/403', 'not_found'],
])('%s is refused as %s, and never drawn', async (path, reason) => {
  expect(await fetchImage(path)).toEqual(refused(reason));
  expect(drawn).toEqual([]);
});

test.each(['/500', '/429', '/resets'])('%s may be another time', async (path) => {
  expect(await fetchImage(path)).toEqual({ kind: 'failed' });
});

test('nothing of a reader, a key or a signature is sent along', async () => {
  await fetchImage('/png');
  const { method, headers, body } = seller.received.at(-1) as ReceivedPost;
  expect({ method, body }).toEqual({ method: 'GET', body: '' });
  expect(
    Object.keys(headers).filter((name) => /x-mkt|cookie|authorization|referer|forwarded/.test(name)),
  ).toEqual([]);
  expect(headers.accept).toBe('image/webp,image/png,image/jpeg,image/gif');
});

test('hosts of private networks are never called, by name or by number, nor over http', async () => {
  const calls: string[] = [];
  const spy = (async (url: string) => {
    calls.push(url);
    return new Response(drawnPng(9, 9));
  }) as unknown as typeof fetch;
  const ask = (url: string, address: string | null, allowLoopbackHttp = false) =>
    imageRelay(spy, images, async () => (address === null ? null : [address])).image({
      url,
      allowLoopbackHttp,
    });
  for (const url of [
    'https://169.254.169.254/a.png',
    'https://10.0.0.1/a.png',
    'https://[::1]/a.png',
    'https://localhost/a.png',
    'https://metadata.internal/a.png',
    'https://user@pictures.example.com/a.png',
    'http://pictures.example.com/a.png',
    'file:///etc/passwd',
    'data:image/png;base64,AAAA',
  ])
    expect(await ask(url, '203.0.113.1'), url).toEqual(refused('url_refused'));
  expect(await ask('https://pictures.example.com/a.png', '192.168.1.4')).toEqual(refused('url_refused'));
  expect(await ask('https://pictures.example.com/a.png', null)).toEqual({ kind: 'failed' });
  expect(calls).toEqual([]);
  expect(await ask('https://pictures.example.com/a.png', '93.184.215.14')).toMatchObject({ kind: 'fetched' });
  expect(calls).toHaveLength(1);
});

test('what draws may fail, or draw something else: it may be another time', async () => {
  const failing = {
    input: () => ({ transform: () => ({ output: async () => Promise.reject(new Error('down')) }) }),
  };
  expect(await fetchImage('/png', failing as unknown as ImagesBinding)).toEqual({ kind: 'failed' });
  const other = {
    input: () => ({ transform: () => ({ output: async () => ({ response: () => new Response(SVG) }) }) }),
  };
  expect(await fetchImage('/png', other as unknown as ImagesBinding)).toEqual({ kind: 'failed' });
});

test('where nothing draws, nothing is fetched', async () => {
  const before = seller.received.length;
  const relay = imageRelay(fetch, undefined);
  expect(await relay.image({ url: `${seller.origin}/png`, allowLoopbackHttp: true })).toEqual({
    kind: 'failed',
  });
  expect(seller.received).toHaveLength(before);
});

test('slow: it is given up, and no reader waits for it', async () => {
  const never: typeof fetch = (_url, init) =>
    new Promise((_resolve, reject) => {
      // The relay ends it by its signal; here it is ended at once.
      queueMicrotask(() => reject((init as RequestInit).signal?.reason ?? new Error('aborted')));
    });
  expect(
    await imageRelay(never, images).image({ url: `${seller.origin}/png`, allowLoopbackHttp: true }),
  ).toEqual({
    kind: 'failed',
  });
});
