import { type MarketplaceClient, verifyPurchaseReceipt, waitForPurchase } from '@agent-marketplace/sdk';
import { enterCard } from '../../card-processor/visitor.ts';
import { withoutNetwork } from '../stage.ts';
import { StepFailed } from '../story.ts';
import { answerOf, type CardStage, dollars, type Purchase } from './card-stage.ts';
import type { PricedProduct } from './list-priced-product.ts';

const CARD = '4242424242424242';

/** A person pays with a card; the buyer collects. */
export async function buyAtCheckout(
  { story, keys, cards }: CardStage,
  { listingId, priceCents }: PricedProduct,
  buyer: MarketplaceClient,
): Promise<Purchase> {
  story.chapter('A purchase on a checkout page');
  const opened = await buyer.purchaseListing({
    listingId,
    query: { harbour: 'Brest' },
    paymentMethod: 'checkout',
  });
  const { id: purchaseId, checkoutUrl } = opened;
  if (checkoutUrl === null) throw new StepFailed('The purchase has no checkout page.');
  story.fact('opens', checkoutUrl);
  story.check(
    opened.status === 'pending_payment' && opened.content === null,
    'the seller is not called yet, and no content is shown',
  );
  const visit = await enterCard(checkoutUrl, CARD);
  story.check(
    visit.location !== null,
    `a person enters the card ${CARD}: the money is reserved, not charged`,
  );
  const { pathname, search } = new URL(visit.location ?? '', checkoutUrl);
  story.page(pathname + search);
  await cards.control.webhooks.settled();

  const purchase = await waitForPurchase(buyer, purchaseId);
  story.fact('collects', 'the first GET calls the seller, captures the money, and then shows the content');
  story.fact('answer', answerOf(purchase));
  story.check(purchase.status === 'held', `${dollars(priceCents)} are captured and in escrow`);
  const checked = await withoutNetwork(() => verifyPurchaseReceipt(purchase, keys));
  story.check(checked.valid && checked.content === 'matches', 'its receipt verifies offline too');
  return purchase;
}
