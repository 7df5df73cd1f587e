import { serialise, sign } from '@agent-marketplace/protocol/crypto/seal.ts';
import { commonErrors, Refusal } from '../../kernel/errors.ts';
import type { AnyOperation } from '../../kernel/operation/operation.ts';
import { MCP_PATH } from '../documents/about.ts';
import { type RequestScope, sendRefusal } from '../http/mount.ts';
import { oncePerBaseUrl } from '../http/once-per-base-url.ts';
import { PREFLIGHT_HEADERS } from '../http/respond.ts';
import { sendDocument } from '../http/send-document.ts';
import { answerForm, asEventStream } from './answer-form.ts';
import { createAnswerer } from './answerer.ts';
import type { PaidQueries, ToolScope } from './connection.ts';
import { createToolbox } from './describe-tool.ts';
import { REVISIONS } from './dispatch.ts';
import { isOriginAllowed } from './is-origin-allowed.ts';
import { manifest } from './manifest.ts';
import { createToolNamer } from './name-tools.ts';
import { createResourceShelf } from './resources.ts';
import { rpcError, SERVER_ERROR } from './respond.ts';

export interface McpAppOptions {
  /** The path prefix that everything is served under. */
  readonly root: string;
  /** Operations with a tool. */
  readonly tools: readonly AnyOperation[];
  /** Operations whose public answers are resources. */
  readonly readable: readonly AnyOperation[];
  /** The operations that the documents describe: the whole interface. */
  readonly documented: readonly AnyOperation[];
}

export interface McpScope extends RequestScope {
  /** Origins of pages that may call, besides the service's own and those on the reader's machine. */
  readonly allowedOrigins: readonly string[];
  /** Takes the calls that are paid with USDC; null: none are. */
  readonly paidQueries: PaidQueries | null;
}

/** Serves MCP: a manifest for GET, Streamable HTTP without sessions for POST. */
export function createMcpApp({ root, tools, readable, documented }: McpAppOptions) {
  const nameTools = createToolNamer(documented);
  const offer = {
    toolbox: createToolbox(tools, nameTools),
    shelf: createResourceShelf(readable, documented),
  };
  const answer = createAnswerer(offer);
  const serialisedManifest = oncePerBaseUrl(async (baseUrl) =>
    serialise(await manifest(offer.toolbox, REVISIONS, baseUrl)),
  );

  async function get(request: Request, scope: McpScope): Promise<Response> {
    // The server never pushes. MCP then requires 405, and clients continue without a stream.
    if (request.headers.get('accept')?.includes('text/event-stream')) {
      return sendRefusal(scope, new Refusal(commonErrors.method_not_allowed), { allow: 'POST, OPTIONS' });
    }
    const { runtime, origin } = scope;
    const unsigned = await serialisedManifest(origin.baseUrl);
    const body = await sign(unsigned, runtime.ports.signer, runtime.ports.clock.now(), origin.baseUrl);
    const hash = unsigned.digest.slice('sha256:'.length);
    return sendDocument(request, { body, type: 'application/json', hash }, origin.requestId);
  }

  async function post(request: Request, scope: ToolScope): Promise<Response> {
    const form = answerForm(request.headers.get('accept'));
    if (form === null) return sendRefusal(scope, new Refusal(commonErrors.not_acceptable));
    const response = await answer(request, scope);
    return form === 'json' ? response : asEventStream(response);
  }

  return async (request: Request, sent: McpScope): Promise<Response> => {
    const { origin, runtime } = sent;
    const { siteUrl } = runtime.settings;
    const renderText = (text: string) => nameTools(text, origin.baseUrl, siteUrl ?? undefined);
    const scope = { ...sent, renderText };
    if (new URL(request.url).pathname.replace(/\/$/, '') !== root + MCP_PATH) {
      return sendRefusal(scope, new Refusal(commonErrors.path_not_found));
    }
    if (!isOriginAllowed(request.headers.get('origin'), origin.baseUrl, scope.allowedOrigins)) {
      return rpcError({ status: 403, code: SERVER_ERROR, message: 'Origin not allowed.', id: null }, scope);
    }
    switch (request.method) {
      case 'GET':
      case 'HEAD':
        return get(request, scope);
      case 'POST':
        return post(request, scope);
      case 'OPTIONS':
        return new Response(null, { status: 204, headers: { ...PREFLIGHT_HEADERS, allow: ALLOW } });
      default:
        return sendRefusal(scope, new Refusal(commonErrors.method_not_allowed), { allow: ALLOW });
    }
  };
}

const ALLOW = 'GET, HEAD, POST, OPTIONS';
