import { createMarketplaceClient } from '@agent-marketplace/sdk';
import { expect, test } from 'vitest';
import { siteDocument } from './site-documents.ts';

const ORIGIN = 'https://market.example';
const ID = '5d2c8e4e-0000-4000-8000-000000000000';
const LISTING = {
  id: ID,
  title: `]]></title><script>alert(1)</script>\u0000\u202e${'x'.repeat(10_000)}`,
  description: 'Low & high "water"',
  sellerName: "Harbour's <master>",
  verticalName: 'Weather & environment',
  createdAt: '2026-03-12T09:30:00.000Z',
  lastModified: null,
};

async function read(path: string, answer: () => Response) {
  const addresses: string[] = [];
  const api = createMarketplaceClient({
    baseUrl: `${ORIGIN}/api`,
    verify: 'off',
    retries: 0,
    fetch: async (input) => {
      addresses.push(String(input));
      return answer();
    },
  });
  const response = await siteDocument(new URL(path, ORIGIN), () => api);
  return {
    status: response?.status,
    type: response?.headers.get('content-type'),
    text: await response?.text(),
    addresses,
  };
}
const found = (total: number) => () => Response.json({ total, limit: 100, offset: 0, listings: [LISTING] });

test('the sitemap names a part for each hundred listings, from one call', async () => {
  const { text, type, addresses } = await read('/sitemap.xml', found(201));
  expect(type).toBe('application/xml; charset=utf-8');
  expect(
    [...(text ?? '').matchAll(/<loc>(.*?)<\/loc>/g)].map(([, loc]) => loc?.slice(ORIGIN.length)),
  ).toEqual([
    '/sitemaps/pages.xml',
    '/sitemaps/listings-1.xml',
    '/sitemaps/listings-2.xml',
    '/sitemaps/listings-3.xml',
  ]);
  expect(addresses).toHaveLength(1);
});

test('a part names its listings', async () => {
  const { text, addresses } = await read('/sitemaps/listings-3.xml', found(201));
  expect(text).toContain(`<loc>${ORIGIN}/listings/${ID}</loc><lastmod>2026-03-12T09:30:00.000Z</lastmod>`);
  expect(addresses[0]).toContain('offset=200');
  expect((await read('/sitemaps/listings-0.xml', found(1))).status).toBeUndefined();
});

test('the feed holds what sellers wrote as text', async () => {
  const { text = '', type } = await read('/feed.atom', found(1));
  expect(type).toBe('application/atom+xml; charset=utf-8');
  expect(text).toContain('<title>]]&gt;&lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt;');
  expect(text).toContain('<name>Harbour&apos;s &lt;master&gt;</name>');
  expect(text).toContain('term="Weather &amp; environment"');
  for (const harm of ['<script', '\0', '\u202e']) expect(text).not.toContain(harm);
  expect(text.length).toBeLessThan(2000);
});

test('while the API does not answer, crawlers are told to come again', async () => {
  const down = () => Response.json({ code: 'x', title: 'Down.', status: 503 }, { status: 503 });
  expect((await read('/feed.atom', down)).status).toBe(503);
  expect((await read('/sitemaps/pages.xml', down)).status).toBe(200);
});
