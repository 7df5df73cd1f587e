import type { Operations } from '@agent-marketplace/sdk';
import { countNoun, price } from '../format/figures.ts';
import { oneLine } from '../format/text.ts';
import { Stars } from './stars.tsx';
import { SellerText } from './text.tsx';

export type ListingSummary = Operations['browseListings']['output']['listings'][number];

const MAX_TITLE_LENGTH = 160;
const MAX_DESCRIPTION_LENGTH = 180;

/** Listings as rows: title, seller and price. */
export function ListingRows({ listings }: { listings: readonly ListingSummary[] }) {
  return (
    <ul class="entries">
      {listings.map((listing) => (
        <Entry listing={listing} />
      ))}
    </ul>
  );
}

function Entry({ listing }: { listing: ListingSummary }) {
  const { id, title, description, priceCents, sellerName, verticalName, ratingAvg, ratingCount, soldCount } =
    listing;
  return (
    <li class="entry">
      <div class="entry-what">
        <h3>
          <a href={`/listings/${id}`}>
            <SellerText text={oneLine(title, MAX_TITLE_LENGTH) || 'Untitled'} />
          </a>
        </h3>
        <p class="soft">
          <SellerText text={oneLine(description, MAX_DESCRIPTION_LENGTH)} />
        </p>
        <p class="entry-facts fine">
          <span>
            <SellerText text={oneLine(sellerName)} />
          </span>
          <span>{verticalName}</span>
          {listing.isSample && <span>reference listing</span>}
          {listing.listingType !== 'standard' && <span>{listing.listingType}</span>}
          {soldCount > 0 && <span>{countNoun(soldCount, 'sale')}</span>}
          {ratingCount > 0 && (
            <span>
              <Stars value={ratingAvg} count={ratingCount} />
            </span>
          )}
        </p>
      </div>
      <p class="entry-price">{price(priceCents)}</p>
    </li>
  );
}
