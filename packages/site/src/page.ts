import type { MarketplaceClient } from '@agent-marketplace/sdk';
import type { Child } from 'hono/jsx';

/** One request for a page. */
export interface Visit {
  readonly request: Request;
  readonly url: URL;
  /** What the path's pattern names, decoded. */
  readonly params: Readonly<Record<string, string>>;
  /** The API, as everyone else has it; without a key. What it refuses is thrown as `MarketplaceError`. */
  readonly api: MarketplaceClient;
  /** The API root as the outside calls it; ends in `/api`. */
  readonly apiBaseUrl: string;
  /** The fields of a form that was sent with POST. */
  readonly form: URLSearchParams;
  /** The files that such a form carried. */
  readonly files: readonly File[];
}

/** What a page says. The layout puts the rest around it. */
export interface PageView {
  readonly title: string;
  /** One sentence for search results and previews of links. */
  readonly description: string;
  readonly main: Child;
  /** 200 if not given. */
  readonly status?: number;
  /** Names of files in `browser/`, without their ending. The page has to work without them as far as it can. */
  readonly scripts?: readonly string[];
  /** Holds what is for one reader only, such as a purchase: kept by no cache, listed by no search engine. */
  readonly isPrivate?: boolean;
}

export type PageAnswer = PageView | { readonly redirect: string };

type Handler = (visit: Visit) => PageAnswer | Promise<PageAnswer>;

/** A page by its path, such as `/listings/{id}`. One file in `pages/`, one line in `pages.ts`. */
export interface SitePage {
  readonly path: string;
  readonly get: Handler;
  /** For forms. A good answer redirects, so that reloading sends nothing twice. */
  readonly post?: Handler;
}

/** Says what a page is, and checks its type where it is written. */
export function definePage(page: SitePage): SitePage {
  return page;
}
