import type { Bought } from './buy.ts';
import type { Shop } from './open-shop.ts';
import { refusalOf, type Stage } from './stage.ts';

/** The marketplace kept no content, and yet the buyer gets what it bought. */
export async function readAgain({ story, stranger }: Stage, { buyer, purchase }: Bought, shop: Shop) {
  story.chapter('The buyer reads its purchase again');
  const before = shop.deliveries();
  const again = await buyer.getPurchase({ purchaseId: purchase.id });
  story.check(
    shop.deliveries() === before + 1,
    'the content comes live from the seller, as nobody stored it',
  );
  story.check(
    again.contentMatchesReceipt === true && again.contentDigest === purchase.contentDigest,
    'and it still has the digest that the receipt binds',
  );
  await refusalOf(stranger.getPurchase({ purchaseId: purchase.id }), 'missing_api_key');
  await refusalOf(shop.seller.getPurchase({ purchaseId: purchase.id }), 'not_purchase_owner');
  story.check(true, 'nobody else may read it, its seller included');
}
