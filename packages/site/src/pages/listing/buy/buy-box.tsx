import { meteredPriceText, microsText } from '@agent-marketplace/protocol/metered-units.ts';
import type { Operations } from '@agent-marketplace/sdk';
import { Ledger } from '../../../components/ledger.tsx';
import { SellerText } from '../../../components/text.tsx';
import { count, countNoun, instant, money, price } from '../../../format/figures.ts';
import type { QueryForm } from '../../../query-form/query-field.ts';
import { feeSplit } from '../fee-split.ts';
import { PayWays, paymentObstacle } from './pay-ways.tsx';
import { type FilledForm, QueryFields } from './query-fields.tsx';

type Detail = Operations['getListing']['output'];
type Meta = Operations['getMeta']['output'];

const BAND_NAMES = {
  micro: 'micro band',
  standard: 'standard band',
  high_ticket: 'high-ticket band',
} as const;

/** Buyers of this vertical sign an attestation, which the form does not take. */
const PERSONAL_HEALTH = 'personal-health';

export interface BuyBoxProps extends FilledForm {
  readonly detail: Detail;
  readonly meta: Meta | null;
  readonly form: QueryForm;
  /** What is wrong with the query as a whole. */
  readonly formFault: string | null;
  readonly apiBaseUrl: string;
  /** Repeating the form with it buys once. */
  readonly orderKey: string;
  readonly email: string;
}

/** What the button says: the amount that moves. */
const buyLabel = (priceCents: number): string =>
  priceCents === 0 ? 'Ask the seller now' : `Buy for ${money(priceCents)}`;

/** Why nothing can be bought here now; null where it can. */
export function obstacleOf(detail: Detail): string | null {
  const { status, exclusiveSold, maxCopies, soldCount, verticalSlug, meter, priceCents } = detail.listing;
  if (status !== 'active') return 'It is not for sale now.';
  if (exclusiveSold || (maxCopies !== null && soldCount >= maxCopies)) return 'Sold out.';
  if (meter !== null) return 'It is priced by units: an agent asks it on a tab, or pays from its wallet.';
  if (verticalSlug === PERSONAL_HEALTH)
    return 'Personal health data needs a signed attestation of its use: buy it with an API key, as the code below does.';
  return priceCents === 0 ? null : paymentObstacle(detail);
}

/** The price, the query and the button. On a phone, a bar at the bottom leads here. */
export function BuyBox({
  detail,
  meta,
  form,
  formFault,
  values,
  faults,
  apiBaseUrl,
  orderKey,
  email,
}: BuyBoxProps) {
  const { listing } = detail;
  const { id, priceCents, priceMicros, meter, maxCopies, soldCount } = listing;
  const obstacle = obstacleOf(detail);
  const { inputSchema, exampleQuery, queryRequired } = listing;
  return (
    <aside class="sheet stack buy-box" aria-label="Buy">
      <div class="stack close">
        <p class="offer-price">{meter === null ? price(priceCents) : meteredPriceText(meter)}</p>
        {meter !== null && (
          <p class="fine">
            A <a href="/docs/tabs">tab</a> is charged for what the seller used for your query, and never for
            more.
          </p>
        )}
        {meter === null && priceMicros !== null && (
          <p class="fine">
            {microsText(priceMicros)} a query on a <a href="/docs/tabs">tab</a>. One that is paid for by
            itself is charged in whole cents.
          </p>
        )}
        <p class="fine">{chargeText(listing)}</p>
        {detail.x402Path !== null && priceCents > 0 && (
          <p class="fine">
            Agents pay in USDC without an account: by <a href="/docs/x402">x402</a>,{' '}
            <a href="/docs/mpp">MPP</a> or <a href="/docs/paid-tool-calls">a tool call</a>.
          </p>
        )}
        {maxCopies !== null && soldCount < maxCopies && (
          <p class="fine">{countNoun(maxCopies - soldCount, 'copy', 'copies')} left.</p>
        )}
      </div>
      {obstacle !== null && <p class="note stop attention">{obstacle}</p>}
      {obstacle === null && (
        <form
          id="try"
          class="stack"
          method="post"
          action={`/listings/${id}#outcome`}
          novalidate
          data-api={apiBaseUrl}
          data-listing={id}
          data-price={String(priceCents)}
          data-now={new Date().toISOString()}
          data-ask={JSON.stringify({ inputSchema, exampleQuery, queryRequired })}
        >
          <h2>Try it</h2>
          {form.fields.length > 0 && exampleQuery !== null && (
            <p class="fine">The seller’s example is filled in: change it as you like.</p>
          )}
          {form.rules !== '' && (
            <p class="fine">
              <SellerText text={form.rules} />
            </p>
          )}
          <QueryFields fields={form.fields} values={values} faults={faults} />
          <p class="field-error" id="query-fault" role="alert" hidden={formFault === null}>
            {formFault}
          </p>
          <input type="hidden" name="order" value={orderKey} />
          <input type="hidden" name="price" value={String(priceCents)} />
          {priceCents > 0 && <PayWays detail={detail} email={email} />}
          <button type="submit">{buyLabel(priceCents)}</button>
          <div id="order-status" role="status" />
        </form>
      )}
      {priceCents > 0 && meta && <Split meta={meta} priceCents={priceCents} />}
      <p class="fine">
        <a href={`/contact?category=report&subject=listing%20${id}`}>Report this listing</a> · version{' '}
        {count(listing.version)} of {instant(listing.lastModified ?? listing.createdAt)}
      </p>
    </aside>
  );
}

function chargeText({ priceCents, fulfilment }: Detail['listing']): string {
  if (priceCents === 0)
    return 'Nothing is charged, and you need no account. The seller is asked as you wait.';
  const escrow = fulfilment === 'physical' ? '72 hours after it is shipped' : '72 hours later';
  return `In all, fees included. It is reserved as you pay, and charged only when the seller delivers. The seller is paid ${escrow}, unless you open a dispute.`;
}

function Split({ meta, priceCents }: { meta: Meta; priceCents: number }) {
  const { band, buyerPaysCents, feeCents, sellerGetsCents } = feeSplit(meta, priceCents);
  return (
    <details>
      <summary>Who gets what</summary>
      <Ledger
        rows={[
          { label: 'Seller gets', value: money(sellerGetsCents) },
          { label: `Fee, ${BAND_NAMES[band]}`, value: money(feeCents) },
          { label: 'You pay', value: money(buyerPaysCents), isTotal: true },
        ]}
      />
    </details>
  );
}

/** On a phone: the price and where to buy, always in reach. */
export function BuyBar({ detail }: { detail: Detail }) {
  if (obstacleOf(detail) !== null) return null;
  const { listing } = detail;
  return (
    <p class="buy-bar">
      <span class="offer-price">{price(listing.priceCents)}</span>
      <a class="button" href="#try">
        {buyLabel(listing.priceCents)}
      </a>
    </p>
  );
}
