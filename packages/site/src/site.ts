import { type OwnPolicies, policyAddresses } from '@agent-marketplace/core/kernel/policies/policies.ts';
import { API_ROOT } from '@agent-marketplace/protocol/brand.ts';
import { type ApiService, clientFor } from './api/client.ts';
import type { Assets } from './asset-files.ts';
import type { ReadDocFile } from './docs/doc-page.ts';
import { docsFile } from './docs/docs-file.ts';
import { documentOfApi, fixedFile } from './fixed-files.ts';
import { readForm } from './form.ts';
import { securityHeaders } from './headers.ts';
import { renderPage } from './layout/render-page.tsx';
import { siteDocument } from './machines/site-documents.ts';
import type { PageAnswer, PageView, SitePage, Visit } from './page.ts';
import {
  brokenPage,
  explainFailure,
  foreignFormPage,
  methodNotAllowedPage,
  notFoundPage,
  tooLargePage,
} from './page-errors.tsx';
import { listingImage } from './pictures/listing-image.ts';
import { pictureFile } from './pictures/picture-file.ts';
import { createRoutes, type Route } from './routes.ts';

export interface SiteContext {
  readonly api: ApiService;
  /** The API root where it is not on the site's own origin. */
  readonly apiBaseUrl: string | null;
  readonly policies: OwnPolicies;
  readonly readDocFile: ReadDocFile;
  /** Shows the style guide. */
  readonly isDevelopment?: boolean;
}

export interface Site {
  fetch(request: Request, context: SiteContext): Promise<Response>;
}

/** The whole site. It has no data of its own: pages ask the API. */
export function createSite(pages: readonly SitePage[], assets: Assets): Site {
  const find = createRoutes(pages);

  async function answer(request: Request, url: URL, context: SiteContext): Promise<Response> {
    const apiBaseUrl = context.apiBaseUrl ?? url.origin + API_ROOT;
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const file = isRead ? fixedFile(url, assets, apiBaseUrl) : null;
    if (file) return file;
    const docs = isRead ? await docsFile(request, url, apiBaseUrl, context.readDocFile) : null;
    if (docs) return docs;
    const picture = isRead ? pictureFile(url) : null;
    if (picture) return picture;
    const image = isRead ? await listingImage(url, request, { api: context.api, apiBaseUrl }) : null;
    if (image) return image;
    const forMachines = isRead
      ? await siteDocument(url, () => clientFor(context.api, apiBaseUrl, request))
      : null;
    if (forMachines) return forMachines;
    const document = isRead ? documentOfApi(url, apiBaseUrl) : null;
    if (document) return copyOf(await context.api.fetch(new Request(document, request)));
    const route = find(url.pathname);
    if (!route && url.pathname.endsWith('/') && find(url.pathname.slice(0, -1))) {
      return redirectTo(url.pathname.slice(0, -1) + url.search, 308);
    }
    const page = await answerOf(route, request, url, context, apiBaseUrl);
    if ('redirect' in page) return redirectTo(page.redirect, 303);
    const layoutContext = {
      assets,
      apiBaseUrl,
      address: url.origin + (page.canonical ?? url.pathname),
      origin: url.origin,
      path: url.pathname,
      policies: policyAddresses(context.policies, ''),
    };
    const html = await renderPage(page, layoutContext);
    const allow = page.status === 405 && route ? { allow: methodsOf(route).join(', ') } : {};
    return new Response(html, { status: page.status ?? 200, headers: { ...pageHeaders(page), ...allow } });
  }

  return {
    async fetch(request, context) {
      const url = new URL(request.url);
      const response = await answer(request, url, context).catch(() => plainErrorResponse());
      const apiOrigin = context.apiBaseUrl === null ? url.origin : new URL(context.apiBaseUrl).origin;
      for (const [name, value] of Object.entries(securityHeaders(apiOrigin)))
        response.headers.set(name, value);
      return request.method === 'HEAD' ? new Response(null, response) : response;
    },
  };
}

async function answerOf(
  route: Route | null,
  request: Request,
  url: URL,
  context: SiteContext,
  apiBaseUrl: string,
): Promise<PageAnswer> {
  if (!route) return notFoundPage();
  const { page, params } = route;
  const api = clientFor(context.api, apiBaseUrl, request);
  const nothingSent = { form: new URLSearchParams(), files: [] };
  const { policies, readDocFile, isDevelopment = false } = context;
  const visit: Visit = {
    request,
    url,
    params,
    api,
    apiBaseUrl,
    policies,
    readDocFile,
    isDevelopment,
    ...nothingSent,
  };
  try {
    if (request.method === 'GET' || request.method === 'HEAD') return await page.get(visit);
    if (request.method !== 'POST' || !page.post) return methodNotAllowedPage();
    const form = await readForm(request);
    if (form.kind === 'read') return await page.post({ ...visit, form: form.fields, files: form.files });
    return form.kind === 'too_large' ? tooLargePage() : foreignFormPage();
  } catch (error) {
    return explainFailure(error) ?? reportBroken(error);
  }
}

function reportBroken(error: unknown): PageView {
  // The log may hold the text of the error; the reader must not see it.
  console.error(error instanceof Error ? (error.stack ?? error.message) : String(error));
  return brokenPage();
}

/** The answer when rendering a page fails. */
function plainErrorResponse(): Response {
  const headers = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' };
  return new Response('This page is broken. Please try again in a minute.\n', { status: 500, headers });
}

/** With headers that can be added to. */
function copyOf(response: Response): Response {
  return new Response(response.body, response);
}

function methodsOf({ page }: Route): string[] {
  return ['GET', 'HEAD', ...(page.post ? ['POST'] : [])];
}

function pageHeaders({ isPrivate, status = 200 }: PageView): Record<string, string> {
  const isKept = !isPrivate && status === 200;
  return {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': isKept ? 'public, no-cache' : 'no-store',
    ...(isPrivate ? { 'x-robots-tag': 'noindex' } : {}),
  };
}

function redirectTo(location: string, status: 303 | 308): Response {
  return new Response(null, { status, headers: { location, 'cache-control': 'no-store' } });
}
