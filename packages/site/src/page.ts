import type { OwnPolicies } from '@agent-marketplace/core/kernel/policies/policies.ts';
import type { MarketplaceClient } from '@agent-marketplace/sdk';
import type { Child } from 'hono/jsx';
import type { ReadDocFile } from './docs/doc-page.ts';
import type { Preview } from './pictures/picture-of.ts';

/** One request for a page. */
export interface Visit {
  readonly request: Request;
  readonly url: URL;
  /** The decoded parameters of the path. */
  readonly params: Readonly<Record<string, string>>;
  /** A client of the public API without a key. It throws refusals as `MarketplaceError`. */
  readonly api: MarketplaceClient;
  /** The public URL of the API root; ends in `/api`. */
  readonly apiBaseUrl: string;
  readonly policies: OwnPolicies;
  /** The marketplace runs on its developer's machine. */
  readonly isDevelopment: boolean;
  readonly readDocFile: ReadDocFile;
  /** The fields of the submitted form. */
  readonly form: URLSearchParams;
  /** The files of the submitted form. */
  readonly files: readonly File[];
}

/** The content of a page. The layout adds the rest. */
export interface PageView {
  readonly title: string;
  /** One sentence for search results and link previews. */
  readonly description: string;
  readonly main: Child;
  /** 200 if not given. */
  readonly status?: number;
  /** The path, with the query that makes it another page, where it is not the path that was asked for. */
  readonly canonical?: string;
  /** The picture that previews of links show; left out: the marketplace's own. */
  readonly preview?: Preview;
  /** What the page is about, for search engines: an object of schema.org. */
  readonly structuredData?: object;
  /** What the search at the top of the page is filled with, and the filters it keeps. */
  readonly search?: {
    readonly words: string;
    readonly kept: readonly (readonly [name: string, value: string])[];
  };
  /** Names of files in `browser/`, without extension. The page must stay usable without them as far as possible. */
  readonly scripts?: readonly string[];
  /** The page is for one reader only, such as a purchase: caches must not store it, search engines must not list it. */
  readonly isPrivate?: boolean;
}

export type PageAnswer = PageView | { readonly redirect: string };

type Handler = (visit: Visit) => PageAnswer | Promise<PageAnswer>;

/** A page by its path, such as `/listings/{id}`. One file in `pages/`, one line in `pages.ts`. */
export interface SitePage {
  readonly path: string;
  readonly get: Handler;
  /** Handles a form. On success it redirects, so that a reload sends nothing twice. */
  readonly post?: Handler;
}

/** Declares a page, so that its type is checked where it is written. */
export function definePage(page: SitePage): SitePage {
  return page;
}
