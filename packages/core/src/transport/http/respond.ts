import type { ErrorDefinition } from '../../kernel/errors.ts';
import type { AnyOperation } from '../../kernel/operation/operation.ts';
import type { Answer } from '../../kernel/operation/run-operation.ts';
import type { RateDecision } from '../../kernel/ports/rate-limiter.ts';
import { fileHeaders, fileIdentity } from './file-headers.ts';
import { STATUS_OF_KIND } from './problem.ts';

export const CORS_HEADERS: Readonly<Record<string, string>> = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': '*',
};

/** The same for every path, so a client may cache it for a day. */
export const PREFLIGHT_HEADERS: Readonly<Record<string, string>> = {
  ...CORS_HEADERS,
  'access-control-allow-methods': 'GET, HEAD, POST, PATCH, DELETE, OPTIONS',
  'access-control-allow-headers': '*, Authorization',
  'access-control-max-age': '86400',
};

/** The headers that all answers of an operation share, built once: building them is slow. */
export interface CommonHeaders {
  readonly ok: Headers;
  readonly notModified: Headers;
}

const common = new WeakMap<AnyOperation, CommonHeaders>();

export function commonHeadersOf(operation: AnyOperation): CommonHeaders {
  const known = common.get(operation);
  if (known) return known;
  const isRead = operation.http.method === 'get';
  const varies = operation.auth === 'optional' && operation.cache ? { vary: 'Authorization, X-API-Key' } : {};
  const shared = { ...CORS_HEADERS, ...varies, 'x-content-type-options': 'nosniff' };
  const headers = {
    ok: new Headers({
      ...shared,
      'content-type': 'application/json',
      'cache-control': isRead ? cacheControl(operation) : 'no-store',
    }),
    notModified: new Headers({ ...shared, 'cache-control': cacheControl(operation) }),
  };
  common.set(operation, headers);
  return headers;
}

type RefusedAnswer = Extract<Answer, { kind: 'refused' }>;

/** Turns an operation's answer into a response. */
export function respond(
  answer: Answer,
  operation: AnyOperation,
  requestId: string,
  isPrivate = false,
): Response {
  if (answer.kind === 'refused') return respondRefusal(answer, requestId);
  const response = respondSuccess(answer, operation);
  if (isPrivate) response.headers.set('cache-control', PRIVATE);
  response.headers.set('x-request-id', requestId);
  if (answer.rate) setRate(response.headers, answer.rate);
  return response;
}

function respondSuccess(answer: Exclude<Answer, RefusedAnswer>, operation: AnyOperation): Response {
  const { ok, notModified } = commonHeadersOf(operation);
  if (answer.kind === 'not_modified') {
    const response = new Response(null, { status: 304, headers: notModified });
    response.headers.set('etag', entityTag(answer.digest));
    if (operation.file) setAll(response.headers, fileIdentity(answer.digest));
    return response;
  }
  const response = new Response(bodyOf(answer.body), { status: operation.http.status, headers: ok });
  if (operation.http.method === 'get') response.headers.set('etag', entityTag(answer.digest));
  if (answer.replayed) response.headers.set('idempotency-replayed', 'true');
  if (answer.headers) setAll(response.headers, answer.headers);
  if (answer.file) {
    setAll(response.headers, fileHeaders(answer.file));
    response.headers.set('content-length', String(answer.body.length));
  }
  return response;
}

/** Turns a refusal into a response, of an operation or of the transport. */
export function respondRefusal(
  { refusal, body, rate, isOwnForm }: RefusedAnswer,
  requestId: string,
): Response {
  const { definition, details } = refusal;
  const headers = new Headers({
    ...CORS_HEADERS,
    'x-content-type-options': 'nosniff',
    'content-type': isOwnForm ? 'application/json' : 'application/problem+json',
    'cache-control': 'no-store',
    'x-request-id': requestId,
  });
  if (details.retryAfterSeconds !== undefined) headers.set('retry-after', String(details.retryAfterSeconds));
  if (definition.kind === 'unauthenticated') headers.set('www-authenticate', 'Bearer realm="api"');
  if (details.headers) setAll(headers, details.headers);
  if (rate) setRate(headers, rate);
  return new Response(body as BodyInit, { status: statusOf(definition), headers });
}

function setAll(headers: Headers, values: Readonly<Record<string, string>>): void {
  for (const name in values) headers.set(name, values[name] ?? '');
}

function statusOf(definition: ErrorDefinition): number {
  return STATUS_OF_KIND[definition.kind];
}

/** A weak tag: it covers everything except the signature in `provenance`, which differs in each answer. */
export function entityTag(digest: string): string {
  return `W/"${digest.slice('sha256:'.length)}"`;
}

const PRIVATE = 'private, no-cache';

function cacheControl({ cache, auth, http, movesMoney }: AnyOperation): string {
  // A paid answer without an API key would otherwise look public to a cache.
  if (movesMoney && (auth === 'none' || http.queryField !== undefined)) return 'no-store';
  // An answer that is not declared public may be meant for those who know an id or a link.
  if ((auth !== 'none' && auth !== 'optional') || !cache) return PRIVATE;
  if (cache.freshSeconds === 0) return 'public, no-cache';
  return `public, max-age=${cache.freshSeconds}, stale-if-error=${cache.staleIfErrorSeconds}`;
}

/** The state of the caller's rate limit. Answers that were not counted, as to preflights, have no such headers. */
export function setRate(headers: Headers, rate: RateDecision): void {
  const { policy } = rate;
  headers.set('ratelimit-policy', `"${policy}";q=${rate.limit};w=${rate.windowSeconds}`);
  headers.set('ratelimit', `"${policy}";r=${rate.remaining};t=${rate.resetSeconds}`);
}

/** From this size on, copying the body costs more than streaming it. */
const LARGE_BYTES = 256 * 1024;

/** A Response copies its bytes; a stream passes them on and frees them when they are sent. */
function bodyOf(bytes: Uint8Array): BodyInit {
  if (bytes.length < LARGE_BYTES) return bytes as BodyInit;
  const { readable, writable } = new FixedLengthStream(bytes.length);
  const writer = writable.getWriter();
  // It fails when the caller disconnects, which is not an error.
  writer
    .write(bytes)
    .then(() => writer.close())
    .catch(() => {});
  return readable as BodyInit;
}
