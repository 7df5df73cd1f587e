import { PollingMailboxObject } from '@agent-marketplace/core/adapters/durable/polling-mailbox.do.ts';
import { API_ROOT } from '@agent-marketplace/core/kernel/brand.ts';
import { commonErrors, Refusal } from '@agent-marketplace/core/kernel/errors.ts';
import { apiOperations } from '@agent-marketplace/core/operations/api.ts';
import { type MarketplaceBindings, originOf, portsFor, runtimeFor } from '@agent-marketplace/core/runtime.ts';
import { createAnswerCache } from '@agent-marketplace/core/transport/http/answer-cache.ts';
import { mountDocuments } from '@agent-marketplace/core/transport/http/documents.ts';
import { type HttpEnv, mountOperations, refused } from '@agent-marketplace/core/transport/http/mount.ts';
import { PREFLIGHT_HEADERS } from '@agent-marketplace/core/transport/http/respond.ts';
import { Hono } from 'hono';

const cache = createAnswerCache(() => Date.now());
const app = new Hono<HttpEnv>();

mountOperations(app, apiOperations, API_ROOT, cache);
mountDocuments(app, apiOperations, API_ROOT);
app.options('*', () => new Response(null, { status: 204, headers: PREFLIGHT_HEADERS }));
app.notFound((c) => refused(c.env.scope, new Refusal(commonErrors.path_not_found)));

export default {
  async fetch(request, bindings, ctx) {
    const cached = cache.lookup(request, Date.now());
    if (cached) return cached;
    const ports = portsFor(bindings, ctx);
    const runtime = runtimeFor(bindings, ports);
    const origin = await originOf(bindings, request, ports);
    return app.fetch(request, { scope: { runtime, origin } });
  },
} satisfies ExportedHandler<MarketplaceBindings>;

export { PollingMailboxObject };
