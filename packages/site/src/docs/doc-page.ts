/** A page of the documentation, as `build/docs` makes it: what stands between the head and the foot of the site. */
export interface DocPage {
  readonly title: string;
  /** One sentence for search results and link previews. */
  readonly description: string;
  readonly html: string;
}

/** The files that `build/docs` made, by their paths. Null: there is none. */
export type ReadDocFile = (path: string) => Promise<Response | null>;

/** Stands in samples and links for the public URL of the API root, which only a deployment knows. */
export const API_ROOT_PLACE = '{{API_ROOT}}';

/** Stands in the guides as text for the origin of the site: what is read apart from its address needs whole links. */
export const SITE_ROOT_PLACE = '{{SITE_ROOT}}';

/** Where the file of a page is: `/docs/adr/0010-money` is `pages/adr/0010-money.json`, `/docs` is `pages/index.json`. */
export function fileOfPage(path: string): string {
  return `pages/${path.slice('/docs/'.length) || 'index'}.json`;
}
