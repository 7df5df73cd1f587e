import type { Operations } from '@agent-marketplace/sdk';
import { SellerText } from '../../components/text.tsx';
import { count, countNoun } from '../../format/figures.ts';
import { oneLine } from '../../format/text.ts';
import { share } from './days.tsx';

type Detail = Operations['getListing']['output'];

const MAX_NAME_LENGTH = 60;

/** Who sells it and how that went, in one line. */
export function SellerLine({ listing, seller, ratings }: Pick<Detail, 'listing' | 'seller' | 'ratings'>) {
  const { measured, soldCount, purchaseCount } = listing;
  const seconds = measured?.p50Ms == null ? null : `${(measured.p50Ms / 1000).toFixed(1)} s`;
  return (
    <p class="entry-facts seller-line">
      <span>
        by{' '}
        <a href="#seller">
          <SellerText text={oneLine(seller.name, MAX_NAME_LENGTH) || 'a seller'} />
        </a>
      </span>
      {seller.badges.map((badge) => (
        <span>{badge}</span>
      ))}
      {ratings.count > 0 && (
        <span>
          <a href="#ratings">
            {ratings.average.toFixed(1)} of 5, {countNoun(ratings.count, 'rating')}
          </a>
        </span>
      )}
      {measured?.successRate != null && <span>{share(measured.successRate)} succeed, at least</span>}
      {seconds !== null && <span>half arrive within {seconds}</span>}
      <span>{countNoun(soldCount, 'sale')}</span>
      {purchaseCount > soldCount && <span>{count(purchaseCount)} answers in all</span>}
    </p>
  );
}
