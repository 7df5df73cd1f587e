import type { Hono } from 'hono';
import { commonErrors, Refusal } from '../../kernel/errors.ts';
import type { AnyOperation } from '../../kernel/operation.ts';
import { type Call, type Runtime, refuse, runOperation } from '../../kernel/run-operation.ts';
import { type AnswerCache, cacheable } from './answer-cache.ts';
import { callReader, type Origin } from './read-call.ts';
import { PREFLIGHT_HEADERS, respond } from './respond.ts';

/** What the Worker composes for each request. */
export interface RequestScope {
  readonly runtime: Runtime;
  readonly origin: Origin;
}

export interface HttpEnv {
  Bindings: { scope: RequestScope };
}

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
): void {
  const byPath = Map.groupBy(
    operations.toSorted((a, b) => parameterCount(a) - parameterCount(b)),
    ({ http }) => root + http.path.replaceAll(/\{(\w+)\}/g, ':$1'),
  );
  for (const [path, atPath] of byPath) {
    for (const operation of atPath) mountOperation(app, operation, path, cache);
    answerOtherMethods(app, path, [...new Set(atPath.map(({ http }) => http.method.toUpperCase()))]);
  }
}

/** The methods that a path does not have: preflights are answered, the rest is refused with `Allow`. */
export function answerOtherMethods(app: Hono<HttpEnv>, path: string, methods: readonly string[]): void {
  const allow = [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ');
  app.options(path, () => new Response(null, { status: 204, headers: { ...PREFLIGHT_HEADERS, allow } }));
  app.all(path, (c) => refused(c.env.scope, new Refusal(commonErrors.method_not_allowed), { allow }));
}

function mountOperation(app: Hono<HttpEnv>, operation: AnyOperation, path: string, cache: AnswerCache): void {
  const read = callReader(operation);
  const method = operation.http.method.toUpperCase();
  app.on(method, path, async (c) => {
    const { runtime, origin } = c.env.scope;
    const call = read(c.req.raw, c.req.param() as Record<string, string>, origin);
    const answer = await runOperation(operation, runtime, call);
    const response = respond(answer, operation, origin.requestId);
    if (method !== 'GET' && answer.kind === 'ok') cache.invalidate();
    return cacheable(operation) ? cache.remember(c.req.raw, operation, answer, response) : response;
  });
}

/** A signed problem for what no operation answers. */
export async function refused(
  { runtime, origin }: RequestScope,
  refusal: Refusal,
  headers: Record<string, string> = {},
): Promise<Response> {
  const call: Call = { ...NO_CALL, ...origin };
  const response = respond(await refuse(refusal, runtime, call), null, origin.requestId);
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
