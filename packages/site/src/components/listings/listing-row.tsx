import { meteredPriceText } from '@agent-marketplace/protocol/metered-units.ts';
import type { Operations } from '@agent-marketplace/sdk';
import { count, countNoun, listingPrice, seconds, wholePercent } from '../../format/figures.ts';
import { oneLine } from '../../format/text.ts';
import { Rows } from '../row.tsx';
import { SellerText } from '../text.tsx';
import { ListingPicture } from './listing-picture.tsx';

export type ListingSummary = Operations['browseListings']['output']['listings'][number];

const MAX_TITLE_LENGTH = 160;
const MAX_DESCRIPTION_LENGTH = 180;

/** Listings as rows: title, one line, what is known of seller and quality, and the price. */
export function ListingRows({ listings }: { listings: readonly ListingSummary[] }) {
  return (
    <Rows
      rows={listings.map((listing) => ({
        href: `/listings/${listing.id}`,
        title: <SellerText text={oneLine(listing.title, MAX_TITLE_LENGTH) || 'Untitled'} />,
        isForSale: true,
        line: <SellerText text={oneLine(listing.description, MAX_DESCRIPTION_LENGTH)} />,
        facts: factsOf(listing),
        icon: <ListingPicture listing={listing} />,
        price: listing.meter ? meteredPriceText(listing.meter) : listingPrice(listing),
      }))}
    />
  );
}

function factsOf(listing: ListingSummary) {
  const { sellerName, verticalName, ratingAvg, ratingCount, soldCount, listingType, measured } = listing;
  return [
    <SellerText text={oneLine(sellerName, 40)} />,
    ...(ratingCount > 0 ? [<Rating value={ratingAvg} count={ratingCount} />] : []),
    ...(measured?.successRate != null
      ? [
          <>
            <b>{wholePercent(measured.successRate)}</b> delivered
          </>,
        ]
      : []),
    ...(measured?.p50Ms != null ? [<>{seconds(measured.p50Ms)} typical</>] : []),
    ...(soldCount > 0 ? [countNoun(soldCount, 'sale')] : []),
    ...(listing.isSample ? ['Reference listing'] : []),
    ...(listingType === 'standard' ? [] : [listingType === 'limited' ? 'Limited copies' : 'Sold once']),
    verticalName,
  ];
}

/** `★ 4.8 (12)`, in words for readers of screens. */
function Rating({ value, count: ratings }: { value: number; count: number }) {
  return (
    <>
      <span aria-hidden="true">
        <span class="stars">★</span> <b>{value.toFixed(1)}</b> ({count(ratings)})
      </span>
      <span class="visually-hidden">
        Rated {value.toFixed(1)} of 5 by {countNoun(ratings, 'buyer')}
      </span>
    </>
  );
}
