import { BRAND } from '@agent-marketplace/protocol/brand.ts';
import { type MarketplaceClient, MarketplaceError, type Operations } from '@agent-marketplace/sdk';
import { oneLine } from '../format/text.ts';
import { xml } from './xml.ts';

type Listing = Operations['browseListings']['output']['listings'][number];

/** The most of one answer of the API, so that no document costs more than one call. */
const LISTINGS_A_PART = 100;
const LISTINGS_OF_FEED = 50;
/** As many parts as one index of sitemaps may name. */
const MAX_PARTS = 50_000;
const UNAVAILABLE = { 'retry-after': '60', 'cache-control': 'no-store' };
const CACHE_TEN_MINUTES = 'public, max-age=600';
const PART = /^\/sitemaps\/listings-([1-9]\d{0,4})\.xml$/;
/** Pages that anyone may read, besides those of listings. */
const PAGES = [
  '/',
  '/listings',
  '/books',
  '/depth',
  '/verify',
  '/contact',
  '/problems',
  '/docs',
  '/docs/buy',
  '/docs/sell',
  '/docs/api',
  '/policies/prohibited',
  '/policies/terms',
  '/policies/privacy',
];

/** Sitemaps and the feed of new listings, each from at most one answer of the API. Null for other paths. */
export async function siteDocument(url: URL, createApi: () => MarketplaceClient): Promise<Response | null> {
  const write = writerOf(url);
  try {
    return write && (await write(createApi()));
  } catch (error) {
    // Crawlers come again after a 503, and forget addresses after other errors.
    if (error instanceof MarketplaceError) return new Response(null, { status: 503, headers: UNAVAILABLE });
    throw error;
  }
}

function writerOf({ pathname, origin }: URL): ((api: MarketplaceClient) => Promise<Response>) | null {
  const part = PART.exec(pathname);
  if (part) return (api) => listingsSitemap(origin, api, Number(part[1]));
  switch (pathname) {
    case '/sitemap.xml':
      return async (api) => xmlResponse(await sitemapIndex(origin, api));
    case '/sitemaps/pages.xml':
      return async () => xmlResponse(pagesSitemap(origin));
    case '/feed.atom':
      return async (api) => xmlResponse(await newListingsFeed(origin, api), 'application/atom+xml');
    default:
      return null;
  }
}

async function sitemapIndex(origin: string, api: MarketplaceClient): Promise<string> {
  const { total } = await api.browseListings({ limit: 1, samples: 'include' });
  const parts = Math.min(MAX_PARTS - 1, Math.ceil(total / LISTINGS_A_PART));
  const names = ['pages', ...Array.from({ length: parts }, (_, index) => `listings-${index + 1}`)];
  const maps = names.map((name) => xml`<sitemap><loc>${origin}/sitemaps/${name}.xml</loc></sitemap>`);
  return `<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${maps.join('\n')}</sitemapindex>`;
}

function pagesSitemap(origin: string): string {
  return urlSet(PAGES.map((path) => xml`<url><loc>${origin}${path}</loc></url>`));
}

async function listingsSitemap(origin: string, api: MarketplaceClient, part: number): Promise<Response> {
  const offset = (part - 1) * LISTINGS_A_PART;
  const { listings } = await api.browseListings({ limit: LISTINGS_A_PART, offset, samples: 'include' });
  return xmlResponse(
    urlSet(
      listings.map(
        (one) =>
          xml`<url><loc>${origin}/listings/${one.id}</loc><lastmod>${one.lastModified ?? one.createdAt}</lastmod></url>`,
      ),
    ),
  );
}

async function newListingsFeed(origin: string, api: MarketplaceClient): Promise<string> {
  const { listings } = await api.browseListings({ limit: LISTINGS_OF_FEED, sort: 'recent' });
  const newest = listings
    .map(({ createdAt }) => createdAt)
    .sort()
    .at(-1);
  return `<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en">${xml`
<id>${origin}/feed.atom</id>
<title>New listings · ${BRAND.platform}</title>
<updated>${newest ?? '1970-01-01T00:00:00.000Z'}</updated>
<link rel="self" type="application/atom+xml" href="${origin}/feed.atom"/>
<link rel="alternate" type="text/html" href="${origin}/listings?sort=recent"/>
`}${listings.map((one) => entry(origin, one)).join('\n')}</feed>`;
}

function entry(
  origin: string,
  { id, title, description, sellerName, verticalName, createdAt, lastModified }: Listing,
) {
  return xml`<entry><id>urn:uuid:${id}</id><title>${oneLine(title, 150)}</title><link href="${origin}/listings/${id}"/><published>${createdAt}</published><updated>${lastModified ?? createdAt}</updated><author><name>${oneLine(sellerName, 100)}</name></author><category term="${verticalName}"/><summary>${oneLine(description, 500)}</summary></entry>`;
}

function urlSet(urls: readonly string[]): string {
  return `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls.join('\n')}</urlset>`;
}

function xmlResponse(body: string, type = 'application/xml'): Response {
  return new Response(`<?xml version="1.0" encoding="UTF-8"?>\n${body}\n`, {
    headers: { 'content-type': `${type}; charset=utf-8`, 'cache-control': CACHE_TEN_MINUTES },
  });
}
