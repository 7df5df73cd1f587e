import { listAgents } from '@agent-marketplace/core/agents/list-agents.ts';
import {
  type MarketplaceBindings,
  originOf,
  portsFor,
  runtimeFor,
} from '@agent-marketplace/core/compose/runtime.ts';
import type { AnyOperation } from '@agent-marketplace/core/kernel/operation/operation.ts';
import { createAnswerCache } from '@agent-marketplace/core/transport/http/answer-cache.ts';
import { createApiApp } from '@agent-marketplace/core/transport/http/app.ts';

const { prefetch: _prefetch, cache: _cache, ...directory } = listAgents;

/**
 * Not a probe but the product: the route of the agents' directory with a page of 2 KB made on the spot, since
 * no real operation of that size does without a database.
 */
const freshAnswer: AnyOperation = {
  ...directory,
  handle: async ({ now }: { now: number }, { limit, offset }: { limit: number; offset: number }) => ({
    agents: Array.from({ length: 16 }, (_, index) => ({
      createdAt: now,
      displayName: `Agent number ${index}`,
      handle: `agent-${index}`,
      id: '00000000-0000-4000-8000-000000000000',
      isSeller: false,
    })),
    limit,
    offset,
    total: 16,
  }),
};

const cache = createAnswerCache(() => Date.now());
const app = createApiApp([freshAnswer], '/api', cache);

export default {
  async fetch(request, bindings, ctx) {
    const ports = portsFor(bindings, ctx);
    const runtime = runtimeFor(bindings, ports);
    const origin = await originOf(bindings, request, ports);
    return app.fetch(request, { scope: { runtime, origin } });
  },
} satisfies ExportedHandler<MarketplaceBindings>;
