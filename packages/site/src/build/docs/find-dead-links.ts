import { API_ROOT_PLACE } from '../../docs/doc-page.ts';

/** Links of pages to pages or parts of pages that are not there, as `from → to`. */
export function findDeadLinks(htmlByPath: ReadonlyMap<string, string>): string[] {
  const ids = new Map([...htmlByPath].map(([path, html]) => [path, idsOf(html)]));
  return [...htmlByPath].flatMap(([from, html]) =>
    [...html.matchAll(/ href="([^"]*)"/g)].flatMap(([, href = '']) => {
      if (href.startsWith(API_ROOT_PLACE)) return [];
      const { origin, pathname, hash } = new URL(href.replaceAll('&amp;', '&'), `${SITE}${from}`);
      if (origin !== SITE || !isOfDocs(pathname)) return [];
      const target = ids.get(pathname);
      const isThere = target !== undefined && (hash === '' || target.has(decodeURIComponent(hash.slice(1))));
      return isThere ? [] : [`${from} → ${href}`];
    }),
  );
}

const SITE = 'https://site.invalid';

function isOfDocs(pathname: string): boolean {
  return pathname === '/docs' || pathname.startsWith('/docs/');
}

function idsOf(html: string): Set<string> {
  return new Set([...html.matchAll(/ id="([^"]*)"/g)].map(([, id = '']) => id));
}
