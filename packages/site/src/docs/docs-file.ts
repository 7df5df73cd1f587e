import { API_ROOT_PLACE, type ReadDocFile, SITE_ROOT_PLACE } from './doc-page.ts';

const CACHE_FOREVER = 'public, max-age=31536000, immutable';
const CACHE_ASKED_AGAIN = 'public, no-cache';
const MARKDOWN = 'text/markdown; charset=utf-8';

/** What the documentation has besides pages: the search index, the guides as text for programs, and former addresses. */
export async function docsFile(
  request: Request,
  { pathname, origin }: URL,
  apiBaseUrl: string,
  readFile: ReadDocFile,
): Promise<Response | null> {
  const readText = async (path: string) => {
    const file = await readFile(path);
    if (file === null) return null;
    const text = (await file.text()).replaceAll(API_ROOT_PLACE, encodeURI(apiBaseUrl));
    return new Response(text.replaceAll(SITE_ROOT_PLACE, origin));
  };
  if (pathname === '/llms-full.txt') {
    return send(await readText('llms-full.txt'), 'text/plain; charset=utf-8', CACHE_ASKED_AGAIN);
  }
  const [, name] = /^\/docs\/(.+)$/.exec(pathname) ?? [];
  if (name === undefined) return null;
  if (/^openapi(-operator)?\.json$/.test(name)) return redirect(`/${name}`);
  if (/^search\.\w+\.json$/.test(name)) {
    return send(await readFile(name), 'application/json; charset=utf-8', CACHE_FOREVER);
  }
  if (!name.endsWith('.md')) return null;
  const page = name.replace(/(^|\/)README\.md$/, '').replace(/\.md$/, '');
  // People come from links between files; programs ask for the text, which is shorter than the page.
  if (request.headers.get('accept')?.includes('text/html'))
    return redirect(page === '' ? '/docs' : `/docs/${page}`);
  const file = await send(await readText(`${page || 'index'}.md`), MARKDOWN, CACHE_ASKED_AGAIN);
  file?.headers.set('vary', 'accept');
  return file;
}

function send(file: Response | null, type: string, cacheControl: string): Response | null {
  return (
    file && new Response(file.body, { headers: { 'content-type': type, 'cache-control': cacheControl } })
  );
}

function redirect(location: string): Response {
  return new Response(null, {
    status: 308,
    headers: { location, 'cache-control': CACHE_ASKED_AGAIN, vary: 'accept' },
  });
}
