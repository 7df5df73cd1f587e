import { Hono } from 'hono';
import { commonErrors, Refusal } from '../../kernel/errors.ts';
import type { AnyOperation } from '../../kernel/operation/operation.ts';
import type { AnswerCache } from './answer-cache.ts';
import { mountDocuments } from './documents.ts';
import { type HttpEnv, mountOperations, sendRefusal } from './mount.ts';
import { PREFLIGHT_HEADERS } from './respond.ts';
import { receiveWebhook, type Webhook } from './webhooks.ts';

export interface ApiApp {
  fetch(request: Request, env: HttpEnv['Bindings']): Response | Promise<Response>;
}

/**
 * Everything that a Worker serves over REST: operations, documents, preflights and unknown paths. `documented`
 * are the operations that its documents describe, including those that another Worker serves.
 */
export function createApiApp(
  operations: readonly AnyOperation[],
  root: string,
  cache: AnswerCache,
  documented: readonly AnyOperation[] = operations,
  webhooks: readonly Webhook[] = [],
): ApiApp {
  const app = new Hono<HttpEnv>();
  mountOperations(app, operations, root, cache);
  mountDocuments(app, documented, root);
  for (const webhook of webhooks) {
    app.all(root + webhook.path, (c) => receiveWebhook(webhook, c.req.raw, c.env.scope));
  }
  app.options('*', () => new Response(null, { status: 204, headers: PREFLIGHT_HEADERS }));
  app.notFound((c) => sendRefusal(c.env.scope, new Refusal(commonErrors.path_not_found)));
  return { fetch: (request, env) => app.fetch(request, env) };
}
