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
 * parameters are mounted first, so that `/agents/me` is never taken for a handle.
 */
export function mountOperations(
  app: Hono<HttpEnv>,
  operations: readonly AnyOperation[],
  root: string,
  cache: AnswerCache,
): void {
  const methodsOf = new Map<string, Set<string>>();
  const ordered = operations.toSorted((a, b) => parameterCount(a) - parameterCount(b));
  for (const operation of ordered) {
    const path = root + operation.http.path.replaceAll(/\{(\w+)\}/g, ':$1');
    const read = callReader(operation);
    const method = operation.http.method.toUpperCase();
    methodsOf.set(path, (methodsOf.get(path) ?? new Set()).add(method));

    app.on(method, path, async (c) => {
      const { runtime, origin } = c.env.scope;
      const call = read(c.req.raw, c.req.param() as Record<string, string>, origin);
      const answer = await runOperation(operation, runtime, call);
      const response = respond(answer, operation, origin.requestId);
      if (method !== 'GET' && answer.kind === 'ok') cache.invalidate();
      return cacheable(operation) ? cache.remember(c.req.raw, operation, answer, response) : response;
    });
  }
  for (const [path, methods] of methodsOf) {
    const allow = [...methods, ...(methods.has('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ');
    app.options(path, () => new Response(null, { status: 204, headers: { ...PREFLIGHT_HEADERS, allow } }));
    app.all(path, (c) => refused(c.env.scope, new Refusal(commonErrors.method_not_allowed), { allow }));
  }
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
