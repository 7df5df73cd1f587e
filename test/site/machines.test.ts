import { expect, inject, test } from 'vitest';
import { describeInBrowser } from './browser.ts';

const { origin, listingId } = inject('world');

interface Parsed {
  readonly fault: string | null;
  readonly root: string;
  readonly namespace: string | null;
  /** By name, the texts of all elements. */
  readonly texts: Readonly<Record<string, readonly string[]>>;
  /** What each entry or address holds, by name. */
  readonly members: readonly (readonly string[])[];
}

const ATOM = 'http://www.w3.org/2005/Atom';
const SITEMAP = 'http://www.sitemaps.org/schemas/sitemap/0.9';

/** Runs in the page: the browser's own parser stops at what is not well-formed. */
const PARSE = `(xml) => {
  const document = new DOMParser().parseFromString(xml, 'application/xml');
  const all = [...document.getElementsByTagName('*')];
  const texts = {};
  for (const { localName, textContent } of all) (texts[localName] ??= []).push(textContent);
  const members = all.filter(({ localName }) => ['entry', 'url', 'sitemap'].includes(localName))
    .map(({ children }) => [...children].map(({ localName }) => localName));
  const { localName: root, namespaceURI: namespace } = document.documentElement;
  return { fault: document.querySelector('parsererror')?.textContent ?? null, root, namespace, texts, members };
}`;

describeInBrowser('what machines index', (browser) => {
  async function parse(path: string): Promise<Parsed> {
    const text = await (await fetch(origin + path)).text();
    const page = await browser().newPage();
    try {
      return (await page.evaluate(`(${PARSE})(${JSON.stringify(text)})`)) as Parsed;
    } finally {
      await page.close();
    }
  }

  test('each sitemap is one, and every address of it is a page that says it is that address', async () => {
    const index = await parse('/sitemap.xml');
    expect(index).toMatchObject({ fault: null, root: 'sitemapindex', namespace: SITEMAP });
    const parts = index.texts.loc ?? [];
    expect(parts.length).toBeGreaterThan(1);
    for (const part of parts) {
      const { fault, root, namespace, texts } = await parse(part.slice(origin.length));
      expect({ fault, root, namespace }, part).toEqual({ fault: null, root: 'urlset', namespace: SITEMAP });
      for (const time of texts.lastmod ?? []) expect(new Date(time).toISOString()).toBe(time);
      for (const address of (texts.loc ?? []).slice(0, 20)) {
        const response = await fetch(address, { redirect: 'manual' });
        expect(response.status, address).toBe(200);
        const html = await response.text();
        expect(html, address).toContain(`<link rel="canonical" href="${address}"/>`);
        expect(html, address).toContain(`<meta property="og:url" content="${address}"/>`);
        expect(html, address).not.toContain('noindex');
      }
    }
  });

  test('robots are told of the sitemap, and kept from nothing that it names', async () => {
    const rules = (await (await fetch(`${origin}/robots.txt`)).text()).split('\n');
    expect(rules).toContain(`Sitemap: ${origin}/sitemap.xml`);
    const kept = rules.flatMap((rule) => /^Disallow: (.+)$/.exec(rule)?.[1] ?? []);
    expect(kept).toContain('/operator');
    for (const part of (await parse('/sitemap.xml')).texts.loc ?? [])
      for (const address of (await parse(part.slice(origin.length))).texts.loc ?? [])
        expect(kept.filter((path) => address.slice(origin.length).startsWith(path))).toEqual([]);
  });

  test('the feed of new listings has what RFC 4287 asks of each entry', async () => {
    const { fault, root, namespace, texts, members } = await parse('/feed.atom');
    expect({ fault, root, namespace }).toEqual({ fault: null, root: 'feed', namespace: ATOM });
    expect(members.length).toBeGreaterThan(2);
    for (const member of members)
      expect(member).toEqual(expect.arrayContaining(['id', 'title', 'updated', 'author', 'link', 'summary']));
    expect(new Set(texts.id).size).toBe(texts.id?.length);
    for (const time of texts.updated ?? []) expect(new Date(time).toISOString()).toBe(time);
  });

  test('a listing is a Product with its Offer and its AggregateRating, and its pictures are pictures', async () => {
    const page = await browser().newPage();
    await page.goto(`${origin}/listings/${listingId}`);
    const [json] = await page.locator('script[type="application/ld+json"]').allTextContents();
    const product = JSON.parse(json ?? '');
    // As Google's rich results ask for them: https://schema.org/Product, Offer and AggregateRating.
    expect(product).toMatchObject({
      '@context': 'https://schema.org',
      '@type': 'Product',
      name: expect.stringMatching(/./),
      description: expect.stringMatching(/./),
      sku: listingId,
      image: expect.arrayContaining([expect.stringMatching(`^${origin}/listings/${listingId}/images/`)]),
      offers: {
        '@type': 'Offer',
        price: expect.stringMatching(/^\d+\.\d\d$/),
        priceCurrency: 'USD',
        availability: 'https://schema.org/InStock',
        url: `${origin}/listings/${listingId}`,
      },
      aggregateRating: {
        '@type': 'AggregateRating',
        ratingValue: expect.stringMatching(/^[1-5]\.\d$/),
        ratingCount: expect.any(Number),
        bestRating: 5,
        worstRating: 1,
      },
    });
    const meta = (name: string) => page.locator(`meta[property="og:${name}"]`).getAttribute('content');
    const [image, type, width, height] = await Promise.all([
      meta('image'),
      meta('image:type'),
      meta('image:width'),
      meta('image:height'),
    ]);
    expect(image).toBe(product.image[0]);
    const response = await fetch(image ?? '');
    expect([response.status, response.headers.get('content-type')]).toEqual([200, type]);
    const size = await page.evaluate(
      `new Promise((resolve) => { const image = new Image(); image.onload = () => resolve([image.naturalWidth, image.naturalHeight]); image.src = ${JSON.stringify(image)}; })`,
    );
    expect(size).toEqual([Number(width), Number(height)]);
    await page.close();
  });
});
