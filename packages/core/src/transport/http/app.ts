import { Hono } from 'hono';
import { commonErrors, Refusal } from '../../kernel/errors.ts';
import type { AnyOperation } from '../../kernel/operation.ts';
import type { AnswerCache } from './answer-cache.ts';
import { mountDocuments } from './documents.ts';
import { type HttpEnv, mountOperations, refused } from './mount.ts';
import { PREFLIGHT_HEADERS } from './respond.ts';

/** The REST face of the marketplace as a whole: operations, documents, preflights, unknown paths. */
export function createApiApp(
  operations: readonly AnyOperation[],
  root: string,
  cache: AnswerCache,
): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  mountOperations(app, operations, root, cache);
  mountDocuments(app, operations, root);
  app.options('*', () => new Response(null, { status: 204, headers: PREFLIGHT_HEADERS }));
  app.notFound((c) => refused(c.env.scope, new Refusal(commonErrors.path_not_found)));
  return app;
}
