import { MarketplaceError, type Operations } from '@agent-marketplace/sdk';
import { nullIfUnavailable } from '../api/null-if-unavailable.ts';
import { JsonFigure } from '../components/code.tsx';
import { Facts } from '../components/ledger.tsx';
import { notice } from '../components/notice.tsx';
import { SaleSteps } from '../components/sale/sale-steps.tsx';
import { SellerText } from '../components/text.tsx';
import { Instant } from '../components/time.tsx';
import { attachmentsOf } from '../format/attachments-of.ts';
import { price } from '../format/figures.ts';
import { oneLine, platformLink, titleClass } from '../format/text.ts';
import { errorText, isAnswered } from '../order/error-text.ts';
import { type SaleFacts, stepsOfSale } from '../order/sale-steps.ts';
import { definePage, type PageAnswer, type PageView, type Visit } from '../page.ts';
import { Content, Receipt } from './purchase/content.tsx';
import { DisputePart } from './purchase/dispute.tsx';
import { Evidence } from './purchase/evidence.tsx';
import { isCollectable, type Purchase, type StateText, stateOf } from './purchase/states.ts';

type Listing = Operations['getListing']['output']['listing'];

/** A seller has 30 seconds to deliver. */
const DELIVERY_TIMEOUT_MS = 45_000;

interface PageData {
  readonly purchase: Purchase;
  readonly state: StateText;
  readonly awaitsShipment: boolean;
  readonly listing: Listing | null;
  /** What both sides of a dispute say; null: nobody disputes it. */
  readonly evidence: Operations['getDispute']['output'] | null;
  readonly fileUrl: (path: string) => string;
  readonly action: string;
  readonly apiBaseUrl: string;
  readonly isContentFetched: boolean;
  readonly refusal: string | null;
  /** The reader opened the dispute just now. */
  readonly isDisputeNew: boolean;
}

/** One purchase, for the person who has its link. Opening it calls no seller and charges nothing. */
export const purchasePage = definePage({
  path: '/purchases/{id}',
  async get(visit) {
    const purchase = await readPurchase(visit);
    if (isClosed(purchase)) return closedPurchase(purchase);
    return view(visit, purchase, { isDisputeNew: visit.url.searchParams.has('disputed') });
  },
  async post(visit): Promise<PageAnswer> {
    const { api, files, form } = visit;
    const input = purchaseInput(visit);
    try {
      if (form.get('do') === 'dispute') {
        await api.disputePurchase({ ...input, reason: form.get('reason') ?? '' });
        return { redirect: `${visit.url.pathname}?${tokenQuery(visit, { disputed: '1' })}` };
      }
      if (form.get('do') === 'say') {
        const attachments = await attachmentsOf(files);
        await api.addDisputeStatement({ ...input, body: form.get('message') ?? '', attachments });
        return { redirect: `${visit.url.pathname}?${tokenQuery(visit)}#evidence` };
      }
      const purchase = await api.getPurchase(input, { timeoutMs: DELIVERY_TIMEOUT_MS });
      return await view(visit, purchase, { isContentFetched: true });
    } catch (error) {
      if (!isAnswered(error)) throw error;
      const now = await readPurchase(visit);
      if (isClosed(now)) return closedPurchase(now);
      return { ...(await view(visit, now, { refusal: errorText(error) })), status: error.status };
    }
  },
});

function purchaseInput({ params, url }: Visit) {
  const { id: purchaseId = '' } = params;
  return { purchaseId, token: url.searchParams.get('token') ?? '' };
}

function tokenQuery({ url }: Visit, more: Record<string, string> = {}): URLSearchParams {
  return new URLSearchParams({ token: url.searchParams.get('token') ?? '', ...more });
}

/** Why a link opens nothing. Wrong token or unknown purchase: both look the same to somebody who only has a link. */
type ClosedLink = 'expired' | 'invalid';

/** Reads the purchase without calling the seller. */
async function readPurchase(visit: Visit): Promise<Purchase | ClosedLink> {
  try {
    return await visit.api.getPurchase({ ...purchaseInput(visit), content: 'omit' });
  } catch (error) {
    if (!(error instanceof MarketplaceError)) throw error;
    if (error.code === 'purchase_link_expired') return 'expired';
    if ([400, 401, 403, 404].includes(error.status)) return 'invalid';
    throw error;
  }
}

function isClosed(read: Purchase | ClosedLink): read is ClosedLink {
  return typeof read === 'string';
}

function closedPurchase(link: ClosedLink): PageView {
  if (link === 'expired') return expiredLink();
  return notice({
    title: 'This link opens no purchase',
    description: 'The page of a purchase opens only with its full link.',
    status: 404,
    lead: 'It may be incomplete, or belong to something else.',
    next: (
      <>
        <p>
          Open the full link, as the checkout page or your agent gave it to you: it ends in{' '}
          <code>token=</code> and a long row of letters and digits.
        </p>
        <p>
          If your agent bought it, its API key opens it under <a href="/purchases">Purchases</a> in the buyer
          console.
        </p>
      </>
    ),
  });
}

function expiredLink(): PageView {
  return notice({
    title: 'This link has expired',
    description: 'The link of a purchase opens its page for 180 days.',
    status: 403,
    lead: 'The link of a purchase opens its page for 180 days. The purchase itself is unchanged.',
    next: (
      <>
        <p>
          If your agent bought it, its API key opens it under <a href="/purchases">Purchases</a> in the buyer
          console.
        </p>
        <p>
          If you paid without an account, <a href="/contact">write to us</a> with the receipt of the purchase.
        </p>
      </>
    ),
  });
}

async function view(visit: Visit, purchase: Purchase, more: Partial<PageData>): Promise<PageView> {
  const isDisputed = purchase.dispute !== null || purchase.chargeback !== null;
  const [found, evidence] = await Promise.all([
    nullIfUnavailable(visit.api.getListing({ listingId: purchase.listingId })),
    isDisputed ? nullIfUnavailable(visit.api.getDispute(purchaseInput(visit))) : null,
  ]);
  const listing = found?.listing ?? null;
  const isPhysical = purchase.shipBy !== null || listing?.fulfilment === 'physical';
  const awaitsShipment = isPhysical && purchase.shipment === null;
  const state = stateOf({ ...purchase, awaitsShipment });
  const data: PageData = {
    purchase,
    state,
    awaitsShipment,
    listing,
    evidence,
    fileUrl: (path) => `${visit.apiBaseUrl}${path}?${tokenQuery(visit)}`,
    action: `${visit.url.pathname}?${tokenQuery(visit)}`,
    apiBaseUrl: visit.apiBaseUrl,
    isContentFetched: false,
    refusal: null,
    isDisputeNew: false,
    ...more,
  };
  // Only this answer has the fetched content: a refresh would remove it while the reader looks at it.
  const isLive = state.pollSeconds !== null && !data.isContentFetched && data.refusal === null;
  return {
    title: 'Your purchase',
    description: 'The state of one purchase, its content and its receipt.',
    isPrivate: true,
    scripts: [...(isLive ? ['live'] : []), 'copy', 'purchase'],
    main: <PurchaseMain data={data} />,
  };
}

function PurchaseMain({ data }: { data: PageData }) {
  const { purchase, state, listing, refusal, isContentFetched, apiBaseUrl } = data;
  return (
    <div class="sections">
      <div class="page-head" aria-live="polite" data-live="state" data-every={state.pollSeconds ?? undefined}>
        <p class="overline">{state.title}</p>
        <h1 class={listing ? titleClass(listing.title) : undefined}>
          {listing ? <SellerText text={oneLine(listing.title, 160) || 'Untitled'} /> : 'Your purchase'}
        </h1>
        <p class="lead">{state.meaning}</p>
        <NextStep data={data} />
      </div>
      <div data-live="steps">
        <SaleSteps steps={stepsOfSale(saleFacts(data))} />
      </div>
      {data.isDisputeNew && purchase.dispute?.status === 'open' && (
        <p class="note" role="status">
          Your dispute is open. The money stays in escrow until the operator decides.
        </p>
      )}
      {refusal !== null && (
        <p class="note stop" role="alert">
          {refusal}
        </p>
      )}
      <div class="grid bought">
        <div class="sections span-8">
          {isContentFetched && <Content purchase={purchase} />}
          {!canOpenDispute(purchase) && <LiveDispute data={data} />}
          {data.evidence && <Evidence dispute={data.evidence} action={data.action} fileUrl={data.fileUrl} />}
          <div data-live="receipt">
            <Receipt purchase={purchase} apiBaseUrl={apiBaseUrl} />
          </div>
          {canOpenDispute(purchase) && <LiveDispute data={data} />}
        </div>
        <div class="span-4" data-live="entry">
          <RecordedSale data={data} />
        </div>
      </div>
    </div>
  );
}

function saleFacts({ purchase, awaitsShipment }: PageData): SaleFacts {
  const { shipment, dispute, chargeback } = purchase;
  return {
    ...purchase,
    awaitsShipment,
    shippedAt: shipment?.shippedAt ?? null,
    isDisputed: dispute?.status === 'open' || chargeback?.status === 'open',
  };
}

/** A possible dispute comes last on the page, an open one first. */
const canOpenDispute = ({ status, dispute }: Purchase) => status === 'held' && dispute === null;

function LiveDispute({ data: { purchase, action } }: { data: PageData }) {
  return (
    <div data-live="dispute">
      <DisputePart purchase={purchase} action={action} />
    </div>
  );
}

function NextStep({ data: { purchase, action, isContentFetched } }: { data: PageData }) {
  const checkout = platformLink(purchase.checkoutUrl);
  if (checkout !== null) {
    return (
      <p class="actions">
        <a class="button" href={checkout} rel="noreferrer">
          Pay {price(purchase.amountCents)}
        </a>
      </p>
    );
  }
  if (purchase.contentStatus === 'ended' && !isContentFetched)
    return (
      <p class="note">
        The content is not fetched any more: the link of a purchase without a key brings it for 30 days. The
        receipt stays good.
      </p>
    );
  if (!isCollectable(purchase)) return null;
  return (
    <form class="actions" method="post" action={action}>
      <button type="submit" name="do" value="show" class={isContentFetched ? 'quiet' : undefined}>
        {isContentFetched ? 'Fetch it again' : 'Show the content'}
      </button>
      {!isContentFetched && (
        <span class="soft">
          The marketplace fetches it live from the seller. This may take up to 30 seconds.
        </span>
      )}
    </form>
  );
}

const RAILS: Readonly<Record<Purchase['rail'], string>> = {
  checkout: 'card, on the checkout page',
  card: 'saved card',
  wallet: 'wallet',
  x402: 'USDC on Base',
};

function RecordedSale({ data: { purchase, listing } }: { data: PageData }) {
  const { id, amountCents, createdAt, deliveredAt, holdUntil, shipment, failureCode, contentDigest } =
    purchase;
  const { shipBy, chargeback } = purchase;
  const isHeld = purchase.status === 'held' && purchase.dispute === null && chargeback?.status !== 'open';
  return (
    <section class="stack" aria-labelledby="entry">
      <h2 id="entry">Recorded sale</h2>
      <Facts
        rows={[
          ['Price', price(amountCents)],
          ...(amountCents > 0 ? [['Paid by', RAILS[purchase.rail]] as const] : []),
          ...(listing
            ? [
                ['Sold by', <SellerText text={oneLine(listing.sellerName)} />] as const,
                ['Listing', <a href={`/listings/${listing.id}`}>Open the listing</a>] as const,
              ]
            : []),
          ['Ordered', <Instant iso={createdAt} />],
          ...(deliveredAt ? [['Delivered', <Instant iso={deliveredAt} />] as const] : []),
          ...(isHeld && holdUntil ? [['In escrow until', <Instant iso={holdUntil} />] as const] : []),
          ...(isHeld && shipBy && !shipment
            ? [
                [
                  'Ship by',
                  <span>
                    <Instant iso={shipBy} />, or you get your money back
                  </span>,
                ] as const,
              ]
            : []),
          ...(chargeback
            ? [['Disputed at the bank since', <Instant iso={chargeback.openedAt} />] as const]
            : []),
          ...(shipment
            ? [['Shipped', <SellerText text={`${shipment.carrier}, ${shipment.trackingNumber}`} />] as const]
            : []),
          ...(failureCode ? [['Reason it ended', <code>{failureCode}</code>] as const] : []),
          ...(contentDigest ? [['Content digest', <span class="mono">{contentDigest}</span>] as const] : []),
          ['Purchase', <span class="mono">{id}</span>],
        ]}
      />
      {purchase.query !== null && (
        <details>
          <summary>Your query to the seller</summary>
          <JsonFigure label="Query" value={purchase.query} />
        </details>
      )}
      <p class="fine">Anyone who has the address of this page can do the same as you: keep it private.</p>
    </section>
  );
}
