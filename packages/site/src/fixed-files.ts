import { ASSET_ROOT, type Assets } from './asset-files.ts';
import { FAVICON } from './layout/favicon.ts';

const FOR_GOOD = 'public, max-age=31536000, immutable';
const FOR_A_DAY = 'public, max-age=86400';

/** Paths at the root that programs look for, and the API has. */
const KEPT_BY_THE_API = /^\/(llms\.txt|openapi\.json|\.well-known\/agent-card\.json)$/;

/** What is no page: style, scripts, icon, and what programs look for at the root. Null for everything else. */
export function fixedFile(url: URL, assets: Assets, apiBaseUrl: string): Response | null {
  const { pathname, origin } = url;
  if (pathname.startsWith(ASSET_ROOT)) {
    const name = pathname.slice(ASSET_ROOT.length);
    const file = Object.hasOwn(assets.files, name) ? assets.files[name] : undefined;
    return file ? text(file.body, file.type, FOR_GOOD) : null;
  }
  if (pathname === '/favicon.svg') return text(FAVICON, 'image/svg+xml', FOR_A_DAY);
  if (pathname === '/favicon.ico') return redirect('/favicon.svg');
  if (pathname === '/robots.txt') return text(robots(origin), 'text/plain; charset=utf-8', FOR_A_DAY);
  return KEPT_BY_THE_API.test(pathname) ? redirect(apiBaseUrl + pathname) : null;
}

/** Pages that a token opens say so themselves too; here they are not even asked for. */
function robots(origin: string): string {
  return `User-agent: *
Disallow: /claim/
Disallow: /purchases/
Disallow: /inquiries/
Disallow: /wallet/
Allow: /

# For programs: ${origin}/llms.txt
`;
}

function text(body: string, type: string, cacheControl: string): Response {
  return new Response(body, { headers: { 'content-type': type, 'cache-control': cacheControl } });
}

function redirect(location: string): Response {
  return new Response(null, { status: 307, headers: { location, 'cache-control': FOR_A_DAY } });
}
