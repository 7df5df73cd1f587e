import { createSellerEndpoint, type FetchHandler, type SellerEndpointOptions } from '../seller-endpoint.ts';

/** What a Worker exports, and `app.fetch` of others. */
export interface SellerWorker<Env> {
  fetch(request: Request, env: Env): Promise<Response>;
}

/**
 * A Cloudflare Worker whose settings are in its environment. The endpoint is made once and not for each request: it
 * remembers the marketplace's keys and the messages that it has seen.
 *
 *     export default toWorker((env: Env) => ({ marketplace: env.MARKETPLACE, callbackUrl: env.CALLBACK_URL, deliver }));
 */
export function toWorker<Env extends object>(
  optionsOf: (env: Env) => SellerEndpointOptions,
): SellerWorker<Env> {
  const endpointOf = new WeakMap<Env, FetchHandler>();
  return {
    async fetch(request, env) {
      const endpoint = endpointOf.get(env) ?? createSellerEndpoint(optionsOf(env));
      endpointOf.set(env, endpoint);
      return endpoint(request);
    },
  };
}
