import type { Hono } from 'hono';
import { commonErrors, Refusal } from '../../kernel/errors.ts';
import type { AnyOperation } from '../../kernel/operation.ts';
import { type Call, type Runtime, refuse, runOperation } from '../../kernel/run-operation.ts';
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
      target: answererOf(operation, cache),
    }));
  for (const [path, atPath] of Map.groupBy(routes, (route) => route.path.replaceAll(/\{(\w+)\}/g, ':$1'))) {
    for (const { method, target } of atPath) {
      app.on(method, path, (c) => target(c.req.raw, c.req.param() as Record<string, string>, c.env.scope));
    }
    answerOtherMethods(app, path, [...new Set(atPath.map(({ method }) => method))]);
  }
  return directRoutes(routes);
}

/** The methods that a path does not have: preflights are answered, the rest is refused with `Allow`. */
export function answerOtherMethods(app: Hono<HttpEnv>, path: string, methods: readonly string[]): void {
  const allow = [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ');
  app.options(path, () => new Response(null, { status: 204, headers: { ...PREFLIGHT_HEADERS, allow } }));
  app.all(path, (c) => refused(c.env.scope, new Refusal(commonErrors.method_not_allowed), { allow }));
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
