import type { Attempt } from './outcome.ts';

export interface RetryPolicy {
  /** How many times a call is sent again; 0 for never. */
  readonly retries: number;
  readonly sleep: (durationMs: number, signal?: AbortSignal) => Promise<void>;
  readonly now: () => number;
}

const FIRST_DELAY_MS = 250;
const MAX_DELAY_MS = 8_000;
// Whoever says to come back later than this is better asked by the caller, later.
const MAX_RETRY_AFTER_MS = 60_000;

/** How long to wait before sending again, or null if the attempt is the answer. */
export function retryDelay(attempt: Attempt, retriesMade: number, now: number): number | null {
  if (!mayHelp(attempt)) return null;
  const asked = attempt.kind === 'answered' ? retryAfterMs(attempt.headers.get('retry-after'), now) : null;
  if (asked !== null) return asked <= MAX_RETRY_AFTER_MS ? asked : null;
  // Spread out, so that clients that failed together do not return together.
  const limit = Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** retriesMade);
  return limit / 2 + (Math.random() * limit) / 2;
}

/** Sending again is safe for all of them: reads change nothing, and the rest carries an Idempotency-Key. */
function mayHelp(attempt: Attempt): boolean {
  if (attempt.kind === 'failed') return true;
  const { status, body } = attempt;
  // Some refusals stand although their status sounds temporary.
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
