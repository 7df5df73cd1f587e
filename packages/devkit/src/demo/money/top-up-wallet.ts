import type { MarketplaceClient } from '@agent-marketplace/sdk';
import { enterCard } from '../../card-processor/visitor.ts';
import { dollars, type Till } from './till.ts';

const AMOUNT_CENTS = 5000;
/** Pays at once into what the platform can pay out; other cards' money takes two days to get there. */
const CARD = '4000000000000077';

/** A buyer whose person fills its wallet once, so that it can buy by itself. */
export async function topUpWallet({ story, cards, stranger }: Till): Promise<MarketplaceClient> {
  story.chapter('A buyer fills its wallet');
  const { apiKey } = await stranger.registerAgent({ name: 'Skipper' });
  const buyer = stranger.withApiKey(apiKey);
  const { checkoutUrl } = await buyer.fundWallet({ amountCents: AMOUNT_CENTS });
  story.fact('opens', checkoutUrl);
  const before = await buyer.getWalletBalance();
  const isReserved = before.availableToFundCents === before.capCents - AMOUNT_CENTS;
  story.check(
    before.balanceCents === 0 && isReserved,
    `nothing is there yet, but its room under the cap of ${dollars(before.capCents)} is kept`,
  );

  const visit = await enterCard(checkoutUrl, CARD);
  story.check(visit.location !== null, `a person pays there with the test card ${CARD}`);
  await cards.control.webhooks.settled();
  const { balanceCents } = await buyer.getWalletBalance();
  story.fact('balance', dollars(balanceCents));
  story.page('/wallet');
  story.check(balanceCents === AMOUNT_CENTS, 'the credits are there once the signed message has arrived');
  return buyer;
}
