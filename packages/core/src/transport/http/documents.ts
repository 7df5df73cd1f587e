import { BRAND } from '@agent-marketplace/protocol/brand.ts';
import { provenanceOf, serialise, sign, type Unsigned } from '@agent-marketplace/protocol/crypto/seal.ts';
import type { Signer } from '@agent-marketplace/protocol/crypto/signer.ts';
import type { Context, Hono } from 'hono';
import { standardUrl } from '../../kernel/documents/standard-documents.ts';
import type { AnyOperation } from '../../kernel/operation/operation.ts';
import { PAGE_POLICY } from '../docs/html.ts';
import { problemPage, problemsPage, unknownProblemPage } from '../docs/problem-pages.ts';
import { STYLE } from '../docs/style.ts';
import { buildDocument, publicDocuments } from '../documents/index.ts';
import type { AppPart } from './app.ts';
import { createKeyReader, KEY_DOCUMENTS, type ListKeys } from './key-documents.ts';
import { answerOtherMethods, type HttpEnv } from './mount.ts';
import { oncePerBaseUrl } from './once-per-base-url.ts';
import { CORS_HEADERS } from './respond.ts';
import { type StoredDocument, sendDocument, textDocument } from './send-document.ts';

type DocumentContext = Context<HttpEnv>;

/**
 * The descriptions of the interface, including what other Workers serve of it: an index, documents for programs, and a
 * page for each error; the other pages for people are the site's. Each is built once per isolate and base URL.
 */
export function documentsOf(operations: readonly AnyOperation[], listKeys: ListKeys): AppPart {
  return (app, root) => mountDocuments(app, operations, root, listKeys);
}

function mountDocuments(
  app: Hono<HttpEnv>,
  operations: readonly AnyOperation[],
  root: string,
  listKeys: ListKeys,
): void {
  const serveAt = (path: string, handler: (c: DocumentContext) => Promise<Response>) => {
    app.get(path, handler);
    answerOtherMethods(app, path, ['GET']);
  };
  const serve = (path: string, handler: (c: DocumentContext) => Promise<Response>) =>
    serveAt(root + path, handler);
  const index = serveJson(
    oncePerBaseUrl((baseUrl) => serialise(indexOf(operations, baseUrl))),
    'in_body',
  );
  serve('', index);
  serve('/', index);
  for (const document of publicDocuments) {
    const { path, mimeType, standard, build } = document;
    if (mimeType !== 'application/json') {
      serve(
        path,
        serveStored((baseUrl) => textDocument(String(build(operations, baseUrl)), mimeType)),
      );
      continue;
    }
    const serialised = oncePerBaseUrl(async (baseUrl, signer: Signer) =>
      serialise((await buildDocument(document, operations, baseUrl, signer)) as object),
    );
    serve(path, serveJson(serialised, 'in_body'));
    if (standard !== undefined) serveAt(path, serveJson(serialised, 'in_header'));
  }
  const readKeys = createKeyReader(listKeys);
  for (const { path, build } of KEY_DOCUMENTS) {
    const send = (provenance: 'in_body' | 'in_header') => async (c: DocumentContext) => {
      const { runtime, origin } = c.env.scope;
      const keys = await readKeys(runtime.ports);
      return sendJson(c, await serialise(build(keys, new URL(origin.baseUrl).host)), provenance);
    };
    serve(path, send('in_body'));
    serveAt(path, send('in_header'));
  }
  // A browser keeps the part of the page behind #: each operation has its place there.
  serve('/docs', async (c) => {
    const { runtime, origin } = c.env.scope;
    const site = runtime.settings.siteUrl ?? new URL(origin.baseUrl).origin;
    return new Response(null, {
      status: 308,
      headers: { ...CORS_HEADERS, location: `${site}/docs/api`, 'x-request-id': origin.requestId },
    });
  });
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
    openapi: standardUrl(baseUrl, 'openApi'),
    problems: `${baseUrl}/problems`,
    version: BRAND.apiVersion,
  };
}

/** Serialised once, but signed for each request, like every JSON answer. */
function serveJson(
  serialised: (baseUrl: string, signer: Signer) => Promise<Unsigned>,
  provenance: 'in_body' | 'in_header',
) {
  return async (c: DocumentContext) => {
    const { runtime, origin } = c.env.scope;
    return sendJson(c, await serialised(origin.baseUrl, runtime.ports.signer), provenance);
  };
}

async function sendJson(
  c: DocumentContext,
  unsigned: Unsigned,
  provenance: 'in_body' | 'in_header',
): Promise<Response> {
  const { runtime, origin } = c.env.scope;
  const { signer, clock } = runtime.ports;
  const document = { type: 'application/json', hash: unsigned.digest.slice('sha256:'.length) };
  if (provenance === 'in_body') {
    const body = await sign(unsigned, signer, clock.now(), origin.baseUrl);
    return sendDocument(c.req.raw, { ...document, body }, origin.requestId);
  }
  const signed = JSON.stringify(await provenanceOf(unsigned.digest, signer, clock.now(), origin.baseUrl));
  const headers = { [BRAND.header.provenance]: signed };
  return sendDocument(c.req.raw, { ...document, body: unsigned.bytes, headers }, origin.requestId);
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
