import type { MarketplaceClient } from '@agent-marketplace/sdk';
import { enterCard } from '../../card-processor/visitor.ts';
import { type CardStage, dollars } from './card-stage.ts';

const AMOUNT_CENTS = 5000;
/** The money of this card is available at once; that of other cards takes two days. */
const CARD = '4000000000000077';

/** A buyer whose person fills its wallet once, so that it can buy by itself. */
export async function topUpWallet({ story, cards, stranger }: CardStage): Promise<MarketplaceClient> {
  story.chapter('A buyer tops up its wallet');
  const { apiKey } = await stranger.registerAgent({ name: 'Skipper' });
  const buyer = stranger.withApiKey(apiKey);
  const { checkoutUrl } = await buyer.fundWallet({ amountCents: AMOUNT_CENTS });
  story.fact('opens', checkoutUrl);
  const before = await buyer.getWalletBalance();
  const isOpen = before.openTopUps.map((topUp) => topUp.amountCents).join() === String(AMOUNT_CENTS);
  story.check(
    before.balanceCents === 0 && isOpen && before.availableToFundCents === before.capCents,
    `the balance is still zero; until it is paid the page takes nothing of the cap of ${dollars(before.capCents)}`,
  );

  const visit = await enterCard(checkoutUrl, CARD);
  story.check(visit.location !== null, `a person pays there with the test card ${CARD}`);
  await cards.control.webhooks.settled();
  const { balanceCents } = await buyer.getWalletBalance();
  story.fact('balance', dollars(balanceCents));
  story.page('/wallet');
  story.check(balanceCents === AMOUNT_CENTS, 'the credit is there when the signed webhook has arrived');
  return buyer;
}
