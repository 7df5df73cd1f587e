import { isJsonObject, type JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import type { Attempt } from './attempt.ts';
import { type RetryPolicy, retryDelay } from './retry.ts';

/** A request as sent, the same in every attempt. */
export interface OutgoingRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  /** The time limit of each attempt, in milliseconds, to the last byte of the response. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
  /** A success is a file; a refusal is still a JSON object. */
  readonly isFile: boolean;
}

/**
 * Sends a request until the answer is final or the retries are used up.
 *
 * @throws only the reason of the request's own signal, after it was aborted.
 */
export async function sendWithRetries(
  fetch: typeof globalThis.fetch,
  request: OutgoingRequest,
  policy: RetryPolicy,
): Promise<Attempt> {
  for (let retriesMade = 0; ; retriesMade++) {
    const attempt = await sendOnce(fetch, request);
    if (retriesMade >= policy.retries) return attempt;
    const delayMs = retryDelay(attempt, retriesMade, policy.now());
    if (delayMs === null) return attempt;
    await policy.sleep(delayMs, request.signal);
  }
}

async function sendOnce(fetch: typeof globalThis.fetch, request: OutgoingRequest): Promise<Attempt> {
  const { method, url, headers, body, timeoutMs, signal } = request;
  signal?.throwIfAborted();
  const timeout = AbortSignal.timeout(timeoutMs);
  const either = signal ? AbortSignal.any([signal, timeout]) : timeout;
  try {
    const init = { method, headers, signal: either };
    const response = await fetch(url, body === null ? init : { ...init, body });
    const { status, headers: received } = response;
    if (request.isFile && response.ok) {
      const bytes = new Uint8Array(await response.arrayBuffer());
      return { kind: 'answered', status, headers: received, text: '', body: null, bytes };
    }
    const text = await response.text();
    return { kind: 'answered', status, headers: received, text, body: parseObject(text), bytes: null };
  } catch (cause) {
    signal?.throwIfAborted();
    return { kind: 'failed', code: timeout.aborted ? 'timed_out' : 'network_error', cause };
  }
}

function parseObject(text: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : null;
  } catch {
    return null;
  }
}
