import { buyAtCheckout } from './money/buy-at-checkout.ts';
import { buyFromWallet } from './money/buy-from-wallet.ts';
import { openPricedShop } from './money/open-priced-shop.ts';
import { passEscrow } from './money/pass-escrow.ts';
import { rateWhatWasBought } from './money/rate.ts';
import { refuseToPay } from './money/refuse-to-pay.ts';
import { topUpWallet } from './money/top-up-wallet.ts';
import type { Stage } from './stage.ts';

/** Real prices: from the card on a hosted page to the seller's payout, and nothing paid for nothing. */
export async function moveMoney(stage: Stage): Promise<void> {
  const { story, cards } = stage;
  if (cards === null) {
    story.chapter('Money');
    story.say("Left out: keys of Stripe are set, and its hosted pages are a person's to fill in.");
    return;
  }
  const till = { ...stage, cards };
  const shop = await openPricedShop(till);
  const buyer = await topUpWallet(till);
  const fromWallet = await buyFromWallet(till, shop, buyer);
  const atCheckout = await buyAtCheckout(till, shop, buyer);
  await refuseToPay(till, buyer);
  await passEscrow(till, shop, buyer, [fromWallet, atCheckout]);
  await rateWhatWasBought(till, shop, buyer, fromWallet);
}
