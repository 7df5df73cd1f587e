import { BRAND } from '@agent-marketplace/protocol/brand.ts';
import type { JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import { parseStrictJson } from '@agent-marketplace/protocol/json/strict-json.ts';
import { fixedKeys, type KeySource, KeysUnavailableError, remoteKeys } from '../key-source.ts';
import type { KeySet } from '../keys.ts';
import { MAX_AGE_SECONDS, verifySignedPost } from '../signed-post.ts';
import { type AnswerStore, createAnswerer } from './answer-store.ts';
import { type DeliveryPurchase, readDeliveryPurchase } from './delivery-purchase.ts';
import { type Deliver, readMessage } from './messages.ts';
import { readBody } from './read-body.ts';
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
  /** Called with errors of `deliver` and failures to fetch the keys. Default `console.error`. */
  readonly onError?: (error: unknown) => void;
}

/** Works with `Request` and `Response`: Workers, Deno, Bun, Hono; Node with `toNodeListener`. */
export type FetchHandler = (request: Request) => Promise<Response>;

const SECOND_MS = 1000;

/**
 * A delivery endpoint: pass it the POSTs to the callback URL. It verifies every message before parsing it.
 * Answers:
 *
 * - 200 `{nonce}` to a verification challenge, with `sellerId` if you pass it; 200 `{data}` to a delivery request;
 * - 404 `{available: false}` if `deliver` gives null;
 * - 403 if it is for another seller than `sellerId`;
 * - 401 if a signature, the body's hash or the time is not good; 405, 413 and 400 if it is no such message;
 * - 429 if the same message came before; 500 if `deliver` throws; 503 if the keys cannot be fetched.
 */
export function createSellerEndpoint(options: SellerEndpointOptions): FetchHandler {
  const { callbackUrl, sellerId, deliver, addSha256 = true, answers, onError = console.error } = options;
  const { maxAgeSeconds = MAX_AGE_SECONDS, now = Date.now } = options;
  const keys = keySource(options);
  const replays = new ReplayCache();
  const answerOf = createAnswerer({ deliver, addSha256, answers, onError });

  async function answer(message: unknown, purchase: DeliveryPurchase | null): Promise<Response> {
    const read = readMessage(message);
    switch (read.kind) {
      case 'challenge':
        // Named only if it was configured: an echo of the header would prove nothing.
        return json(200, { nonce: read.nonce, ...(sellerId === undefined ? {} : { sellerId }) });
      case 'delivery': {
        const data = await answerOf(read.request, purchase);
        return data === null ? json(404, { available: false }) : respond(200, `{"data":${data}}`);
      }
      case 'unknown':
        return json(400, { error: 'unknown_message' });
    }
  }

  async function handle(request: Request): Promise<Response> {
    if (request.method !== 'POST') return json(405, { error: 'method_not_allowed' }, { allow: 'POST' });
    const body = await readBody(request);
    if (body === null) return json(413, { error: 'body_too_large' });
    const { headers } = request;
    const verified = await verifySignedPost({ callbackUrl, headers, body }, keys, { maxAgeSeconds, now });
    if (!verified.valid) return json(401, { error: verified.reason });
    // The signature binds this URL but not the seller: the marketplace names the seller in a header.
    const addressee = headers.get(BRAND.header.sellerId) ?? sellerId;
    if (addressee !== sellerId && sellerId !== undefined) return json(403, { error: 'other_seller' });
    const purchase = await readDeliveryPurchase({ callbackUrl, headers }, keys);
    if (purchase === 'bad_signature') return json(401, { error: 'bad_delivery_signature' });

    const freshUntil = verified.sentAt + maxAgeSeconds * SECOND_MS;
    // Two equal requests signed in the same millisecond look like a replay too. On 429 the marketplace
    // retries with a new signature, which an attacker cannot make.
    if (!replays.add(verified.signature, freshUntil, now())) {
      return json(429, { error: 'replayed' }, { 'retry-after': '1' });
    }
    const message = parse(body);
    return message === undefined ? json(400, { error: 'malformed_json' }) : answer(message, purchase);
  }

  return async (request) => {
    try {
      return await handle(request);
    } catch (error) {
      onError(error);
      if (error instanceof KeysUnavailableError) return json(503, { error: 'keys_unavailable' });
      return json(500, { error: 'internal_error' });
    }
  };
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
