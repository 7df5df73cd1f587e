import type { Child } from 'hono/jsx';
import { curl } from '../../components/agent-page.tsx';
import { Code } from '../../components/code.tsx';
import { EndedLink } from '../../components/console/ended-link.tsx';
import { SellerConsole, type SellerPath } from '../../components/console/seller-console.tsx';
import { KeyedContent } from '../../components/keyed-content.tsx';
import { definePage, type SitePage, type Visit } from '../../page.ts';

interface SellerPage {
  readonly path: string;
  /** Its place in the navigation of the console; left out where it is the path. */
  readonly under?: SellerPath;
  readonly title: string;
  readonly description: string;
  readonly lead: Child;
  /** The browser script; `seller` where it is left out. */
  readonly script?: string;
  /** What of it is drawn. */
  readonly view: string;
  /** Below the API root: what does the same without scripts. */
  readonly request: string;
  /** Stands around the place of the key. */
  readonly around?: (content: Child, visit: Visit) => Child;
  /** The page is of one seller alone: a listing that is changed. */
  readonly isPrivate?: boolean;
}

/** A page of the seller console, for whoever has the seller's key. */
export function sellerPage({
  path,
  under,
  title,
  description,
  lead,
  view,
  request,
  ...more
}: SellerPage): SitePage {
  const { around = (content) => content, isPrivate = false, script = 'seller' } = more;
  return definePage({
    path,
    get: (visit) => ({
      title,
      description,
      isPrivate,
      scripts: ['copy', script],
      main: (
        <SellerConsole path={under ?? (path as SellerPath)}>
          <div class="page-head" data-view={view}>
            <h1>{title}</h1>
            <p class="lead">{lead}</p>
          </div>
          <EndedLink url={visit.url} />
          {around(
            <>
              <KeyedContent label="Your API key" apiBaseUrl={visit.apiBaseUrl}>
                <p>This page needs scripts, so that the key stays in your browser. Without them:</p>
                <Code label="Shell" text={curl(visit.apiBaseUrl, { path: request })} />
              </KeyedContent>
              <p class="no-key">
                No key yet? <a href="/register">Make one here</a>: it takes ten seconds and costs nothing.
              </p>
            </>,
            visit,
          )}
        </SellerConsole>
      ),
    }),
  });
}
