import type { AnyOperation } from '../../kernel/operation.ts';
import type { Answer } from '../../kernel/run-operation.ts';
import { type EpochMs, SECOND_MS } from '../../kernel/time.ts';

interface Entry {
  readonly body: Uint8Array;
  readonly headers: Record<string, string>;
  readonly notModifiedHeaders: Record<string, string>;
  readonly etag: string;
  /** Changes made since this answer was kept are told by the generation having moved on. */
  readonly generation: number;
  readonly freshUntil: EpochMs;
  readonly staleUntil: EpochMs;
}

export interface AnswerCache {
  /** A fresh answer that can go out as it is, or null. */
  lookup(request: Request, now: EpochMs): Response | null;
  /** Keeps a good answer; in place of a broken one, gives the last good one if it is not too old. */
  remember(request: Request, operation: AnyOperation, answer: Answer, response: Response): Response;
  /** After a change: what is kept may no longer be served as fresh. */
  invalidate(): void;
}

const MAX_ENTRIES = 500;
const MAX_ENTRY_BYTES = 512 * 1024;
/** Members of a response that belong to one request only. */
const PER_REQUEST = new Set(['x-request-id', 'ratelimit', 'ratelimit-policy']);

/** Only answers that are the same for everyone and depend on nothing but the URL. */
export function cacheable(operation: AnyOperation): boolean {
  return operation.cache !== undefined && operation.auth === 'none' && operation.http.method === 'get';
}

/**
 * Signed answers in the isolate's memory. A fresh one is sent without routing, parsing or signing; an
 * older one stands in while the database is down.
 */
export function createAnswerCache(now: () => EpochMs): AnswerCache {
  const entries = new Map<string, Entry>();
  let generation = 0;

  function send(request: Request, entry: Entry): Response {
    const ifNoneMatch = request.headers.get('if-none-match');
    if (ifNoneMatch?.includes(entry.etag)) {
      return new Response(null, { status: 304, headers: entry.notModifiedHeaders });
    }
    return new Response(entry.body as BodyInit, { headers: entry.headers });
  }

  return {
    lookup(request, at) {
      if (request.method !== 'GET') return null;
      const entry = entries.get(request.url);
      if (entry === undefined || entry.freshUntil <= at || entry.generation !== generation) return null;
      return send(request, entry);
    },

    remember(request, operation, answer, response) {
      const { cache } = operation;
      const aliases = Object.values(operation.http.headers ?? {});
      // Entries are found by URL: an answer that a header had a part in is not kept.
      if (cache === undefined || aliases.some((name) => request.headers.has(name))) return response;
      if (answer.kind === 'refused') {
        const kept = answer.refusal.definition.kind === 'unavailable' ? entries.get(request.url) : undefined;
        return kept && kept.staleUntil > now() ? send(request, kept) : response;
      }
      if (answer.kind === 'not_modified' || answer.body.length > MAX_ENTRY_BYTES) return response;
      const headers = Object.fromEntries([...response.headers].filter(([name]) => !PER_REQUEST.has(name)));
      const { 'content-type': _, ...notModifiedHeaders } = headers;
      const at = now();
      entries.delete(request.url);
      entries.set(request.url, {
        body: answer.body,
        headers,
        notModifiedHeaders,
        etag: answer.digest.slice('sha256:'.length),
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
