import { type EpochMs, HOUR_MS, MINUTE_MS } from '../kernel/time.ts';

/**
 * How long one request may work on a purchase before others take over: longer than the slowest delivery,
 * and no longer than its Idempotency-Key is claimed for.
 */
export const WORK_MS = MINUTE_MS;

/** How long a checkout page can be paid; a limited listing's copy is kept as long. */
export const CHECKOUT_MS = HOUR_MS;

/** After a page has ended the processor may still be telling of its payment. */
const CHECKOUT_GRACE_MS = 2 * MINUTE_MS;

export function checkoutDueAt(expiresAt: EpochMs): EpochMs {
  return expiresAt + CHECKOUT_GRACE_MS;
}

/** A buyer that is pushed to is not there to ask again, so its seller is asked a few times. */
export const PUSH_TRIES = 5;
