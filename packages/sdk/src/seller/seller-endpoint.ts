import { BRAND } from '@agent-marketplace/protocol/brand.ts';
import type { JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import { parseStrictJson } from '@agent-marketplace/protocol/json/strict-json.ts';
import { fixedKeys, type KeySource, KeysUnavailableError, remoteKeys } from '../key-source.ts';
import type { KeySet } from '../keys.ts';
import { MAX_AGE_SECONDS, verifySignedPost } from '../signed-post.ts';
import { type AnswerStore, createAnswerer } from './answer-store.ts';
import { DeliveryFailed } from './delivery-failed.ts';
import { type DeliveryPurchase, readDeliveryPurchase } from './delivery-purchase.ts';
import { explainRefusal, type RefusedContext } from './explain-refusal.ts';
import { type Deliver, readMessage } from './messages.ts';
import { QueryRefused } from './query-refused.ts';
import { readBody } from './read-body.ts';
import { REFUSAL_STATUS, type Refusal, type RefusalCode, RefusedRequest } from './refusals.ts';
import { ReplayCache } from './replay-cache.ts';

export interface SellerEndpointOptions {
  /** The API root to fetch the keys from, or the keys. */
  readonly marketplace: string | KeySet | KeySource;
  /** Exactly as registered: the signature covers it. */
  readonly callbackUrl: string;
  /**
   * Your seller id, from the registration or the dashboard. With it, requests for other sellers are refused:
   * otherwise anybody could register your URL, have this endpoint pass the challenge, and sell your data.
   */
  readonly sellerId?: string;
  readonly deliver: Deliver;
  /** Whether to add `__sha256` to the data. Default true. */
  readonly addSha256?: boolean;
  /** Where answers are kept per purchase, so that you are never asked twice for one. Left out: nowhere. */
  readonly answers?: AnswerStore;
  /** How old a message may be, and how far the clocks may differ, in seconds. Default 300. */
  readonly maxAgeSeconds?: number;
  /** Used to fetch the keys. */
  readonly fetch?: typeof globalThis.fetch;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
  /** How long a body may take to arrive, in milliseconds. Default 10,000: the marketplace sends it at once. */
  readonly bodyTimeoutMs?: number;
  /** Called with errors of `deliver` and of the store, and if `deliver` took too long. Default `console.error`. */
  readonly onError?: (error: unknown) => void;
  /**
   * Called with what was not served and why, in your words: at most once a minute for each code, since anybody can send
   * anything. Default: a line with `console.warn`.
   */
  readonly onRefusal?: (refusal: Refusal) => void;
}

/** Works with `Request` and `Response`: Workers, Deno, Bun, Hono; Node with `toNodeListener`. */
export type FetchHandler = (request: Request) => Promise<Response>;

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
/** What the marketplace waits for an answer. */
const DELIVERY_SECONDS = 30;

/**
 * A delivery endpoint: pass it the POSTs to the callback URL. It verifies every message before parsing it.
 * Answers:
 *
 * - 200 `{nonce}` to a verification challenge, with `sellerId` if you pass it; 200 `{data}` to a delivery request, with `units` of `metered`;
 * - 404 `{available: false}` if `deliver` gives null; 422 if it throws `QueryRefused`, the status of a `DeliveryFailed`; 500 if
 *   it throws anything else;
 * - `{error}` with a code of `Refusal` to everything else, which `onRefusal` explains to you.
 */
export function createSellerEndpoint(options: SellerEndpointOptions): FetchHandler {
  const { callbackUrl, sellerId, deliver, addSha256 = true, answers, onError = console.error } = options;
  const { maxAgeSeconds = MAX_AGE_SECONDS, now = Date.now, bodyTimeoutMs = 10 * SECOND_MS } = options;
  const { onRefusal = warn } = options;
  const marketplace = typeof options.marketplace === 'string' ? options.marketplace : null;
  const keys = keySource(options);
  const replays = new ReplayCache();
  const answerOf = createAnswerer({ deliver, addSha256, answers, onError });
  const explainedAt = new Map<RefusalCode, number>();

  async function answer(message: unknown, purchase: DeliveryPurchase | null): Promise<Response> {
    const read = readMessage(message);
    switch (read.kind) {
      case 'challenge':
        // Named only if it was configured: an echo of the header would prove nothing.
        return json(200, { nonce: read.nonce, ...(sellerId === undefined ? {} : { sellerId }) });
      case 'delivery': {
        const startedAt = now();
        const answered = await answerOf(read.request, purchase);
        const seconds = (now() - startedAt) / SECOND_MS;
        if (seconds > DELIVERY_SECONDS)
          onError(
            new Error(
              `deliver took ${seconds.toFixed(1)} s, and the marketplace waits for ${DELIVERY_SECONDS}.`,
            ),
          );
        if (answered === null) return json(404, { available: false });
        const { data, units } = answered;
        return respond(200, units === null ? `{"data":${data}}` : `{"data":${data},"units":${units}}`);
      }
      case 'unknown':
        throw new RefusedRequest('unknown_message');
    }
  }

  async function handle(request: Request, body: Uint8Array): Promise<Response> {
    const { headers } = request;
    const verified = await verifySignedPost({ callbackUrl, headers, body }, keys, { maxAgeSeconds, now });
    if (!verified.valid) throw new RefusedRequest(verified.reason);
    // The signature binds this URL but not the seller: the marketplace names the seller in a header.
    const addressee = headers.get(BRAND.header.sellerId) ?? sellerId;
    if (addressee !== sellerId && sellerId !== undefined) throw new RefusedRequest('other_seller');
    const purchase = await readDeliveryPurchase({ callbackUrl, headers }, keys);
    if (purchase === 'bad_signature') throw new RefusedRequest('bad_delivery_signature');

    const freshUntil = verified.sentAt + maxAgeSeconds * SECOND_MS;
    // Two equal requests signed in the same millisecond look like a replay too. On 429 the marketplace
    // retries with a new signature, which an attacker cannot make.
    if (!replays.add(verified.signature, freshUntil, now())) throw new RefusedRequest('replayed');
    const message = parse(body);
    if (message === undefined) throw new RefusedRequest('malformed_json');
    return answer(message, purchase);
  }

  /** Explaining may check many signatures: strangers must not be able to cause that with each request. */
  async function explain(code: RefusalCode, context: Pick<RefusedContext, 'request' | 'body' | 'cause'>) {
    const at = now();
    if (at - (explainedAt.get(code) ?? Number.NEGATIVE_INFINITY) < MINUTE_MS) return;
    explainedAt.set(code, at);
    try {
      const setUp = { callbackUrl, sellerId, keys, marketplace, maxAgeSeconds, now };
      const explanation = await explainRefusal(code, { ...setUp, ...context });
      onRefusal({ code, status: REFUSAL_STATUS[code], explanation });
    } catch (error) {
      onError(error);
    }
  }

  return async (request) => {
    let body: Uint8Array = new Uint8Array();
    try {
      if (request.method !== 'POST') throw new RefusedRequest('method_not_allowed');
      body = await readBody(request, bodyTimeoutMs);
      return await handle(request, body);
    } catch (error) {
      const refused = refusalOf(error);
      if (refused !== null) {
        const { code, cause } = refused;
        await explain(code, { request, body, cause });
        return json(REFUSAL_STATUS[code], { error: code }, REFUSAL_HEADERS[code]);
      }
      if (error instanceof QueryRefused) return json(422, { error: 'query_refused' });
      if (error instanceof DeliveryFailed) {
        const { status, retryAfter } = error;
        return json(
          status,
          { error: 'delivery_failed' },
          retryAfter === null ? {} : { 'retry-after': retryAfter },
        );
      }
      onError(error);
      return json(500, { error: 'internal_error' });
    }
  };
}

const REFUSAL_HEADERS: { readonly [code in RefusalCode]?: Record<string, string> } = {
  method_not_allowed: { allow: 'POST' },
  replayed: { 'retry-after': '1' },
};

function refusalOf(error: unknown): RefusedRequest | null {
  if (error instanceof RefusedRequest) return error;
  return error instanceof KeysUnavailableError ? new RefusedRequest('keys_unavailable', error) : null;
}

function warn({ code, status, explanation }: Refusal): void {
  console.warn(`The seller endpoint answered ${status} ${code}. ${explanation}`);
}

function keySource({ marketplace, fetch, now }: SellerEndpointOptions): KeySource {
  if (typeof marketplace === 'string') return remoteKeys({ baseUrl: marketplace, fetch, now });
  return 'keysFor' in marketplace ? marketplace : fixedKeys(marketplace);
}

function parse(body: Uint8Array): unknown {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(body);
    const parsed = parseStrictJson(text);
    return parsed.ok ? parsed.value : undefined;
  } catch {
    return undefined;
  }
}

function json(status: number, body: JsonObject, headers: Record<string, string> = {}): Response {
  return respond(status, JSON.stringify(body), headers);
}

function respond(status: number, body: string, headers: Record<string, string> = {}): Response {
  return new Response(body, {
    status,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store', ...headers },
  });
}
