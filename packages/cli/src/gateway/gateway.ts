import type { JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import {
  type AnswerStore,
  createSellerEndpoint,
  type Deliver,
  DeliveryFailed,
  type FetchHandler,
  memoryAnswers,
  QueryRefused,
} from '@agent-marketplace/sdk/seller';
import { askUpstream } from './ask-upstream.ts';
import type { GatewayConfig } from './gateway-config.ts';
import type { DeliveryOutcome } from './upstream-answer.rules.ts';
import { credentialFault, type Secrets } from './upstream-request.rules.ts';

export interface GatewayOptions {
  /** Asked for each request: a file may change while the gateway runs. */
  readonly config: () => GatewayConfig | Promise<GatewayConfig>;
  readonly secrets: Secrets;
  /** Where answers are kept per purchase. Default: in memory. */
  readonly answers?: AnswerStore;
  /** A line for the seller. It holds no credential, no query and no answer. */
  readonly log: (line: string) => void;
  readonly fetch?: typeof globalThis.fetch;
  /** Where the marketplace's keys are fetched with; a test's own. */
  readonly now?: () => number;
}

/**
 * The delivery endpoint of every listing in a configuration: it answers the marketplace's signed POSTs, whatever their
 * path, with what the listing's upstream says, and GET with whether it runs, and of `?listing=<id>`, which is public,
 * whether it serves that.
 */
export function createGateway(options: GatewayOptions): FetchHandler {
  const { config, secrets, log, answers = memoryAnswers(), fetch = globalThis.fetch, now } = options;
  let current: { readonly identity: string; readonly handle: FetchHandler } | null = null;

  const deliver: Deliver = async ({ listingId, query }) => {
    const { listings } = await config();
    const listing = Object.hasOwn(listings, listingId) ? listings[listingId] : undefined;
    if (listing === undefined) {
      log(`${listingId}: 503. The configuration has no such listing.`);
      throw new DeliveryFailed(503);
    }
    const outcome = await askUpstream(listing, query as JsonObject, { secrets, fetch });
    return answerOf(outcome, (line) => log(`${listingId}: ${line}`));
  };

  /** What remembers repeated messages is kept as long as it speaks for the same seller. */
  function endpointOf({ marketplace, callbackUrl, sellerId }: GatewayConfig): FetchHandler {
    const identity = JSON.stringify([marketplace, callbackUrl, sellerId]);
    if (current?.identity === identity) return current.handle;
    const handle = createSellerEndpoint({
      marketplace,
      callbackUrl,
      sellerId,
      deliver,
      answers,
      fetch,
      ...(now !== undefined && { now }),
      onRefusal: ({ code, status, explanation }) => log(`${status} ${code}. ${explanation}`),
      onError: (error) => log(`500. ${error instanceof Error ? error.message : 'It failed.'}`),
    });
    current = { identity, handle };
    return handle;
  }

  return async (request) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return endpointOf(await config())(request);
    const headers = { 'cache-control': 'no-store' };
    const listingId = new URL(request.url).searchParams.get('listing');
    if (listingId === null) return new Response('The gateway runs.\n', { headers });
    const { sellerId, listings } = await config();
    const listing = Object.hasOwn(listings, listingId) ? listings[listingId] : undefined;
    const isServed = listing?.upstream.credentials.every((one) => credentialFault(one, secrets) === null);
    return Response.json({ sellerId, listingId, isServed: isServed ?? false }, { headers });
  };
}

/** @throws QueryRefused, DeliveryFailed, as what the endpoint answers. */
function answerOf(outcome: DeliveryOutcome, log: (line: string) => void): JsonObject | null {
  switch (outcome.kind) {
    case 'data':
      log('200.');
      return outcome.data;
    case 'unavailable':
      log(`404. ${outcome.note}`);
      return null;
    case 'refusal': {
      const { status, retryAfter, note } = outcome;
      log(`${status}. ${note}`);
      if (status === 422) throw new QueryRefused(note);
      throw new DeliveryFailed(status, retryAfter);
    }
  }
}
