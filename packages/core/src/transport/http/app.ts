import { Hono } from 'hono';
import { commonErrors, Refusal } from '../../kernel/errors.ts';
import type { AnyOperation } from '../../kernel/operation/operation.ts';
import type { AnswerCache } from './answer-cache.ts';
import { type HttpEnv, mountOperations, sendRefusal } from './mount.ts';
import { PREFLIGHT_HEADERS } from './respond.ts';

export interface ApiApp {
  fetch(request: Request, env: HttpEnv['Bindings']): Response | Promise<Response>;
}

/** What a Worker serves besides operations. */
export type AppPart = (app: Hono<HttpEnv>, root: string) => void;

/** Everything that a Worker serves over REST: operations, preflights, unknown paths, and the parts that it alone has. */
export function createApiApp(
  operations: readonly AnyOperation[],
  root: string,
  cache: AnswerCache,
  parts: readonly AppPart[] = [],
): ApiApp {
  const app = new Hono<HttpEnv>();
  mountOperations(app, operations, root, cache);
  for (const mount of parts) mount(app, root);
  app.options('*', () => new Response(null, { status: 204, headers: PREFLIGHT_HEADERS }));
  app.notFound((c) => sendRefusal(c.env.scope, new Refusal(commonErrors.path_not_found)));
  return { fetch: (request, env) => app.fetch(request, env) };
}
