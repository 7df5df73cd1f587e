import type { Hono } from 'hono';
import { commonErrors, Refusal } from '../../kernel/errors.ts';
import type { AnyOperation } from '../../kernel/operation/operation.ts';
import { type Call, type Runtime, refuse, runOperation } from '../../kernel/operation/run-operation.ts';
import { type AnswerCache, cacheable } from './answer-cache.ts';
import { directRoutes } from './direct-routes.ts';
import { callReader, type Origin } from './read-call.ts';
import { PREFLIGHT_HEADERS, respond, respondRefusal } from './respond.ts';

/** What the Worker composes for each request. */
export interface RequestScope {
  readonly runtime: Runtime;
  readonly origin: Origin;
}

export interface HttpEnv {
  Bindings: { scope: RequestScope };
}

type Answerer = (
  request: Request,
  parameters: Record<string, string>,
  scope: RequestScope,
) => Promise<Response>;

/** Finds the operation that a request calls, where that takes no router. */
export type FindOperation = ReturnType<typeof directRoutes<Answerer>>;

/**
 * The REST face of a list of operations. `root` is the path prefix they live under. Paths without
 * parameters are mounted first and whole, so that `/agents/me` is never taken for a handle, whatever
 * the method.
 */
export function mountOperations(
  app: Hono<HttpEnv>,
  operations: readonly AnyOperation[],
  root: string,
  cache: AnswerCache,
): FindOperation {
  const routes = operations
    .toSorted((a, b) => parameterCount(a) - parameterCount(b))
    .map((operation) => ({
      method: operation.http.method.toUpperCase(),
      path: root + operation.http.path,
      isSafe: operation.http.method !== 'get' || operation.movesMoney !== true,
      target: answererOf(operation, cache),
    }));
  for (const [path, atPath] of Map.groupBy(routes, (route) => route.path.replaceAll(/\{(\w+)\}/g, ':$1'))) {
    const methods = [...new Set(atPath.map(({ method }) => method))];
    const hasGet = methods.includes('GET');
    const hasHead = hasGet && atPath.every(({ isSafe }) => isSafe);
    if (hasGet && !hasHead) refuseHead(app, path, methods);
    for (const { method, target } of atPath) {
      app.on(method, path, (c) => target(c.req.raw, c.req.param() as Record<string, string>, c.env.scope));
    }
    answerOtherMethods(app, path, methods, hasHead);
  }
  return directRoutes(routes);
}

/** The methods that a path does not have: preflights are answered, the rest is refused with `Allow`. */
export function answerOtherMethods(
  app: Hono<HttpEnv>,
  path: string,
  methods: readonly string[],
  hasHead = methods.includes('GET'),
): void {
  const allow = allowed(methods, hasHead);
  app.options(path, () => new Response(null, { status: 204, headers: { ...PREFLIGHT_HEADERS, allow } }));
  app.all(path, (c) => refused(c.env.scope, new Refusal(commonErrors.method_not_allowed), { allow }));
}

/** HEAD only looks, and the router takes it for GET: a GET that buys would buy, and drop what was bought. */
function refuseHead(app: Hono<HttpEnv>, path: string, methods: readonly string[]): void {
  const allow = allowed(methods, false);
  app.use(path, async (c, next) => {
    if (c.req.raw.method !== 'HEAD') return next();
    return refused(c.env.scope, new Refusal(commonErrors.method_not_allowed), { allow });
  });
}

function allowed(methods: readonly string[], hasHead: boolean): string {
  return [...methods, ...(hasHead ? ['HEAD'] : []), 'OPTIONS'].join(', ');
}

function answererOf(operation: AnyOperation, cache: AnswerCache): Answerer {
  const read = callReader(operation);
  const isRead = operation.http.method === 'get';
  const isKept = cacheable(operation);
  return async (request, parameters, { runtime, origin }) => {
    const answer = await runOperation(operation, runtime, read(request, parameters, origin));
    const response = respond(answer, operation, origin.requestId);
    if (!isRead && answer.kind === 'ok') cache.invalidate();
    return isKept ? cache.remember(request, operation, answer, response) : response;
  };
}

/** A signed problem for what no operation answers. */
export async function refused(
  { runtime, origin }: RequestScope,
  refusal: Refusal,
  headers: Record<string, string> = {},
): Promise<Response> {
  const call: Call = { ...NO_CALL, ...origin };
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
