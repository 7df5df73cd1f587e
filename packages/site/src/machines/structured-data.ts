import type { Operations } from '@agent-marketplace/sdk';
import { oneLine } from '../format/text.ts';
import { largePictures, previewOf } from '../pictures/picture-of.ts';

type Listing = Operations['getListing']['output']['listing'];

const MAX_NAME_LENGTH = 150;
const MAX_DESCRIPTION_LENGTH = 500;

/** A listing as schema.org's `Product` with its `Offer` and, where buyers rated it, its `AggregateRating`. */
export function productOf(listing: Listing, origin: string): object {
  const { id, title, description, priceCents, sellerName, ratingAvg, ratingCount, verticalName } = listing;
  const isSoldOut =
    listing.exclusiveSold || (listing.maxCopies !== null && listing.soldCount >= listing.maxCopies);
  const url = `${origin}/listings/${id}`;
  return {
    '@context': 'https://schema.org',
    '@type': 'Product',
    name: oneLine(title, MAX_NAME_LENGTH),
    description: oneLine(description, MAX_DESCRIPTION_LENGTH),
    sku: id,
    url,
    image: imagesOf(listing).map((path) => origin + path),
    category: verticalName,
    offers: {
      '@type': 'Offer',
      url,
      price: (priceCents / 100).toFixed(2),
      priceCurrency: 'USD',
      availability: `https://schema.org/${isSoldOut || listing.status !== 'active' ? 'OutOfStock' : 'InStock'}`,
      seller: { '@type': 'Organization', name: oneLine(sellerName, MAX_NAME_LENGTH) },
    },
    ...(ratingCount > 0
      ? {
          aggregateRating: {
            '@type': 'AggregateRating',
            ratingValue: ratingAvg.toFixed(1),
            ratingCount,
            bestRating: 5,
            worstRating: 1,
          },
        }
      : {}),
  };
}

function imagesOf(listing: Listing): string[] {
  const own = largePictures(listing).map(({ path }) => path);
  return own.length > 0 ? own : [previewOf(listing).path];
}

/** JSON that cannot end the script element it stands in, and that no reader of HTML takes for markup. */
export function scriptJson(value: object): string {
  return JSON.stringify(value).replaceAll(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
