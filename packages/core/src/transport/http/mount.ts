import type { Context, Hono } from 'hono';
import { commonErrors, Refusal } from '../../kernel/errors.ts';
import type { AnyOperation } from '../../kernel/operation/operation.ts';
import { type Call, type Runtime, refuse, runOperation } from '../../kernel/operation/run-operation.ts';
import { type AnswerCache, cacheable } from './answer-cache.ts';
import { streamAnswers, wantsStream } from './event-stream.ts';
import { BOOKMARK_HEADER, callReader, carriesKey, type Origin } from './read-call.ts';
import { PREFLIGHT_HEADERS, respond, respondRefusal } from './respond.ts';

/** What the Worker composes for one request. */
export interface RequestScope {
  readonly runtime: Runtime;
  readonly origin: Origin;
  /** As of a call. */
  readonly renderText?: (text: string) => string;
}

export interface HttpEnv {
  Bindings: { scope: RequestScope };
}

/**
 * Mounts a list of operations under the path prefix `root`. Paths without parameters are mounted first, with all
 * their methods: `/agents/me` must never be taken for an agent's handle.
 */
export function mountOperations(
  app: Hono<HttpEnv>,
  operations: readonly AnyOperation[],
  root: string,
  cache: AnswerCache,
): void {
  const routes = operations
    .toSorted((a, b) => parameterCount(a) - parameterCount(b))
    .map((operation) => ({
      method: operation.http.method.toUpperCase(),
      path: (root + operation.http.path).replaceAll(/\{(\w+)\}/g, ':$1'),
      isSafe: operation.http.method !== 'get' || operation.movesMoney !== true,
      handler: handlerOf(operation, cache),
    }));
  for (const [path, atPath] of Map.groupBy(routes, (route) => route.path)) {
    const methods = [...new Set(atPath.map(({ method }) => method))];
    const hasGet = methods.includes('GET');
    const hasHead = hasGet && atPath.every(({ isSafe }) => isSafe);
    if (hasGet && !hasHead) refuseHead(app, path, methods);
    for (const { method, handler } of atPath) app.on(method, path, handler);
    answerOtherMethods(app, path, methods, hasHead);
  }
}

/** Answers preflights at a path, and refuses every method that it does not have. */
export function answerOtherMethods(
  app: Hono<HttpEnv>,
  path: string,
  methods: readonly string[],
  hasHead = methods.includes('GET'),
): void {
  const allow = allowHeader(methods, hasHead);
  app.options(path, () => new Response(null, { status: 204, headers: { ...PREFLIGHT_HEADERS, allow } }));
  app.all(path, (c) => sendRefusal(c.env.scope, new Refusal(commonErrors.method_not_allowed), { allow }));
}

/** Hono answers HEAD with the handler of GET. On a GET that buys, HEAD would pay and discard the content. */
function refuseHead(app: Hono<HttpEnv>, path: string, methods: readonly string[]): void {
  const allow = allowHeader(methods, false);
  app.use(path, async (c, next) => {
    if (c.req.raw.method !== 'HEAD') return next();
    return sendRefusal(c.env.scope, new Refusal(commonErrors.method_not_allowed), { allow });
  });
}

function allowHeader(methods: readonly string[], hasHead: boolean): string {
  return [...methods, ...(hasHead ? ['HEAD'] : []), 'OPTIONS'].join(', ');
}

function handlerOf(operation: AnyOperation, cache: AnswerCache) {
  const read = callReader(operation);
  const isRead = operation.http.method === 'get';
  const isCached = cacheable(operation);
  return async (c: Context<HttpEnv>): Promise<Response> => {
    const { runtime, origin } = c.env.scope;
    const request = c.req.raw;
    const call = read(request, c.req.param(), origin, runtime.ports.uploads);
    const { stream } = operation.http;
    if (stream && wantsStream(request)) return streamAnswers(operation, stream, runtime, { request, call });
    const answer = await runOperation(operation, runtime, call);
    const isPrivate = operation.auth === 'optional' && carriesKey(request);
    const response = respond(answer, operation, origin.requestId, isPrivate);
    if (!isRead && answer.kind === 'ok') cache.invalidate();
    const bookmark = isRead ? null : runtime.ports.market?.bookmark();
    if (bookmark) response.headers.set(BOOKMARK_HEADER, bookmark);
    return isCached && !isPrivate ? cache.remember(request, operation, answer, response) : response;
  };
}

/** A signed problem for a request that reaches no operation. */
export async function sendRefusal(
  { runtime, origin, renderText }: RequestScope,
  refusal: Refusal,
  headers: Record<string, string> = {},
): Promise<Response> {
  const call: Call = { ...NO_CALL, ...origin, ...(renderText ? { renderText } : {}) };
  const response = respondRefusal(await refuse(refusal, runtime, call), origin.requestId);
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
  return response;
}

const NO_CALL = {
  readInput: async () => ({ fields: {}, apiKeys: [] }),
  wireName: (field: string) => field,
  clientAddress: 'unknown',
  referer: null,
  idempotencyKey: null,
  knownDigests: [],
};

function parameterCount(operation: AnyOperation): number {
  return operation.http.path.split('{').length;
}
