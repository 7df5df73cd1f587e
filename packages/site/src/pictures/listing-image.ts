import type { ApiService } from '../api/client.ts';
import { readerHeaders } from '../api/client.ts';

const IMAGE = /^\/listings\/[0-9a-f-]{36}\/images\/[0-9a-f]{64}$/;
/** What the marketplace draws; nothing else is passed on, whatever the API would say. */
const TYPES: ReadonlySet<string> = new Set(['image/webp', 'image/jpeg']);
/** Not longer: a listing may be taken off the market, and its pictures with it. */
const CACHE = 'public, max-age=86400';

/** A seller's picture as the marketplace drew it anew, from this origin. Null for other paths. */
export async function listingImage(
  url: URL,
  request: Request,
  { api, apiBaseUrl }: { readonly api: ApiService; readonly apiBaseUrl: string },
): Promise<Response | null> {
  if (!IMAGE.test(url.pathname)) return null;
  const headers = readerHeaders(request);
  const known = request.headers.get('if-none-match');
  if (known !== null) headers.set('if-none-match', known);
  const answer = await api.fetch(new Request(`${apiBaseUrl}/marketplace${url.pathname}`, { headers }));
  const type = answer.headers.get('content-type') ?? '';
  const etag = answer.headers.get('etag') ?? '';
  if (answer.status === 304)
    return new Response(null, { status: 304, headers: { etag, 'cache-control': CACHE } });
  if (answer.status === 200 && TYPES.has(type))
    return new Response(answer.body, { headers: { 'content-type': type, etag, 'cache-control': CACHE } });
  await answer.body?.cancel();
  const status = answer.status === 404 ? 404 : 503;
  return new Response(null, { status, headers: { 'cache-control': 'no-store' } });
}
