import { systemClock } from '@agent-marketplace/core/adapters/system/system-clock.ts';
import { ingressFallbackRuntime } from '@agent-marketplace/core/compose/ingress-fallback-runtime.ts';
import { commonErrors, Refusal } from '@agent-marketplace/core/kernel/errors.ts';
import { ingressOperations } from '@agent-marketplace/core/operations/ingress.ts';
import { createAnswerCache } from '@agent-marketplace/core/transport/http/answer-cache.ts';
import { createApiApp } from '@agent-marketplace/core/transport/http/app.ts';
import { type RequestScope, sendRefusal } from '@agent-marketplace/core/transport/http/mount.ts';
import { API_ROOT } from '@agent-marketplace/protocol/brand.ts';

/** Parts of the API that are Workers of their own, by the prefix of their paths. */
export const NEIGHBOURS = { '/ingress': 'INGRESS', '/log': 'LOG', '/mcp': 'MCP', '/x402': 'X402' } as const;

/** The Worker of the pages for people, which answers every path that is not the API's. */
export const PAGES = 'SITE';

export type Neighbour = (typeof NEIGHBOURS)[keyof typeof NEIGHBOURS] | typeof PAGES;

/** Of its own: nothing that is said in place of the door may be served once it is back. */
const ingressFallback = createApiApp(ingressOperations, API_ROOT, createAnswerCache(systemClock.now));

/** Hands a request on as it is. `scopeOf` is asked only where the neighbour cannot be reached. */
export async function forward(
  request: Request,
  { name, service }: { readonly name: Neighbour; readonly service: Fetcher },
  bindings: { readonly INGRESS_SIGNING_KEY?: string },
  scopeOf: () => Promise<RequestScope>,
): Promise<Response> {
  // A body can be read once, and the door's requests are small.
  const bodyCopy = name === 'INGRESS' && request.body !== null ? request.clone() : null;
  const response = await service.fetch(request).catch(() => null);
  if (response !== null && isFromNeighbour(name, response)) {
    await bodyCopy?.body?.cancel();
    return response;
  }
  await response?.body?.cancel();
  const scope = await scopeOf();
  const runtime = name === 'INGRESS' ? ingressFallbackRuntime(bindings, scope.runtime) : null;
  if (runtime) return ingressFallback.fetch(bodyCopy ?? request, { scope: { ...scope, runtime } });
  return sendRefusal(scope, new Refusal(commonErrors.service_unavailable, { retryAfterSeconds: 2 }));
}

/** What a Worker did not live to answer is told by the runtime. The door's own failures bear the request's id. */
function isFromNeighbour(name: Neighbour, { status, headers }: Response): boolean {
  return name !== 'INGRESS' || status < 500 || headers.has('x-request-id');
}
