import { PollingMailboxObject } from '@agent-marketplace/core/adapters/durable/polling-mailbox.do.ts';
import { systemClock } from '@agent-marketplace/core/adapters/system/system-clock.ts';
import { cardWebhook } from '@agent-marketplace/core/compose/card-webhook.ts';
import {
  type MarketplaceBindings,
  originOf,
  portsFor,
  runtimeFor,
} from '@agent-marketplace/core/compose/runtime.ts';
import { apiOperations } from '@agent-marketplace/core/operations/api.ts';
import { documentedOperations } from '@agent-marketplace/core/operations/documented.ts';
import { listPublishedKeys } from '@agent-marketplace/core/provenance/index.ts';
import { createAnswerCache } from '@agent-marketplace/core/transport/http/answer-cache.ts';
import { createApiApp } from '@agent-marketplace/core/transport/http/app.ts';
import { documentsOf } from '@agent-marketplace/core/transport/http/documents.ts';
import type { RequestScope } from '@agent-marketplace/core/transport/http/mount.ts';
import { neighbourOf } from '@agent-marketplace/core/transport/http/neighbours.ts';
import { webhookOf } from '@agent-marketplace/core/transport/http/webhooks.ts';
import { API_ROOT } from '@agent-marketplace/protocol/brand.ts';
import { forward, NEIGHBOURS, type Neighbour, PAGES } from './neighbours.ts';

interface ApiBindings extends MarketplaceBindings, Partial<Record<Exclude<Neighbour, 'INGRESS'>, Fetcher>> {
  /** For refusals in the door's name while it cannot be reached; without it, they are ordinary problems. */
  readonly INGRESS_SIGNING_KEY?: string;
}

const cache = createAnswerCache(systemClock.now);
const app = createApiApp(apiOperations, API_ROOT, cache, [
  documentsOf(documentedOperations, listPublishedKeys),
  webhookOf(cardWebhook),
]);

export default {
  async fetch(request, bindings, ctx) {
    const cached = cache.lookup(request, systemClock.now());
    if (cached) return cached;
    const name = neighbourOf(request, API_ROOT, NEIGHBOURS, PAGES);
    const service = name && bindings[name];
    if (service) return forward(request, { name, service }, bindings, () => scopeOf(request, bindings, ctx));
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

export { PollingMailboxObject };
