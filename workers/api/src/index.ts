import { PollingMailboxObject } from '@agent-marketplace/core/adapters/durable/polling-mailbox.do.ts';
import { API_ROOT } from '@agent-marketplace/core/kernel/brand.ts';
import { apiOperations } from '@agent-marketplace/core/operations/api.ts';
import { type MarketplaceBindings, originOf, portsFor, runtimeFor } from '@agent-marketplace/core/runtime.ts';
import { createAnswerCache } from '@agent-marketplace/core/transport/http/answer-cache.ts';
import { createApiApp } from '@agent-marketplace/core/transport/http/app.ts';

const cache = createAnswerCache(() => Date.now());
const app = createApiApp(apiOperations, API_ROOT, cache);

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
