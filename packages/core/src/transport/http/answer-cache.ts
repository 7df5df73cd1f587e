import type { Digest } from '@agent-marketplace/protocol/crypto/signed-statement.ts';
import { type AnyOperation, isPublicRead } from '../../kernel/operation/operation.ts';
import type { Answer } from '../../kernel/operation/run-operation.ts';
import { type EpochMs, SECOND_MS } from '../../kernel/time.ts';
import { isKnown } from './if-none-match.ts';
import { BOOKMARK_HEADER, carriesKey } from './read-call.ts';
import { type CommonHeaders, commonHeadersOf, entityTag } from './respond.ts';

interface Entry {
  readonly body: Uint8Array;
  readonly operation: AnyOperation;
  readonly digest: Digest;
  /** Created when the answer is first served from the cache, which most never are. */
  headers?: CommonHeaders;
  /** An answer of an earlier generation may be outdated: something was changed since. */
  readonly generation: number;
  readonly freshUntil: EpochMs;
  readonly staleUntil: EpochMs;
}

export interface AnswerCache {
  /** A fresh answer, ready to send, or null. */
  lookup(request: Request, now: EpochMs): Response | null;
  /** Stores a good answer. Where the service is unavailable, returns the last good answer if it is not too old. */
  remember(request: Request, operation: AnyOperation, answer: Answer, response: Response): Response;
  /** Call it after a change: no stored answer is fresh any more. */
  invalidate(): void;
}

const MAX_ENTRIES = 500;
const MAX_ENTRY_BYTES = 512 * 1024;

/** Only answers that are the same for everyone without a key and depend on nothing but the URL. */
export function cacheable(operation: AnyOperation): boolean {
  return operation.cache !== undefined && isPublicRead(operation);
}

/**
 * Signed answers in the isolate's memory. A fresh one is sent without routing, parsing or signing; an older one is
 * served while the database is down.
 */
export function createAnswerCache(now: () => EpochMs): AnswerCache {
  const entries = new Map<string, Entry>();
  let generation = 0;

  function send(request: Request, entry: Entry): Response {
    entry.headers ??= headersOf(entry);
    if (isKnown(request.headers.get('if-none-match'), entry.digest.slice('sha256:'.length))) {
      return new Response(null, { status: 304, headers: entry.headers.notModified });
    }
    return new Response(entry.body as BodyInit, { headers: entry.headers.ok });
  }

  return {
    lookup(request, at) {
      if (request.method !== 'GET') return null;
      const entry = entries.get(request.url);
      if (entry === undefined || entry.freshUntil <= at || entry.generation !== generation) return null;
      const { auth, lag } = entry.operation;
      if ((auth === 'optional' || lag !== undefined) && carriesKey(request)) return null;
      // What is stored may be older than what the reader has seen.
      if (lag !== undefined && request.headers.has(BOOKMARK_HEADER)) return null;
      return send(request, entry);
    },

    remember(request, operation, answer, response) {
      const { cache } = operation;
      const aliases = Object.values(operation.http.headers ?? {});
      // Entries are found by URL, so an answer that also depends on a header is not stored.
      if (cache === undefined || aliases.some((name) => request.headers.has(name))) return response;
      if (answer.kind === 'refused') {
        const { kind } = answer.refusal.definition;
        // What was taken down must not stand in later, while the database is down.
        if (kind === 'gone' || kind === 'not_found') entries.delete(request.url);
        const stored = kind === 'unavailable' ? entries.get(request.url) : undefined;
        return stored && stored.staleUntil > now()
          ? withRequestHeaders(send(request, stored), response)
          : response;
      }
      if (answer.kind === 'not_modified' || answer.body.length > MAX_ENTRY_BYTES) return response;
      const at = now();
      entries.delete(request.url);
      entries.set(request.url, {
        body: answer.body,
        operation,
        digest: answer.digest,
        generation,
        freshUntil: at + cache.freshSeconds * SECOND_MS,
        staleUntil: at + cache.staleIfErrorSeconds * SECOND_MS,
      });
      if (entries.size > MAX_ENTRIES) {
        const [oldest] = entries.keys();
        if (oldest !== undefined) entries.delete(oldest);
      }
      return response;
    },

    invalidate() {
      generation += 1;
    },
  };
}

/** The stored answer with the id and rate of this request, which was counted. */
function withRequestHeaders(stored: Response, failed: Response): Response {
  for (const name of ['ratelimit', 'ratelimit-policy', 'x-request-id']) {
    const value = failed.headers.get(name);
    if (value !== null) stored.headers.set(name, value);
  }
  return stored;
}

/** The headers of a stored answer, without the request's own id and rate. */
function headersOf({ operation, digest }: Entry): CommonHeaders {
  const common = commonHeadersOf(operation);
  const withTag = (headers: Headers) => {
    const own = new Headers(headers);
    own.set('etag', entityTag(digest));
    return own;
  };
  return { ok: withTag(common.ok), notModified: withTag(common.notModified) };
}
