import { type MarketplaceClient, verifyRatingAttestation } from '@agent-marketplace/sdk';
import { withoutNetwork } from '../stage.ts';
import type { CardStage, Purchase } from './card-stage.ts';
import type { PricedProduct } from './list-priced-product.ts';

/** Who paid may rate, without a name, and anyone can check that somebody paid. */
export async function ratePurchase(
  { story, keys, stranger }: CardStage,
  { listingId }: PricedProduct,
  buyer: MarketplaceClient,
  purchase: Purchase,
): Promise<void> {
  story.chapter('The buyer rates the purchase');
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
    'it does not reveal the buyer or the purchase',
  );

  const [seen, mine] = await withoutNetwork(() =>
    Promise.all([verifyRatingAttestation({ ...shown, listingId }, keys), verifyRatingAttestation(own, keys)]),
  );
  story.check(seen.valid, 'its attestation verifies offline: it is from a paying buyer of this listing');
  const isMine = mine.valid && mine.purchase === 'matches';
  story.check(isMine, 'with its salt, the buyer can prove that it is for this purchase');
}
