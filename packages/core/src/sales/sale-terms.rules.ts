import { DAY_MS, type EpochMs, epochOf, HOUR_MS, type IsoTime, isoTime, MINUTE_MS } from '../kernel/time.ts';
import type { Payment, Sale } from './sale.ts';

/**
 * How long one request may work on a sale before others take over: longer than the slowest delivery, and no longer
 * than its Idempotency-Key is claimed for.
 */
export const LEASE_MS = MINUTE_MS;

/** How long a checkout page can be paid. */
export const CHECKOUT_MS = HOUR_MS;

/** How long a reservation may be collected that ends by nobody else's clock, as that of a wallet does. */
const RESERVATION_MS = 6 * DAY_MS;

/** A delivery that begins at the last moment must still be captured in time, with its retries. */
const CAPTURE_MARGIN_MS = HOUR_MS;

/**
 * Until when what is reserved now may be collected. What a bank reserves ends when the bank says so (`captureBefore`),
 * which differs by card and by whether its holder was there; null: nobody says.
 */
export function collectUntilOf(captureBefore: EpochMs | null, now: EpochMs): IsoTime {
  return isoTime(
    captureBefore === null ? now + RESERVATION_MS : Math.max(now, captureBefore - CAPTURE_MARGIN_MS),
  );
}

/** How long after its delivery the link of a purchase without a key brings the content again. */
export const LINK_MS = 30 * DAY_MS;

/** How long after its delivery a purchase that was made with a query can be answered again at most. */
export const QUERY_MS = 365 * DAY_MS;

/** Whether nobody can have a purchase without a key answered again; its query is deleted then. */
export function isLinkOver(
  { buyerId, status, deliveredAt }: Pick<Sale, 'buyerId' | 'status' | 'deliveredAt'>,
  now: EpochMs,
): boolean {
  if (buyerId !== null || deliveredAt === null) return false;
  // What is in escrow may still be disputed; a sale whose seller cannot be paid stays there.
  return epochOf(deliveredAt) + (status === 'released' ? LINK_MS : QUERY_MS) <= now;
}

const MAX_RETRY_MS = 6 * HOUR_MS;

/** When what failed is tried again: after one minute, then twice as long each time, up to six hours. */
export function retryAt(attempts: number, now: EpochMs): IsoTime {
  return isoTime(now + Math.min(MINUTE_MS * 2 ** Math.min(attempts, 20), MAX_RETRY_MS));
}

/** The same for a sale that waits to be collected, which is looked at when its time is over at the latest. */
export function retryCollectionAt(
  { attempts, collectUntil }: Pick<Payment, 'attempts' | 'collectUntil'>,
  now: EpochMs,
): IsoTime {
  const at = retryAt(attempts, now);
  const isOver = collectUntil === null || epochOf(collectUntil) <= now;
  return isOver || at < collectUntil ? at : collectUntil;
}

/** One refund of a sale, whoever makes it and however often it is asked for; after one that failed, another. */
export function refundKey(purchaseId: string, failures = 0): string {
  const key = `purchase:${purchaseId}:refund`;
  return failures === 0 ? key : `${key}:${failures + 1}`;
}
