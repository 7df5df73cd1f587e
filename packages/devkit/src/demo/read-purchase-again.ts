import type { Bought } from './buy.ts';
import type { Product } from './list-product.ts';
import { refusalOf, type Stage } from './stage.ts';

/** The marketplace stores no content, but the buyer can fetch it again. */
export async function readPurchaseAgain(
  { story, stranger }: Stage,
  { buyer, purchase }: Bought,
  product: Product,
) {
  story.chapter('The buyer reads its purchase again');
  const before = product.deliveries();
  const latest = await buyer.getPurchase({ purchaseId: purchase.id });
  story.check(
    product.deliveries() === before + 1,
    'the content comes live from the seller, since nobody stored it',
  );
  story.check(
    latest.contentMatchesReceipt === true && latest.contentDigest === purchase.contentDigest,
    'it still has the digest in the receipt',
  );
  await refusalOf(stranger.getPurchase({ purchaseId: purchase.id }), 'missing_api_key');
  await refusalOf(product.seller.getPurchase({ purchaseId: purchase.id }), 'not_purchase_owner');
  story.check(true, 'nobody else may read it, not even its seller');
}
