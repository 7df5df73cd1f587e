import {
  STANDARD_DOCUMENTS,
  type StandardDocument,
  standardUrl,
} from '@agent-marketplace/core/kernel/documents/standard-documents.ts';
import { DAY_MS } from '@agent-marketplace/core/kernel/time.ts';
import { ASSET_ROOT, type Assets } from './asset-files.ts';
import { FAVICON } from './layout/favicon.ts';

const CACHE_FOREVER = 'public, max-age=31536000, immutable';
const CACHE_ONE_DAY = 'public, max-age=86400';

/** The answer for paths that are not pages: style, scripts, icon, and files that programs look for. Null for other paths. */
export function fixedFile(url: URL, assets: Assets, apiBaseUrl: string): Response | null {
  const { pathname, origin } = url;
  if (pathname.startsWith(ASSET_ROOT)) {
    const name = pathname.slice(ASSET_ROOT.length);
    const file = Object.hasOwn(assets.files, name) ? assets.files[name] : undefined;
    return file ? text(file.body, file.type, CACHE_FOREVER) : null;
  }
  if (pathname === '/favicon.svg') return text(FAVICON, 'image/svg+xml', CACHE_ONE_DAY);
  if (pathname === '/favicon.ico') return redirect('/favicon.svg');
  if (pathname === '/robots.txt') return text(robots(origin), 'text/plain; charset=utf-8', CACHE_ONE_DAY);
  if (pathname === '/.well-known/security.txt')
    return text(securityText(origin, Date.now()), 'text/plain; charset=utf-8', CACHE_ONE_DAY);
  return pathname === '/llms.txt' ? redirect(apiBaseUrl + pathname) : null;
}

/** Where the API serves a document that programs look for at the root, which may be another origin. Null for other paths. */
export function documentOfApi({ pathname }: URL, apiBaseUrl: string): string | null {
  for (const [name, path] of Object.entries(STANDARD_DOCUMENTS))
    if (path === pathname) return standardUrl(apiBaseUrl, name as StandardDocument);
  return null;
}

/** Pages behind a token are `noindex` as well; crawlers should not even request them. */
function robots(origin: string): string {
  return `User-agent: *
Disallow: /claim/
Disallow: /purchases/
Disallow: /payout-changes/
Disallow: /account/
Disallow: /inquiries/
Disallow: /appeals/
Disallow: /reports/
Disallow: /approvals/
Disallow: /recover/
Disallow: /verify-email
Disallow: /wallet/
Disallow: /operator
Disallow: /alerts?
# Each choice of filters is an address; those of categories and verticals lead to all listings.
Disallow: /listings?
Allow: /listings?category=
Allow: /listings?vertical=
Allow: /

Sitemap: ${origin}/sitemap.xml

# For programs: ${origin}/llms.txt
`;
}

/** RFC 9116: whom to tell of a weakness. It asks for a day on which the text is to be fetched anew. */
function securityText(origin: string, now: number): string {
  const expires = new Date(Math.ceil(now / DAY_MS) * DAY_MS + 180 * DAY_MS).toISOString();
  return `Contact: ${origin}/contact
Expires: ${expires}
Preferred-Languages: en
Canonical: ${origin}/.well-known/security.txt
`;
}

function text(body: string, type: string, cacheControl: string): Response {
  return new Response(body, { headers: { 'content-type': type, 'cache-control': cacheControl } });
}

function redirect(location: string): Response {
  return new Response(null, { status: 308, headers: { location, 'cache-control': CACHE_ONE_DAY } });
}
