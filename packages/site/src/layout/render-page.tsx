import { standardUrl } from '@agent-marketplace/core/kernel/documents/standard-documents.ts';
import { POLICIES, type PolicyName } from '@agent-marketplace/core/kernel/policies/policies.ts';
import { BRAND } from '@agent-marketplace/protocol/brand.ts';
import { raw } from 'hono/html';
import type { Assets } from '../asset-files.ts';
import { SearchBox } from '../components/search-box.tsx';
import { oneLine } from '../format/text.ts';
import { scriptJson } from '../machines/structured-data.ts';
import type { PageView } from '../page.ts';
import { previewOf } from '../pictures/picture-of.ts';
import { KEY_NAVIGATION, NAVIGATION } from './navigation.ts';

export interface LayoutContext {
  readonly assets: Assets;
  readonly apiBaseUrl: string;
  /** The page's address without its query: queries may contain tokens. */
  readonly address: string;
  readonly origin: string;
  readonly path: string;
  /** Where each policy is. */
  readonly policies: Readonly<Record<PolicyName, string>>;
}

const MAX_TITLE_LENGTH = 90;
const MAX_DESCRIPTION_LENGTH = 200;

/** Renders the whole document for a page. */
export async function renderPage(view: PageView, context: LayoutContext): Promise<string> {
  const markup = await (<Layout view={view} context={context} />).toString();
  return `<!doctype html>\n${markup}`;
}

function Layout({ view, context }: { view: PageView; context: LayoutContext }) {
  const { assets, apiBaseUrl, path, policies } = context;
  return (
    <html lang="en">
      <Head view={view} context={context} />
      <body>
        <a class="skip" href="#main">
          Skip to the content
        </a>
        <header class="masthead">
          <a class="wordmark" href="/">
            <img src="/favicon.svg" alt="" width="28" height="28" />
            {BRAND.platform}
          </a>
          <nav class="links own" aria-label="Consoles">
            <Links links={KEY_NAVIGATION} path={path} />
          </nav>
          <SearchBox id="find" apiBaseUrl={apiBaseUrl} {...view.search} />
          <nav class="links" aria-label="Pages">
            <Links links={NAVIGATION} path={path} />
          </nav>
        </header>
        <main id="main" tabindex={-1}>
          {view.main}
        </main>
        <footer class="colophon">
          <p>
            Pages for people, built on the same API that agents call. Sellers write their own texts; the
            marketplace stores no deliverables.
          </p>
          <nav class="links" aria-label="Documents">
            <a href="/docs">Documentation</a>
            <a href="/docs/api">API reference</a>
            <a href="/contact">Contact</a>
            <a href="/problems">Errors</a>
            <a href={standardUrl(apiBaseUrl, 'openApi')}>OpenAPI</a>
            <a href={`${apiBaseUrl}/llms.txt`}>llms.txt</a>
            <a href={`${apiBaseUrl}/signing-key`}>Signing key</a>
            <a href={policies.prohibited}>{POLICIES.prohibited.title}</a>
            <a href={policies.terms}>{POLICIES.terms.title}</a>
            <a href={policies.privacy}>{POLICIES.privacy.title}</a>
          </nav>
        </footer>
        {['search', ...(view.scripts ?? [])].map((name) => (
          <script type="module" src={scriptPath(assets, name)} />
        ))}
      </body>
    </html>
  );
}

function Links({ links, path }: { links: typeof NAVIGATION; path: string }) {
  return (
    <>
      {links.map(({ href, label, more, of = [] }) => (
        <a href={href} aria-current={isWithin(path, href) || of.includes(path) ? 'page' : undefined}>
          {label}
          {more && <span class="wide-only">{more}</span>}
        </a>
      ))}
    </>
  );
}

function Head({ view, context: { assets, address, origin } }: { view: PageView; context: LayoutContext }) {
  const name = oneLine(view.title, MAX_TITLE_LENGTH);
  const title = name === BRAND.platform ? name : `${name} · ${BRAND.platform}`;
  const description = oneLine(view.description, MAX_DESCRIPTION_LENGTH);
  const preview = view.preview ?? previewOf({ title: BRAND.platform });
  const isListed = !view.isPrivate && (view.status ?? 200) === 200;
  return (
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <title>{title}</title>
      <meta name="description" content={description} />
      {isListed ? (
        <>
          <link rel="canonical" href={address} />
          <meta property="og:type" content="website" />
          <meta property="og:site_name" content={BRAND.platform} />
          <meta property="og:title" content={title} />
          <meta property="og:description" content={description} />
          <meta property="og:url" content={address} />
          <meta property="og:image" content={origin + preview.path} />
          <meta property="og:image:type" content={preview.type} />
          <meta property="og:image:width" content={String(preview.width)} />
          <meta property="og:image:height" content={String(preview.height)} />
          <meta property="og:image:alt" content={name} />
          <meta name="twitter:card" content="summary_large_image" />
        </>
      ) : (
        <meta name="robots" content="noindex" />
      )}
      {isListed && view.structuredData && (
        <script type="application/ld+json">{raw(scriptJson(view.structuredData))}</script>
      )}
      <link rel="alternate" type="application/atom+xml" title="New listings" href="/feed.atom" />
      <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
      <link rel="stylesheet" href={assets.style} />
    </head>
  );
}

function isWithin(path: string, href: string): boolean {
  return path === href || path.startsWith(`${href}/`);
}

function scriptPath(assets: Assets, name: string): string {
  const path = assets.scripts[name];
  if (path === undefined) throw new Error(`There is no browser script "${name}".`);
  return path;
}
