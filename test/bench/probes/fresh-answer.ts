import { defineOperation } from '@agent-marketplace/core/kernel/operation.ts';
import { type MarketplaceBindings, originOf, portsFor, runtimeFor } from '@agent-marketplace/core/runtime.ts';
import { createAnswerCache } from '@agent-marketplace/core/transport/http/answer-cache.ts';
import { createApiApp } from '@agent-marketplace/core/transport/http/app.ts';
import { z } from 'zod';

/** Not a probe but the product: an operation that answers with 2 KB and needs no database; no real one does. */
const freshAnswer = defineOperation({
  name: 'freshAnswer',
  summary: 'About 2 KB of JSON.',
  area: 'Meta',
  auth: 'none',
  input: z.object({ about: z.string().max(64).optional() }),
  output: z.object({ about: z.string(), records: z.array(z.object({}).loose()) }),
  errors: [],
  http: { method: 'get', path: '/fresh', status: 200 },
  rate: 'read',
  handle: async ({ now }, { about = 'records' }) => ({
    about,
    records: Array.from({ length: 16 }, (_, index) => ({
      currency: 'usd',
      description: 'A record as listings have them.',
      id: index,
      observedAt: now,
      priceCents: 100 * index,
    })),
  }),
});

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
