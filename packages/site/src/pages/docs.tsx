import { raw } from 'hono/html';
import { API_ROOT_PLACE, type DocPage, fileOfPage } from '../docs/doc-page.ts';
import { definePage, type Visit } from '../page.ts';
import { notFoundPage } from '../page-errors.tsx';

/** A page of the documentation: made when the site was built, and framed by the site's head and foot. */
async function showDoc({ url, readDocFile, apiBaseUrl }: Visit) {
  const file = await readDocFile(fileOfPage(url.pathname));
  if (!file) return notFoundPage();
  const { title, description, html } = await file.json<DocPage>();
  const placed = (text: string) => text.replaceAll(API_ROOT_PLACE, encodeURI(apiBaseUrl));
  return {
    title,
    description: placed(description),
    scripts: ['copy', 'docs-search'],
    main: raw(placed(html)),
  };
}

export const docsPages = ['/docs', '/docs/{page}', '/docs/{folder}/{page}'].map((path) =>
  definePage({ path, get: showDoc }),
);
