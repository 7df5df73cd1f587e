import { PaymentClaimsObject } from '@agent-marketplace/core/adapters/durable/payment-claims.do.ts';
import { systemClock } from '@agent-marketplace/core/adapters/system/system-clock.ts';
import {
  type X402Bindings,
  x402OriginOf,
  x402RuntimeFor,
} from '@agent-marketplace/core/compose/x402-runtime.ts';
import { x402Operations } from '@agent-marketplace/core/operations/x402.ts';
import { createAnswerCache } from '@agent-marketplace/core/transport/http/answer-cache.ts';
import { createApiApp } from '@agent-marketplace/core/transport/http/app.ts';
import { API_ROOT } from '@agent-marketplace/protocol/brand.ts';

const cache = createAnswerCache(systemClock.now);
const app = createApiApp(x402Operations, API_ROOT, cache);

export default {
  fetch(request, bindings, ctx) {
    const cached = cache.lookup(request, systemClock.now());
    if (cached) return cached;
    const runtime = x402RuntimeFor(bindings, ctx);
    const origin = x402OriginOf(bindings, request, runtime.ports);
    return app.fetch(request, { scope: { runtime, origin } });
  },
} satisfies ExportedHandler<X402Bindings>;

export { PaymentClaimsObject };
