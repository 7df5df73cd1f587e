import { isJsonObject, type JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import type { Operations } from '@agent-marketplace/sdk';
import { nullIfUnavailable } from '../api/null-if-unavailable.ts';
import { Chip } from '../components/chip.tsx';
import { Drawn } from '../components/drawn.tsx';
import { FoldedProse, SellerText } from '../components/text.tsx';
import type { Outline } from '../format/outline.ts';
import { oneLine, titleClass } from '../format/text.ts';
import { productOf } from '../machines/structured-data.ts';
import { purchaseOutline } from '../order/purchase-outline.ts';
import { refusalOutline } from '../order/refusal-outline.ts';
import { refusalWords } from '../order/refusal-words.ts';
import { definePage, type PageView, type Visit } from '../page.ts';
import { previewOf } from '../pictures/picture-of.ts';
import { isWholeQuery, type QueryForm } from '../query-form/query-field.ts';
import { queryFormOf } from '../query-form/query-form.ts';
import { readQuery } from '../query-form/read-query.ts';
import { valuesOf } from '../query-form/values-of.ts';
import { BuyBar, BuyBox, obstacleOf } from './listing/buy/buy-box.tsx';
import { orderByForm } from './listing/buy/order-by-form.ts';
import type { FilledForm } from './listing/buy/query-fields.tsx';
import { History } from './listing/history.tsx';
import { Measured } from './listing/measured.tsx';
import { Pictures } from './listing/pictures.tsx';
import { Ratings, ratingsPage } from './listing/ratings.tsx';
import { Samples } from './listing/samples.tsx';
import { SchemaTable } from './listing/schema-table.tsx';
import { Seller } from './listing/seller.tsx';
import { SellerLine } from './listing/seller-line.tsx';
import { Standing } from './listing/standing.tsx';
import { WhatYouGet } from './listing/what-you-get.tsx';

/** As long as a listing of today may have it. */
const MAX_TITLE_LENGTH = 200;

type Detail = Operations['getListing']['output'];

/** What the reader typed in, and what became of it. */
interface Attempt extends FilledForm {
  readonly query: JsonObject | null;
  readonly formFault: string | null;
  readonly outcome: Outline | null;
  readonly email: string;
}

/** One listing, with what buyers can know before they buy, and the form that buys it. */
export const listingPage = definePage({
  path: '/listings/{id}',
  async get(visit) {
    const detail = await visit.api.getListing({ listingId: visit.params.id ?? '' });
    const form = queryFormOf(detail.listing);
    return view(visit, detail, form, exampleFilledIn(form, detail.listing));
  },
  /** For readers without scripts: a free listing is answered in the page, a priced one is paid on a page of the processor. */
  async post(visit) {
    const detail = await visit.api.getListing({ listingId: visit.params.id ?? '' });
    const form = queryFormOf(detail.listing);
    const values = new Map(visit.form);
    const { query, faults, formFault } = readQuery(form, (name) => values.get(name) ?? '');
    const attempt = { values, faults, query, formFault, outcome: null, email: values.get('email') ?? '' };
    if (obstacleOf(detail) !== null || faults.size > 0 || formFault !== null)
      return { ...(await view(visit, detail, form, attempt)), status: 422, isPrivate: true };
    const result = await orderByForm(visit, detail.listing, query);
    const isFree = detail.listing.priceCents === 0;
    const outcome =
      result.kind === 'ordered'
        ? purchaseOutline(result.purchase, visit.apiBaseUrl)
        : refusalOutline(refusalWords(result.facts, isFree));
    const answer = await view(visit, detail, form, { ...attempt, outcome });
    return { ...answer, status: result.kind === 'ordered' ? 200 : result.status, isPrivate: true };
  },
});

const QUERY = {
  heading: 'What a query may hold',
  label: 'Fields of the query',
  presence: 'Needed',
  source: 'JSON Schema of the query',
} as const;

function exampleFilledIn(form: QueryForm, { exampleQuery }: Detail['listing']): Attempt {
  const example = isJsonObject(exampleQuery) ? exampleQuery : null;
  const values = example === null ? new Map<string, string>() : valuesOf(form, example);
  return { values, faults: new Map(), query: example, formFault: null, outcome: null, email: '' };
}

async function view(visit: Visit, detail: Detail, form: QueryForm, attempt: Attempt): Promise<PageView> {
  const { api, apiBaseUrl, url } = visit;
  const { listing, preview, seller, ratings: rated } = detail;
  const listingId = listing.id;
  const [quality, ratings, history, meta] = await Promise.all([
    nullIfUnavailable(api.getListingQuality({ listingId })),
    nullIfUnavailable(api.listRatings({ listingId, ...ratingsPage(url.searchParams) })),
    nullIfUnavailable(api.getListingHistory({ listingId })),
    nullIfUnavailable(api.getMeta()),
  ]);
  return {
    title: listing.title,
    description: listing.description,
    preview: previewOf(listing),
    ...(listing.status === 'active' ? { structuredData: productOf(listing, url.origin) } : {}),
    scripts: ['copy', 'history', 'listing'],
    main: (
      <article class="listing">
        <header class="listing-head">
          <Title listing={listing} />
          <SellerLine listing={listing} seller={seller} ratings={rated} />
          <Standing status={listing.status} unreachableSince={listing.unreachableSince} />
        </header>
        <div class="listing-side">
          <BuyBox
            detail={detail}
            meta={meta}
            form={form}
            values={attempt.values}
            faults={attempt.faults}
            formFault={attempt.formFault}
            apiBaseUrl={apiBaseUrl}
            orderKey={crypto.randomUUID()}
            email={attempt.email}
          />
          <Seller seller={seller} />
        </div>
        <div class="sections listing-main">
          {/* The script puts here what became of an order, too. */}
          <section id="outcome" class="stack" aria-label="Your order" tabindex={-1}>
            {attempt.outcome !== null && <Drawn outline={attempt.outcome} />}
          </section>
          <Pictures listing={listing} />
          <section class="stack" aria-labelledby="about">
            <h2 id="about">What it is</h2>
            <FoldedProse text={listing.description} />
          </section>
          {form.schema !== null && isWholeQuery(form) && Object.keys(form.schema).length > 0 && (
            <section class="stack" aria-labelledby="query">
              <h2 id="query">What you ask</h2>
              <SchemaTable schema={form.schema} {...QUERY} />
            </section>
          )}
          <WhatYouGet listing={listing} preview={preview} />
          {ratings && <Ratings ratings={ratings} address={url.pathname} />}
        </div>
        <div class="sections listing-wide">
          {listing.sellerKind === 'third_party' && <Measured measured={listing.measured} quality={quality} />}
          {listing.status === 'active' && (
            <Samples listing={listing} query={attempt.query} apiBaseUrl={apiBaseUrl} />
          )}
          {history && (
            <History
              history={history}
              version={listing.version}
              apiBaseUrl={apiBaseUrl}
              now={new Date().toISOString()}
            />
          )}
        </div>
        <BuyBar detail={detail} />
      </article>
    ),
  };
}

function Title({ listing }: { listing: Detail['listing'] }) {
  const { title, verticalName, verticalSlug, isSample, listingType } = listing;
  return (
    <>
      <p class="overline">
        <a href={`/listings?vertical=${encodeURIComponent(verticalSlug)}`}>{verticalName}</a>
      </p>
      <h1 class={titleClass(title)}>
        <SellerText text={oneLine(title, MAX_TITLE_LENGTH)} />
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
        {listing.fulfilment === 'physical' && (
          <li>
            <Chip>The seller ships it</Chip>
          </li>
        )}
        {listing.healthConsentVerified && (
          <li>
            <Chip>Consent on record</Chip>
          </li>
        )}
      </ul>
    </>
  );
}
