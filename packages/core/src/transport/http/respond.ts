import type { ErrorDefinition } from '../../kernel/errors.ts';
import type { AnyOperation } from '../../kernel/operation.ts';
import type { RateDecision } from '../../kernel/ports.ts';
import type { Answer } from '../../kernel/run-operation.ts';
import { STATUS_OF_KIND } from './problem.ts';

export const CORS_HEADERS: Readonly<Record<string, string>> = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': '*',
};

/** A preflight answer lasts a day: it is the same for every path. */
export const PREFLIGHT_HEADERS: Readonly<Record<string, string>> = {
  ...CORS_HEADERS,
  'access-control-allow-methods': 'GET, HEAD, POST, PATCH, DELETE, OPTIONS',
  'access-control-allow-headers': '*, Authorization',
  'access-control-max-age': '86400',
};

/** Turns an operation's answer into a response. */
export function respond(answer: Answer, operation: AnyOperation | null, requestId: string): Response {
  const headers: Record<string, string> = {
    ...CORS_HEADERS,
    'x-content-type-options': 'nosniff',
    'x-request-id': requestId,
    ...(answer.rate ? rateHeaders(answer.rate, operation?.rate ?? 'read') : {}),
  };
  switch (answer.kind) {
    case 'not_modified':
      return new Response(null, {
        status: 304,
        headers: { ...headers, ...validators(answer.digest, operation) },
      });
    case 'ok': {
      headers['content-type'] = 'application/json';
      if (operation?.http.method === 'get') Object.assign(headers, validators(answer.digest, operation));
      else headers['cache-control'] = 'no-store';
      if (answer.replayed) headers['idempotency-replayed'] = 'true';
      return new Response(answer.body as BodyInit, { status: operation?.http.status ?? 200, headers });
    }
    case 'refused': {
      const { definition, details } = answer.refusal;
      headers['content-type'] = answer.isOwnForm ? 'application/json' : 'application/problem+json';
      headers['cache-control'] = 'no-store';
      if (details.retryAfterSeconds !== undefined) headers['retry-after'] = String(details.retryAfterSeconds);
      if (definition.kind === 'unauthenticated') headers['www-authenticate'] = 'Bearer realm="api"';
      return new Response(answer.body as BodyInit, { status: statusOf(definition), headers });
    }
  }
}

export function statusOf(definition: ErrorDefinition): number {
  return STATUS_OF_KIND[definition.kind];
}

/**
 * The tag is weak: the signature in `provenance` is made anew with each answer, and the tag stands for
 * everything but it.
 */
function validators(digest: string, operation: AnyOperation | null): Record<string, string> {
  return {
    etag: `W/"${digest.slice('sha256:'.length)}"`,
    'cache-control': cacheControl(operation),
  };
}

function cacheControl(operation: AnyOperation | null): string {
  const cache = operation?.cache;
  if (operation === null || operation.auth !== 'none') return 'private, no-cache';
  if (!cache || cache.freshSeconds === 0) return 'public, no-cache';
  return `public, max-age=${cache.freshSeconds}, stale-if-error=${cache.staleIfErrorSeconds}`;
}

function rateHeaders(rate: RateDecision, policy: string): Record<string, string> {
  return {
    'ratelimit-policy': `"${policy}";q=${rate.limit};w=${rate.windowSeconds}`,
    ratelimit: `"${policy}";r=${rate.remaining};t=${rate.resetSeconds}`,
  };
}
