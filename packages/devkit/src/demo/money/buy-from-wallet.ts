import { buyListing, type MarketplaceClient, verifyPurchaseReceipt } from '@agent-marketplace/sdk';
import { withoutNetwork } from '../stage.ts';
import { answerOf, type CardStage, dollars, type Purchase } from './card-stage.ts';
import type { PricedProduct } from './list-priced-product.ts';

/** One call: reserved, asked, captured, shown. */
export async function buyFromWallet(
  { story, keys }: CardStage,
  { listingId, priceCents }: PricedProduct,
  buyer: MarketplaceClient,
): Promise<Purchase> {
  story.chapter('A purchase from the wallet');
  const before = await buyer.getWalletBalance();
  const purchase = await buyListing(
    buyer,
    { id: listingId, priceCents },
    { query: { harbour: 'Lisbon' }, paymentMethod: 'wallet' },
  );
  const { balanceCents } = await buyer.getWalletBalance();
  story.fact('answer', answerOf(purchase));
  story.fact('balance', `${dollars(before.balanceCents)} → ${dollars(balanceCents)}`);
  story.fact('fee', `${dollars(purchase.platformFeeCents)}, paid by the seller; the buyer pays no fee`);
  story.check(before.balanceCents - balanceCents === priceCents, 'the buyer paid exactly the price');
  story.check(purchase.status === 'held', "the money is in escrow: the purchase is 'held'");
  const checked = await withoutNetwork(() => verifyPurchaseReceipt(purchase, keys));
  story.check(
    checked.valid && checked.content === 'matches' && checked.statement.amountCents === priceCents,
    'the receipt verifies offline and binds the price and this content',
  );
  return purchase;
}
