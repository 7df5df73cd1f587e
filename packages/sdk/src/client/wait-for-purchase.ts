import type { Operations } from '../generated/api.ts';
import type { Answered, MarketplaceClient } from './client.ts';
import { MarketplaceError } from './errors.ts';
import { sleep as defaultSleep } from './retry.ts';

export type Purchase = Answered<Operations['getPurchase']['output']>;

export interface WaitForPurchaseOptions {
  /** What is waited for. By default the content, or the end of the purchase without it. */
  readonly until?: (purchase: Purchase) => boolean;
  /** Between two looks, in milliseconds. Default 2000. */
  readonly intervalMs?: number;
  /** Ends the waiting: the call then rejects with its reason. */
  readonly signal?: AbortSignal;
  /** Replaced in tests. */
  readonly sleep?: (durationMs: number, signal?: AbortSignal) => Promise<void>;
}

/** Nothing more comes of these. */
const ENDED: readonly Purchase['status'][] = ['refunded', 'expired', 'failed'];
/** Somebody else collects it at this moment, or the card processor did not answer: the next look tells. */
const ASK_AGAIN: readonly string[] = ['purchase_in_progress', 'payment_not_confirmed'];

/**
 * Looks at a purchase until it is as wanted, as after a person was sent to its `checkoutUrl`. The look that
 * finds it paid collects it: the seller is asked, and only a delivered answer is charged. A seller that does
 * not deliver makes it reject with MarketplaceError, and nothing is charged.
 *
 * Once a purchase is delivered, every look asks the seller again for the content, so choose a long interval
 * to wait for something later, such as `released`.
 *
 * @returns the purchase as wanted, or one that ended without a sale: look at its `status` and `failureCode`.
 */
export async function waitForPurchase(
  client: Pick<MarketplaceClient, 'getPurchase'>,
  purchaseId: string,
  options: WaitForPurchaseOptions = {},
): Promise<Purchase> {
  const { until = isDelivered, intervalMs = 2000, signal, sleep = defaultSleep } = options;
  for (;;) {
    signal?.throwIfAborted();
    const purchase = await look(client, purchaseId, signal);
    if (purchase !== null && (until(purchase) || ENDED.includes(purchase.status))) return purchase;
    await sleep(intervalMs, signal);
  }
}

function isDelivered({ contentStatus }: Purchase): boolean {
  return contentStatus === 'delivered';
}

/** Null: not to be told now. */
async function look(
  client: Pick<MarketplaceClient, 'getPurchase'>,
  purchaseId: string,
  signal: AbortSignal | undefined,
): Promise<Purchase | null> {
  try {
    return await client.getPurchase({ purchaseId }, signal ? { signal } : {});
  } catch (error) {
    if (error instanceof MarketplaceError && ASK_AGAIN.includes(error.code)) return null;
    throw error;
  }
}
