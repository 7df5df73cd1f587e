import { buyAtCheckout } from './money/buy-at-checkout.ts';
import { buyFromWallet } from './money/buy-from-wallet.ts';
import { listPricedProduct } from './money/list-priced-product.ts';
import { ratePurchase } from './money/rate-purchase.ts';
import { refuseToPay } from './money/refuse-to-pay.ts';
import { releaseEscrow } from './money/release-escrow.ts';
import { topUpWallet } from './money/top-up-wallet.ts';
import type { Stage } from './stage.ts';

/** Priced sales, from the card on a hosted page to the seller's payout; nothing is charged without a delivery. */
export async function moveMoney(stage: Stage): Promise<void> {
  const { story, cards } = stage;
  if (cards === null) {
    story.chapter('Money');
    story.say('Skipped: real Stripe keys are set, so a person would have to fill in the hosted pages.');
    return;
  }
  const cardStage = { ...stage, cards };
  const product = await listPricedProduct(cardStage);
  const buyer = await topUpWallet(cardStage);
  const fromWallet = await buyFromWallet(cardStage, product, buyer);
  const atCheckout = await buyAtCheckout(cardStage, product, buyer);
  await refuseToPay(cardStage, buyer);
  await releaseEscrow(cardStage, product, buyer, [fromWallet, atCheckout]);
  await ratePurchase(cardStage, product, buyer, fromWallet);
}
