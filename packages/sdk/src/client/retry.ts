import type { Attempt } from './attempt.ts';

export interface RetryPolicy {
  /** How many times a call is sent again; 0 for never. */
  readonly retries: number;
  readonly sleep: (durationMs: number, signal?: AbortSignal) => Promise<void>;
  readonly now: () => number;
}

const FIRST_DELAY_MS = 250;
const MAX_DELAY_MS = 8_000;
// For a longer wait, the caller should decide when to retry.
const MAX_RETRY_AFTER_MS = 60_000;

/** The delay before the next attempt, or null if this one is final. */
export function retryDelay(attempt: Attempt, retriesMade: number, now: number): number | null {
  if (!isWorthRetrying(attempt)) return null;
  const retryAfter =
    attempt.kind === 'answered' ? retryAfterMs(attempt.headers.get('retry-after'), now) : null;
  if (retryAfter !== null) return retryAfter <= MAX_RETRY_AFTER_MS ? retryAfter : null;
  // A random delay: clients that failed at the same time should not retry at the same time.
  const limit = Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** retriesMade);
  return limit / 2 + (Math.random() * limit) / 2;
}

/** Retries are always safe: reads change nothing, and other calls carry an Idempotency-Key. */
function isWorthRetrying(attempt: Attempt): boolean {
  if (attempt.kind === 'failed') return true;
  const { status, body } = attempt;
  // Some refusals are final although their status suggests otherwise.
  if (body?.retryable === false) return false;
  return status === 429 || status === 503 || (status === 409 && body?.code === 'idempotency_in_flight');
}

/** Retry-After as seconds or as a date (RFC 9110), or null. */
function retryAfterMs(value: string | null, now: number): number | null {
  if (value === null) return null;
  if (/^\d+$/.test(value)) return Number(value) * 1000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}

/** Waits, or rejects with the signal's reason as soon as it is aborted. */
export function sleep(durationMs: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, durationMs);
    signal?.addEventListener('abort', stop, { once: true });
  });
}
