import { Refusal } from '../kernel/errors.ts';
import type { OperationContext } from '../kernel/operation.ts';
import { findListing } from '../listings/index.ts';
import { obtainContent } from './obtain-content.ts';
import type { Purchase } from './purchase.ts';
import { purchaseErrors } from './purchases.errors.ts';
import { type PurchaseView, viewPurchase } from './purchases.schema.ts';
import { findPurchase } from './purchases.store.ts';

/**
 * A purchase with its content, asked of the seller again: content is never kept. A seller that cannot
 * deliver now leaves the purchase as it is; status and receipt are the buyer's either way.
 */
export async function relayPurchase(ctx: OperationContext, purchaseId: string): Promise<PurchaseView> {
  const purchase = await findPurchase(ctx.ports.market, purchaseId);
  if (!purchase) throw new Refusal(purchaseErrors.purchase_not_found);
  return relay(ctx, purchase);
}

export async function relay({ ports, now }: OperationContext, purchase: Purchase): Promise<PurchaseView> {
  const listing = await findListing(ports.market, purchase.listingId);
  if (!listing) throw new Error(`Purchase ${purchase.id} has no listing.`);
  const outcome = await obtainContent(ports, listing, purchase.query, now);
  switch (outcome.kind) {
    case 'delivered':
      return viewPurchase(purchase, outcome);
    case 'unavailable':
    case 'timed_out':
      return viewPurchase(purchase, { status: outcome.kind });
    case 'failed':
    case 'integrity_mismatch':
    case 'too_large':
      return viewPurchase(purchase, { status: 'failed' });
  }
}
