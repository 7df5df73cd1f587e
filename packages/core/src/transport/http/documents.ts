import { BRAND } from '@agent-marketplace/protocol/brand.ts';
import { serialise, sign } from '@agent-marketplace/protocol/crypto/seal.ts';
import type { Context, Hono } from 'hono';
import type { AnyOperation } from '../../kernel/operation/operation.ts';
import { docsPage } from '../docs/docs-page.ts';
import { PAGE_POLICY } from '../docs/html.ts';
import { problemPage, problemsPage, unknownProblemPage } from '../docs/problem-pages.ts';
import { STYLE } from '../docs/style.ts';
import { publicDocuments } from '../documents/index.ts';
import { answerOtherMethods, type HttpEnv } from './mount.ts';
import { oncePerBaseUrl } from './once-per-base-url.ts';
import { type StoredDocument, sendDocument, textDocument } from './send-document.ts';

type DocumentContext = Context<HttpEnv>;

/**
 * Mounts the descriptions of the interface: an index, documents for programs, pages for people, and a page for each
 * error. Each is built once per isolate and base URL.
 */
export function mountDocuments(app: Hono<HttpEnv>, operations: readonly AnyOperation[], root: string): void {
  const serve = (path: string, handler: (c: DocumentContext) => Promise<Response>) => {
    app.get(root + path, handler);
    answerOtherMethods(app, root + path, ['GET']);
  };
  const index = serveSignedJson((baseUrl) => indexOf(operations, baseUrl));
  serve('', index);
  serve('/', index);
  for (const { path, mimeType, build } of publicDocuments) {
    serve(
      path,
      mimeType === 'application/json'
        ? serveSignedJson((baseUrl) => build(operations, baseUrl) as object)
        : serveStored((baseUrl) => textDocument(String(build(operations, baseUrl)), mimeType)),
    );
  }
  serve(
    '/docs',
    servePage((baseUrl) => docsPage(operations, baseUrl)),
  );
  serve(
    '/docs.css',
    serveStored(() => textDocument(STYLE, 'text/css; charset=utf-8')),
  );
  serve(
    '/problems',
    servePage(() => problemsPage(operations)),
  );
  serve('/problems/:code', async (c) => {
    const { baseUrl, requestId } = c.env.scope.origin;
    const known = await problemPage(c.req.param('code') ?? '', operations, baseUrl);
    const found = known ?? (await unknownProblemPage());
    return sendDocument(c.req.raw, await htmlDocument(found, known === null ? 404 : 200), requestId);
  });
}

function indexOf(operations: readonly AnyOperation[], baseUrl: string): object {
  return {
    docs: `${baseUrl}/docs`,
    endpoints: Object.fromEntries(
      operations.map(({ name, http }) => [name, `${http.method.toUpperCase()} ${http.path}`]),
    ),
    name: BRAND.platform,
    openapi: `${baseUrl}/openapi.json`,
    problems: `${baseUrl}/problems`,
    version: BRAND.apiVersion,
  };
}

/** Serialised once, but signed for each request, like every JSON answer. */
function serveSignedJson(build: (baseUrl: string) => object) {
  const serialised = oncePerBaseUrl((baseUrl) => serialise(build(baseUrl)));
  return async (c: DocumentContext) => {
    const { runtime, origin } = c.env.scope;
    const unsigned = await serialised(origin.baseUrl);
    const { signer, clock } = runtime.ports;
    const document: StoredDocument = {
      body: await sign(unsigned, signer, clock.now(), origin.baseUrl),
      type: 'application/json',
      hash: unsigned.digest.slice('sha256:'.length),
    };
    return sendDocument(c.req.raw, document, origin.requestId);
  };
}

function servePage(build: (baseUrl: string) => Promise<string>) {
  return serveStored(async (baseUrl) => htmlDocument(await build(baseUrl)));
}

function serveStored(build: (baseUrl: string) => Promise<StoredDocument>) {
  const built = oncePerBaseUrl(build);
  return async (c: DocumentContext) => {
    const { baseUrl, requestId } = c.env.scope.origin;
    return sendDocument(c.req.raw, await built(baseUrl), requestId);
  };
}

function htmlDocument(html: string, status = 200): Promise<StoredDocument> {
  const headers = { 'content-security-policy': PAGE_POLICY, 'referrer-policy': 'no-referrer' };
  return textDocument(html, 'text/html; charset=utf-8', { status, headers });
}
