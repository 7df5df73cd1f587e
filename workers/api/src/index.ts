import { PollingMailboxObject } from '@agent-marketplace/core/adapters/durable/polling-mailbox.do.ts';
import { cardWebhook } from '@agent-marketplace/core/card-webhook.ts';
import { API_ROOT } from '@agent-marketplace/core/kernel/brand.ts';
import { commonErrors, Refusal } from '@agent-marketplace/core/kernel/errors.ts';
import { apiOperations } from '@agent-marketplace/core/operations/api.ts';
import { documentedOperations } from '@agent-marketplace/core/operations/documented.ts';
import { type MarketplaceBindings, originOf, portsFor, runtimeFor } from '@agent-marketplace/core/runtime.ts';
import { createAnswerCache } from '@agent-marketplace/core/transport/http/answer-cache.ts';
import { createApiApp } from '@agent-marketplace/core/transport/http/app.ts';
import { type RequestScope, refused } from '@agent-marketplace/core/transport/http/mount.ts';
import { neighbourOf } from '@agent-marketplace/core/transport/http/neighbours.ts';

/** Parts of the API that are Workers of their own, by the prefix of their paths. */
const NEIGHBOURS = { '/ingress': 'INGRESS', '/mcp': 'MCP', '/x402': 'X402' } as const;

/** The Worker of the pages for people, which answers every path that is not the API's. */
const PAGES = 'SITE';

interface ApiBindings extends MarketplaceBindings, Partial<Record<'MCP' | 'SITE' | 'X402', Fetcher>> {}

const cache = createAnswerCache(() => Date.now());
const app = createApiApp(apiOperations, API_ROOT, cache, documentedOperations, [cardWebhook]);

export default {
  async fetch(request, bindings, ctx) {
    const cached = cache.lookup(request, Date.now());
    if (cached) return cached;
    const neighbour = neighbourOf(request, API_ROOT, NEIGHBOURS, PAGES);
    const other = neighbour && bindings[neighbour];
    if (other) return other.fetch(request).catch(() => neighbourDown(request, bindings, ctx));
    return app.fetch(request, { scope: await scopeOf(request, bindings, ctx) });
  },
} satisfies ExportedHandler<ApiBindings>;

async function scopeOf(
  request: Request,
  bindings: ApiBindings,
  ctx: ExecutionContext,
): Promise<RequestScope> {
  const ports = portsFor(bindings, ctx);
  const runtime = runtimeFor(bindings, ports);
  return { runtime, origin: await originOf(bindings, request, ports) };
}

async function neighbourDown(...call: Parameters<typeof scopeOf>): Promise<Response> {
  return refused(
    await scopeOf(...call),
    new Refusal(commonErrors.service_unavailable, { retryAfterSeconds: 2 }),
  );
}

export { PollingMailboxObject };
