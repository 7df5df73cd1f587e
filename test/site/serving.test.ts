import { gzipSync } from 'node:zlib';
import { buildAssets } from '@agent-marketplace/site/build/build-assets.ts';
import { describe, expect, inject, test } from 'vitest';
import { PAGES_UNDER_TEST } from './pages.ts';

const world = inject('world');
const { origin, baseUrl } = world;
const get = (path: string, init: RequestInit = {}) => fetch(origin + path, { redirect: 'manual', ...init });

/** Of one public page as it is transferred: its scripts, with those that are loaded when they are needed, and all but pictures. */
const MAX_SCRIPT_BYTES = 60_000;
const MAX_PAGE_BYTES = 150_000;
/** Of all pages together, which nobody loads: it tells of growth. */
const MAX_SCRIPTS_GZIP_BYTES = 149_000;
const MAX_STYLE_GZIP_BYTES = 12_000;

/** Paths of style and scripts that some page names. */
async function assetPaths(): Promise<string[]> {
  const pages = await Promise.all(PAGES_UNDER_TEST.map(async ({ path }) => (await get(path(world))).text()));
  return [...new Set(pages.join('').match(/\/assets\/[^"]+/g))];
}

describe('what every page is served with', () => {
  test.each(PAGES_UNDER_TEST)('$name', async ({ path, status = 200, isPrivate = false }) => {
    const response = await get(path(world));
    const html = await response.text();
    expect(response.status).toBe(status);
    const policy = response.headers.get('content-security-policy');
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('unsafe');
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'permissions-policy': expect.stringContaining('camera=()'),
    });
    expect(html.startsWith('<!doctype html>\n<html lang="en">')).toBe(true);
    for (const policy of ['prohibited', 'terms', 'privacy'])
      expect(html).toContain(`<a href="/policies/${policy}">`);
    expect(html).not.toMatch(
      /<style|<script(?! type="module" src="\/assets\/| type="application\/ld\+json">[^<]*<\/script>)|\sstyle=|\son[a-z]+="/,
    );
    if (isPrivate) {
      expect(response.headers.get('cache-control')).toBe('no-store');
      expect(response.headers.get('x-robots-tag')).toBe('noindex');
    }
    if (status === 200 && !isPrivate) {
      expect(html).toMatch(/<meta property="og:title" content="[^"]+"/);
      expect(html).toMatch(/<meta name="description" content="[^"]+"/);
      expect(html).toMatch(/<link rel="canonical" href="http[^"]+"/);
      expect(html).toMatch(
        /<meta property="og:image" content="http[^"]+(\/pictures\/[0-9a-f]{8}\.png|\/images\/[0-9a-f]{64})"/,
      );
    } else expect(html).toContain('<meta name="robots" content="noindex"');
  });

  test('HEAD answers as GET does, without the body', async () => {
    const response = await get('/listings', { method: 'HEAD' });
    expect([response.status, await response.text()]).toEqual([200, '']);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
  });

  test('a method that a page does not take', async () => {
    const response = await get('/listings', { method: 'POST', body: new URLSearchParams({ q: 'a' }) });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });
});

describe('sizes', () => {
  const built = buildAssets();

  test.each(PAGES_UNDER_TEST.filter(({ isPrivate, status = 200 }) => !isPrivate && status === 200))(
    '$name and all that it may load',
    async ({ path }) => {
      const { files } = await built;
      const html = await (await get(path(world))).text();
      const loaded = new Map<string, number>();
      const load = (name: string) => {
        if (loaded.has(name)) return;
        const body = files[name]?.body ?? '';
        loaded.set(name, gzipSync(body).length);
        // Imported at once, or when it is needed.
        for (const [, other = ''] of body.matchAll(/["']\.\/([\w.-]+\.js)["']/g)) load(other);
      };
      for (const [, name = ''] of html.matchAll(/"\/assets\/([^"]+\.(?:js|css))"/g)) load(name);
      const sizeOf = (ending: string) =>
        [...loaded].reduce((sum, [name, bytes]) => sum + (name.endsWith(ending) ? bytes : 0), 0);
      expect(sizeOf('.js')).toBeGreaterThan(1000);
      expect(sizeOf('.js')).toBeLessThan(MAX_SCRIPT_BYTES);
      expect(sizeOf('.css')).toBeGreaterThan(1000);
      expect(gzipSync(html).length + sizeOf('')).toBeLessThan(MAX_PAGE_BYTES);
    },
  );

  test('all scripts together, and the style sheet', async () => {
    const assets = await built;
    const size = (ending: string) =>
      Object.entries(assets.files)
        .filter(([name]) => name.endsWith(ending))
        .reduce((sum, [, { body }]) => sum + gzipSync(body).length, 0);
    expect(size('.js')).toBeGreaterThan(1000);
    expect(size('.js')).toBeLessThan(MAX_SCRIPTS_GZIP_BYTES);
    expect(size('.css')).toBeGreaterThan(1000);
    expect(size('.css')).toBeLessThan(MAX_STYLE_GZIP_BYTES);
  });
});

describe('what is no page', () => {
  test('style and scripts may be kept for good', async () => {
    const paths = await assetPaths();
    expect(paths.length).toBeGreaterThan(3);
    for (const path of paths) {
      const response = await get(path);
      expect(response.status).toBe(200);
      expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      expect(response.headers.get('content-type')).toMatch(/^text\/(css|javascript); charset=utf-8$/);
    }
    expect((await get('/assets/site.css')).status).toBe(404);
    expect((await get('/assets/constructor')).status).toBe(404);
  });

  test('the icon, and what programs look for at the root', async () => {
    expect((await get('/favicon.svg')).headers.get('content-type')).toBe('image/svg+xml');
    expect(await (await get('/robots.txt')).text()).toContain('Disallow: /claim/');
    const security = await (await get('/.well-known/security.txt')).text();
    expect(security).toContain(`Contact: ${origin}/contact`);
    const expiresInMs = Date.parse(/^Expires: (.*)$/m.exec(security)?.[1] ?? '') - Date.now();
    expect(expiresInMs).toBeGreaterThan(0);
    expect(expiresInMs).toBeLessThan(365 * 86_400_000);
    for (const [path, location] of [
      ['/llms.txt', `${baseUrl}/llms.txt`],
      ['/favicon.ico', '/favicon.svg'],
    ]) {
      const { status, headers } = await get(path ?? '');
      expect([status, headers.get('location')]).toEqual([308, location]);
    }
    for (const path of ['/openapi.json', '/openapi-operator.json', '/.well-known/agent-card.json']) {
      const response = await get(path);
      expect([response.status, response.headers.has('x-mkt-provenance')]).toEqual([200, true]);
      expect(await response.json()).not.toHaveProperty('provenance');
    }
  });

  test('what search engines and feed readers ask for', async () => {
    expect(await (await get('/robots.txt')).text()).toContain(`Sitemap: ${origin}/sitemap.xml`);
    const index = await (await get('/sitemap.xml')).text();
    const parts = [...index.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, address = '']) => address);
    const maps = await Promise.all(parts.map(async (address) => (await fetch(address)).text()));
    expect(maps.join('')).toContain(`<loc>${origin}/listings/${world.listingId}</loc>`);
    expect(maps.join('')).not.toContain(world.pendingListingId);
    const feed = await get('/feed.atom');
    expect(feed.headers.get('content-type')).toBe('application/atom+xml; charset=utf-8');
    expect(await feed.text()).toContain('<title>Tide tables by harbour</title>');
    const page = await (await get(`/listings/${world.listingId}`)).text();
    const [, data = ''] = /<script type="application\/ld\+json">(.*?)<\/script>/.exec(page) ?? [];
    const product = JSON.parse(data) as { image: readonly string[] };
    expect(product).toMatchObject({ offers: { price: '26.00' }, aggregateRating: { ratingCount: 1 } });
    // The seller's own picture, drawn anew.
    expect((await fetch(product.image[0] ?? '')).headers.get('content-type')).toBe('image/jpeg');
    const inCategory = await (await get('/listings?q=tide&category=data')).text();
    expect(inCategory).toContain(`<link rel="canonical" href="${origin}/listings?category=data"`);
  });

  test('the API answers below /api, and the site everywhere else', async () => {
    expect((await get('/api/nothing')).headers.get('content-type')).toBe('application/problem+json');
    expect((await get('/apis')).headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect((await get('/listings/')).headers.get('location')).toBe('/listings');
    expect((await get('/listings/%E0%A4%A')).status).toBe(404);
  });
});

describe('the pages of errors', () => {
  test('there is one for each code, and for what the API says of them', async () => {
    const { problems } = (await (await get('/api/problems.json')).json()) as { problems: { code: string }[] };
    expect(problems.length).toBeGreaterThan(50);
    for (const { code } of problems) expect((await get(`/problems/${code}`)).status).toBe(200);
    expect((await get('/problems/no_such_code')).status).toBe(404);
  });

  test('the page that a refusal names exists', async () => {
    const { type } = (await (await get('/api/agents/agent-00000000')).json()) as { type: string };
    const response = await fetch(type);
    expect([response.status, response.headers.get('content-type')]).toEqual([
      200,
      'text/html; charset=utf-8',
    ]);
  });

  test('a listing that does not exist', async () => {
    const response = await get('/listings/00000000-0000-4000-8000-000000000000');
    const html = await response.text();
    expect(response.status).toBe(404);
    expect(html).toContain('href="/problems/listing_not_found"');
    expect(html).toContain('What to do next');
  });
});

test('an address with empty and unknown filters leads to the shortest one', async () => {
  const response = await get('/listings?q=&category=&sort=recent&price=free&utm_source=x');
  expect([response.status, response.headers.get('location')]).toEqual([303, '/listings?price=free']);
});
