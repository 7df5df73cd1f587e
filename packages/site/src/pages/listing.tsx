import type { Operations } from '@agent-marketplace/sdk';
import { nullIfUnavailable } from '../api/null-if-unavailable.ts';
import { Chip } from '../components/chip.tsx';
import { JsonFigure } from '../components/code.tsx';
import { SellerProse, SellerText } from '../components/text.tsx';
import { safeLink } from '../format/text.ts';
import { productOf } from '../machines/structured-data.ts';
import { definePage } from '../page.ts';
import { previewPath } from '../pictures/picture-seed.ts';
import { History } from './listing/history.tsx';
import { Measured } from './listing/measured.tsx';
import { Offered } from './listing/offered.tsx';
import { Ratings, ratingsPage } from './listing/ratings.tsx';
import { Seller } from './listing/seller.tsx';
import { Standing } from './listing/standing.tsx';
import { WaysToBuySection } from './listing/ways-to-buy-section.tsx';

type Detail = Operations['getListing']['output'];

/** One listing, with what buyers can know before they buy. */
export const listingPage = definePage({
  path: '/listings/{id}',
  async get({ api, apiBaseUrl, params, url }) {
    const listingId = params.id ?? '';
    const [detail, quality, ratings, history, meta] = await Promise.all([
      api.getListing({ listingId }),
      nullIfUnavailable(api.getListingQuality({ listingId })),
      nullIfUnavailable(api.listRatings({ listingId, ...ratingsPage(url.searchParams) })),
      nullIfUnavailable(api.getListingHistory({ listingId })),
      nullIfUnavailable(api.getMeta()),
    ]);
    const { listing, preview, seller } = detail;
    return {
      title: listing.title,
      description: listing.description,
      preview: previewPath(listing.title),
      ...(listing.status === 'active' ? { structuredData: productOf(listing, url.origin) } : {}),
      scripts: ['copy', 'history'],
      main: (
        <article class="listing">
          <Title listing={listing} />
          <Offered listing={listing} meta={meta} />
          <div class="sections">
            <About listing={listing} preview={preview} />
            {listing.status === 'active' && <WaysToBuySection detail={detail} apiBaseUrl={apiBaseUrl} />}
            <Schemas listing={listing} />
            {listing.sellerKind === 'third_party' && (
              <Measured measured={listing.measured} quality={quality} />
            )}
            <Seller seller={seller} />
            {ratings && <Ratings ratings={ratings} address={url.pathname} />}
            {history && <History history={history} version={listing.version} apiBaseUrl={apiBaseUrl} />}
          </div>
        </article>
      ),
    };
  },
});

function Title({ listing }: { listing: Detail['listing'] }) {
  const { title, verticalName, verticalSlug, status, isSample, listingType } = listing;
  return (
    <header class="listing-head">
      <p class="overline">
        <a href={`/listings?vertical=${encodeURIComponent(verticalSlug)}`}>{verticalName}</a>
      </p>
      <h1>
        <SellerText text={title} />
      </h1>
      <ul class="chips">
        {isSample && (
          <li>
            <Chip isOn>Reference listing</Chip>
          </li>
        )}
        {listingType !== 'standard' && (
          <li>
            <Chip>{listingType === 'limited' ? 'Limited copies' : 'Sold once'}</Chip>
          </li>
        )}
        {listing.healthConsentVerified && (
          <li>
            <Chip>Consent on record</Chip>
          </li>
        )}
      </ul>
      <p class="fine">
        <a href={`/contact?category=report&subject=listing%20${listing.id}%20`}>Report this listing</a>
      </p>
      <Standing status={status} unreachableSince={listing.unreachableSince} />
    </header>
  );
}

function About({ listing, preview }: { listing: Detail['listing']; preview: Detail['preview'] }) {
  return (
    <section class="stack" aria-labelledby="about">
      <h2 id="about">What it is</h2>
      <SellerProse text={listing.description} />
      <JsonFigure
        label="Preview from the seller: the only content that the marketplace stores"
        value={preview}
      />
      {listing.images.length > 0 && (
        <>
          <p class="soft">Images, stored by the seller and not shown here:</p>
          <ul>
            {listing.images.map((address) => (
              <li>
                <Elsewhere address={address} />
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

function Elsewhere({ address }: { address: string }) {
  const link = safeLink(address);
  if (link === null) return <SellerText text={address} />;
  return (
    <a class="seller-text" href={link} rel="noopener noreferrer nofollow ugc">
      {link}
    </a>
  );
}

function Schemas({ listing: { inputSchema, outputSchema } }: { listing: Detail['listing'] }) {
  if (inputSchema === null && outputSchema === null) return null;
  return (
    <section class="stack" aria-labelledby="schemas">
      <h2 id="schemas">Input and output</h2>
      {inputSchema !== null && (
        <details>
          <summary>Query, as JSON Schema</summary>
          <JsonFigure label="inputSchema" value={inputSchema} />
        </details>
      )}
      {outputSchema !== null && (
        <details>
          <summary>Content, as JSON Schema</summary>
          <JsonFigure label="outputSchema" value={outputSchema} />
        </details>
      )}
    </section>
  );
}
