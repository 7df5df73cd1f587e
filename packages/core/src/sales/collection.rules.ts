import { type EpochMs, epochOf, HOUR_MS, type IsoTime, isoTime } from '../kernel/time.ts';
import type { Undelivered } from './delivery/delivery-refusal.ts';

const MAX_FAILURES_AN_HOUR = 5;
const MAX_FAILURES = 20;

/**
 * Whether a sale that is paid for stays collectable after this outcome; otherwise its money goes back at once. The same
 * for a buyer who asks and for a callback that is pushed to.
 */
export function staysCollectable(outcome: Undelivered, failedCollections: readonly IsoTime[]): boolean {
  const mayPass = outcome.kind === 'timed_out' || (outcome.kind === 'failed' && outcome.retryable);
  return mayPass && failedCollections.length + 1 < MAX_FAILURES;
}

/** When the seller may be asked again, after so many failures; null: now. A seller that is down is not asked all the time. */
export function collectableAt(failedCollections: readonly IsoTime[], now: EpochMs): IsoTime | null {
  const oldest = failedCollections.at(-MAX_FAILURES_AN_HOUR);
  if (oldest === undefined || failedCollections.length < MAX_FAILURES_AN_HOUR) return null;
  const at = epochOf(oldest) + HOUR_MS;
  return at <= now ? null : isoTime(at);
}
