import { gzipSync } from 'node:zlib';
import { buildDocs } from '@agent-marketplace/site/build/docs/build-docs.ts';
import { describe, expect, inject, test } from 'vitest';
import { axeViolations } from './axe.ts';
import { describeInBrowser, watch } from './browser.ts';

const { origin, baseUrl } = inject('world');
const get = (path: string, accept = 'text/html') =>
  fetch(origin + path, { redirect: 'manual', headers: { accept } });

const pagePaths = () =>
  [...buildDocs().keys()]
    .filter((file) => file.startsWith('pages/'))
    .map((file) => `/docs/${file.slice('pages/'.length, -'.json'.length)}`.replace(/\/index$/, ''));

const MAX_SCRIPT_BYTES = 60_000;
const MAX_PAGE_BYTES = 150_000;

describe('the documentation', () => {
  test('each page is sent within its budget, with what it loads', async () => {
    const pages = pagePaths();
    expect(pages.length).toBeGreaterThan(150);
    const sizes = new Map<string, number>();
    const sizeOf = async (path: string) => {
      const known = sizes.get(path);
      if (known !== undefined) return known;
      const size = gzipSync(await (await get(path)).text()).length;
      sizes.set(path, size);
      return size;
    };
    for (const path of pages) {
      const response = await get(path);
      const html = await response.text();
      expect([path, response.status]).toEqual([path, 200]);
      // No page shows what only stands for the deployment's address.
      expect(html).not.toContain('{{');
      const loaded = [...new Set(html.match(/\/assets\/[^"]+/g))];
      const scripts = await Promise.all(loaded.filter((one) => one.endsWith('.js')).map(sizeOf));
      const styles = await Promise.all(loaded.filter((one) => one.endsWith('.css')).map(sizeOf));
      const script = scripts.reduce((sum, one) => sum + one, 0);
      const all = styles.reduce((sum, one) => sum + one, script + gzipSync(html).length);
      expect(script, path).toBeLessThan(MAX_SCRIPT_BYTES);
      expect(all, path).toBeLessThan(MAX_PAGE_BYTES);
    }
    const [, index = ''] = /data-index="([^"]+)"/.exec(await (await get('/docs')).text()) ?? [];
    // Loaded by whoever searches.
    expect(await sizeOf(index)).toBeLessThan(MAX_PAGE_BYTES);
    expect((await get(index)).headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  });

  test('programs get the text of a guide, people its page', async () => {
    const text = await get('/docs/buy.md', '*/*');
    expect([text.status, text.headers.get('content-type')]).toEqual([200, 'text/markdown; charset=utf-8']);
    expect((await text.text()).startsWith('# How to buy\n')).toBe(true);
    const page = await get('/docs/buy.md');
    expect([page.status, page.headers.get('location')]).toEqual([308, '/docs/buy']);
    const full = await (await get('/llms-full.txt')).text();
    expect(full).toContain('# How to buy\n');
    expect(full).toContain('# How to sell\n');
  });

  test('texts for programs name this marketplace, and people are led from each to its page', async () => {
    const files = [...buildDocs().keys()];
    const guides = files.filter((file) => file.endsWith('.md'));
    expect(guides.length).toBeGreaterThan(30);
    for (const path of ['/llms.txt', '/llms-full.txt', ...guides.map((file) => `/docs/${file}`)]) {
      const response = await fetch(origin + path, { headers: { accept: '*/*' } });
      expect([path, response.status]).toEqual([path, 200]);
      expect(await response.text(), path).not.toMatch(/\{\{[A-Z]|http:\/\/localhost:8787\/api|site\.invalid/);
    }
    for (const file of guides) {
      // As the file is called in the repository: a page of its own stands where its folder did.
      const name = file.replace(/(^|\/)index\.md$/, '$1README.md');
      const { status, headers } = await get(`/docs/${name}`);
      const location = headers.get('location') ?? '';
      expect([file, status]).toEqual([file, 308]);
      expect(files).toContain(`pages/${location.replace(/^\/docs\/?/, '') || 'index'}.json`);
    }
  });

  test.each([
    ['/docs/README.md', '/docs'],
    ['/docs/adr/README.md', '/docs/adr'],
    ['/docs/openapi.json', '/openapi.json'],
    ['/docs/openapi-operator.json', '/openapi-operator.json'],
    ['/docs/sdk/README.md', '/docs/sdk'],
    ['/docs/buy/', '/docs/buy'],
    ['/api/docs', `${origin}/docs/api`],
  ])('%s leads to %s', async (path, location) => {
    const response = await get(path);
    expect([response.status, response.headers.get('location')]).toEqual([308, location]);
  });

  test.each([
    '/docs/nope',
    '/docs/nope.md',
    '/docs/search.0.json',
    '/docs/adr/..%2fbuy',
    '/docs/api/constructor',
  ])('%s is not there', async (path) => {
    const response = await get(path, '*/*');
    expect(response.status).toBe(404);
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
  });

  test('samples name the marketplace that they are read at', async () => {
    expect(await (await get('/docs')).text()).toContain(`BASE=${baseUrl}`);
  });
});

describeInBrowser('the documentation in a browser', (browser) => {
  test('is searched with the keyboard alone', async () => {
    const page = await browser().newPage();
    const troubles = watch(page, origin);
    await page.goto(`${origin}/docs`, { waitUntil: 'networkidle' });
    await page.keyboard.press('/');
    await page.keyboard.type('open a dispute');
    await page.locator('.docs-found a').first().waitFor();
    expect(await page.locator('.docs-search').getByRole('status').textContent()).toMatch(/places?/);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowUp');
    const chosen = String(await page.evaluate('document.activeElement.getAttribute("href")'));
    expect(chosen).toBe(await page.locator('.docs-found a').first().getAttribute('href'));
    await page.keyboard.press('Enter');
    await page.waitForURL(origin + chosen);
    await page.keyboard.press('/');
    await page.keyboard.type('zzzzzz');
    await page.getByText('Nothing found.').waitFor();
    await page.keyboard.press('Escape');
    expect(await page.getByLabel('Search the documentation').inputValue()).toBe('');
    expect(troubles).toEqual([]);
    await page.close();
  });

  test.each([375, 1440])('needs no script at a width of %d', async (width) => {
    const context = await browser().newContext({
      javaScriptEnabled: false,
      viewport: { width, height: 900 },
    });
    const page = await context.newPage();
    await page.goto(`${origin}/docs/buy`);
    expect(await page.locator('.docs-search').isVisible()).toBe(false);
    expect(await page.getByRole('button', { name: 'Copy' }).count()).toBe(0);
    if (width < 600) await page.getByRole('link', { name: 'All pages' }).click();
    const contents = page.getByRole('navigation', { name: 'Documentation', exact: true });
    await contents.getByRole('link', { name: 'Pay', exact: true }).click();
    expect(await page.locator('#pay').isVisible()).toBe(true);
    await page.getByRole('link', { name: /^Next/ }).click();
    await page.waitForURL(`${origin}/docs/sell`);
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('How to sell');
    await context.close();
  });

  test.each(['/docs/buy', '/docs/api/purchaseListing'])(
    '%s has no barriers on a wide screen',
    async (path) => {
      const context = await browser().newContext({ viewport: { width: 1440, height: 900 } });
      const page = await context.newPage();
      await page.goto(origin + path, { waitUntil: 'networkidle' });
      expect(await axeViolations(page)).toEqual([]);
      await context.close();
    },
  );

  // Contrast, which takes longest, is that of the pages of `pages.ts`: all are made of the same parts. Pages of operations
  // are made alike: a tenth of them is looked at.
  test('each guide and decision has its landmarks, one title, and headings in order', {
    timeout: 240_000,
  }, async () => {
    const context = await browser().newContext();
    const page = await context.newPage();
    const rules = [
      'heading-order',
      'page-has-heading-one',
      'empty-heading',
      'region',
      'bypass',
      'list',
      'link-name',
    ];
    const landmarks = [
      'landmark-one-main',
      'landmark-unique',
      'landmark-no-duplicate-main',
      'duplicate-id-aria',
    ];
    const faults: string[] = [];
    const looked = pagePaths().filter((path, index) => !path.startsWith('/docs/api/') || index % 10 === 0);
    expect(looked.length).toBeGreaterThan(60);
    for (const path of looked) {
      await page.goto(origin + path, { waitUntil: 'domcontentloaded' });
      const found = await axeViolations(page, [...rules, ...landmarks]);
      faults.push(...found.map((fault) => `${path}: ${fault}`));
      if ((await page.locator('h1').count()) !== 1) faults.push(`${path}: not one title`);
    }
    expect(faults).toEqual([]);
    await context.close();
  });

  test('a wide table scrolls in its frame, and the page does not', async () => {
    const context = await browser().newContext({ viewport: { width: 375, height: 760 } });
    const page = await context.newPage();
    await page.goto(`${origin}/docs/api/purchaseListing`);
    const [inner, outer] = (await page.evaluate(
      '(() => { const one = document.querySelector(".table-frame"); return [one.scrollWidth, one.clientWidth]; })()',
    )) as [number, number];
    expect(inner).toBeGreaterThan(outer);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(375);
    await context.close();
  });

  test('a sample is copied as it stands', async () => {
    const context = await browser().newContext({ permissions: ['clipboard-read', 'clipboard-write'] });
    const page = await context.newPage();
    await page.goto(`${origin}/docs`);
    await page.getByRole('button', { name: 'Copy' }).first().click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(`BASE=${baseUrl}`);
    await context.close();
  });
});
