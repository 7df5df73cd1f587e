import { type MarketplaceClient, verifyPurchaseReceipt, waitForPurchase } from '@agent-marketplace/sdk';
import { enterCard } from '../../card-processor/visitor.ts';
import { withoutNetwork } from '../stage.ts';
import { StepFailed } from '../story.ts';
import type { PricedShop } from './open-priced-shop.ts';
import { answerOf, dollars, type Purchase, type Till } from './till.ts';

const CARD = '4242424242424242';

/** A person pays with a card; the buyer collects. */
export async function buyAtCheckout(
  { story, keys, cards }: Till,
  { listingId, priceCents }: PricedShop,
  buyer: MarketplaceClient,
): Promise<Purchase> {
  story.chapter('Bought on a checkout page');
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
    'the seller has not been asked, and nothing is shown',
  );
  const visit = await enterCard(checkoutUrl, CARD);
  story.check(visit.location !== null, `a person enters the card ${CARD}: the money is only reserved`);
  const { pathname, search } = new URL(visit.location ?? '', checkoutUrl);
  story.page(pathname + search);
  await cards.control.webhooks.settled();

  const purchase = await waitForPurchase(buyer, purchaseId);
  story.fact('collects', 'the first GET asks the seller, captures the money, and only then shows');
  story.fact('answer', answerOf(purchase));
  story.check(purchase.status === 'held', `${dollars(priceCents)} are captured, and in escrow`);
  const checked = await withoutNetwork(() => verifyPurchaseReceipt(purchase, keys));
  story.check(checked.valid && checked.content === 'matches', 'its receipt verifies offline, too');
  return purchase;
}
