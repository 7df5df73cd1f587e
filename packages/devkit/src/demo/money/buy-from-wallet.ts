import { type MarketplaceClient, verifyPurchaseReceipt } from '@agent-marketplace/sdk';
import { withoutNetwork } from '../stage.ts';
import type { PricedShop } from './open-priced-shop.ts';
import { answerOf, dollars, type Purchase, type Till } from './till.ts';

/** One call: reserved, asked, captured, shown. */
export async function buyFromWallet(
  { story, keys }: Till,
  { listingId, priceCents }: PricedShop,
  buyer: MarketplaceClient,
): Promise<Purchase> {
  story.chapter('Bought from the wallet');
  const before = await buyer.getWalletBalance();
  const purchase = await buyer.purchaseListing({
    listingId,
    query: { harbour: 'Lisbon' },
    paymentMethod: 'wallet',
  });
  const { balanceCents } = await buyer.getWalletBalance();
  story.fact('answer', answerOf(purchase));
  story.fact('balance', `${dollars(before.balanceCents)} → ${dollars(balanceCents)}`);
  story.fact('fee', `${dollars(purchase.platformFeeCents)}, the seller's; nothing is added for the buyer`);
  story.check(before.balanceCents - balanceCents === priceCents, 'it cost its price, and nothing more');
  story.check(purchase.status === 'held', "the money is in escrow: the purchase is 'held'");
  const checked = await withoutNetwork(() => verifyPurchaseReceipt(purchase, keys));
  story.check(
    checked.valid && checked.content === 'matches' && checked.statement.amountCents === priceCents,
    'the receipt verifies offline, and binds the price and this content',
  );
  return purchase;
}
