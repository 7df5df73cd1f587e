import type { Operations } from '../generated/api.ts';
import type { MarketplaceClient, SignedAnswer } from './client.ts';
import { MarketplaceError } from './errors.ts';
import { sleep as defaultSleep } from './retry.ts';

export type Purchase = SignedAnswer<Operations['getPurchase']['output']>;

export interface WaitForPurchaseOptions {
  /** Whether to stop waiting. By default it waits for the content or a final state. */
  readonly until?: (purchase: Purchase) => boolean;
  /** The interval between two requests, in milliseconds. Default 2000. */
  readonly intervalMs?: number;
  /** Stops waiting: the call rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Replaced in tests. */
  readonly sleep?: (durationMs: number, signal?: AbortSignal) => Promise<void>;
}

/** Final states without a sale. */
const FINAL_STATUSES: readonly Purchase['status'][] = ['refunded', 'expired', 'failed'];
/** Another request collects it now, or the card processor did not answer: the next request may succeed. */
const RETRY_CODES: readonly string[] = ['purchase_in_progress', 'payment_not_confirmed'];

/**
 * Polls a purchase until a condition holds, for example after a person was sent to its `checkoutUrl`. The
 * request that finds it paid also collects it: the marketplace calls the seller, and charges only for a
 * delivered answer. If the seller does not deliver, it rejects with MarketplaceError, and nothing is charged.
 *
 * Once a purchase is delivered, every request fetches the content from the seller again, so choose a long
 * interval to wait for a later state, such as `released`.
 *
 * @returns the purchase, or one that ended without a sale: check its `status` and `failureCode`.
 */
export async function waitForPurchase(
  client: Pick<MarketplaceClient, 'getPurchase'>,
  purchaseId: string,
  options: WaitForPurchaseOptions = {},
): Promise<Purchase> {
  const { until = isDelivered, intervalMs = 2000, signal, sleep = defaultSleep } = options;
  for (;;) {
    signal?.throwIfAborted();
    const purchase = await readPurchase(client, purchaseId, signal);
    if (purchase !== null && (until(purchase) || FINAL_STATUSES.includes(purchase.status))) return purchase;
    await sleep(intervalMs, signal);
  }
}

function isDelivered({ contentStatus }: Purchase): boolean {
  return contentStatus === 'delivered';
}

/** Null if the state cannot be read now. */
async function readPurchase(
  client: Pick<MarketplaceClient, 'getPurchase'>,
  purchaseId: string,
  signal: AbortSignal | undefined,
): Promise<Purchase | null> {
  try {
    return await client.getPurchase({ purchaseId }, signal ? { signal } : {});
  } catch (error) {
    if (error instanceof MarketplaceError && RETRY_CODES.includes(error.code)) return null;
    throw error;
  }
}
