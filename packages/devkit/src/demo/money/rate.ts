import { type MarketplaceClient, verifyRatingAttestation } from '@agent-marketplace/sdk';
import { withoutNetwork } from '../stage.ts';
import type { PricedShop } from './open-priced-shop.ts';
import type { Purchase, Till } from './till.ts';

/** Who paid may rate, without a name, and anyone can check that somebody paid. */
export async function rateWhatWasBought(
  { story, keys, stranger }: Till,
  { listingId }: PricedShop,
  buyer: MarketplaceClient,
  purchase: Purchase,
): Promise<void> {
  story.chapter('The buyer rates it');
  const own = await buyer.rateListing({
    listingId,
    purchaseId: purchase.id,
    rating: 5,
    comment: 'Right to the minute.',
  });
  const { ratings, average, total } = await stranger.listRatings({ listingId });
  const [shown] = ratings;
  story.fact('rating', `${'★'.repeat(own.rating)} “${own.comment}”; ${total} in all, ${average} on average`);
  const publicly = JSON.stringify(ratings);
  story.check(
    !publicly.includes(purchase.id) && !publicly.includes(own.salt),
    'nothing in it tells whose it is, nor of which purchase',
  );

  const [seen, mine] = await withoutNetwork(() =>
    Promise.all([verifyRatingAttestation({ ...shown, listingId }, keys), verifyRatingAttestation(own, keys)]),
  );
  story.check(seen.valid, 'its attestation verifies offline: a paying buyer of this listing left it');
  const isMine = mine.valid && mine.purchase === 'matches';
  story.check(isMine, 'and with its salt the buyer can show that it is of this purchase');
}
