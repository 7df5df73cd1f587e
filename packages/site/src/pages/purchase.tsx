import { MarketplaceError, type Operations } from '@agent-marketplace/sdk';
import { ifAnswered } from '../api/if-answered.ts';
import { JsonFigure } from '../components/code.tsx';
import { Facts } from '../components/ledger.tsx';
import { SellerText } from '../components/text.tsx';
import { Instant } from '../components/time.tsx';
import { price } from '../format/figures.ts';
import { oneLine, platformLink, visibleText } from '../format/text.ts';
import { definePage, type PageAnswer, type PageView, type Visit } from '../page.ts';
import { Content, Receipt } from './purchase/content.tsx';
import { DisputePart } from './purchase/dispute.tsx';
import { isCollectable, type Purchase, type StateText, stateOf } from './purchase/states.ts';

type Listing = Operations['getListing']['output']['listing'];

/** A seller has 30 seconds to deliver. */
const DELIVERY_TIMEOUT_MS = 45_000;

interface Shown {
  readonly purchase: Purchase;
  readonly state: StateText;
  readonly listing: Listing | null;
  readonly action: string;
  readonly apiBaseUrl: string;
  readonly isContentAsked: boolean;
  readonly refusal: string | null;
  /** The reader has just objected. */
  readonly isDisputed: boolean;
}

/** One purchase, for the person whose link it is. Opening it asks no seller and charges nothing. */
export const purchasePage = definePage({
  path: '/purchases/{id}',
  async get(visit) {
    const purchase = await look(visit);
    if (purchase === null) return closedPurchase();
    return view(visit, purchase, { isDisputed: visit.url.searchParams.has('disputed') });
  },
  async post(visit): Promise<PageAnswer> {
    const { api, form } = visit;
    const whose = whoseOf(visit);
    try {
      if (form.get('do') === 'dispute') {
        await api.disputePurchase({ ...whose, reason: form.get('reason') ?? '' });
        return { redirect: `${visit.url.pathname}?${tokenQuery(visit, { disputed: '1' })}` };
      }
      const purchase = await api.getPurchase(whose, { timeoutMs: DELIVERY_TIMEOUT_MS });
      return await view(visit, purchase, { isContentAsked: true });
    } catch (error) {
      const refusal = refusalText(error);
      if (refusal === null) throw error;
      const now = await look(visit);
      if (now === null) return closedPurchase();
      return { ...(await view(visit, now, { refusal })), status: (error as MarketplaceError).status };
    }
  },
});

function whoseOf({ params, url }: Visit) {
  const { id: purchaseId = '' } = params;
  return { purchaseId, token: url.searchParams.get('token') ?? '' };
}

function tokenQuery({ url }: Visit, more: Record<string, string> = {}): URLSearchParams {
  return new URLSearchParams({ token: url.searchParams.get('token') ?? '', ...more });
}

/** How it stands, without asking the seller; null where this link opens nothing. */
async function look(visit: Visit): Promise<Purchase | null> {
  try {
    return await visit.api.getPurchase({ ...whoseOf(visit), content: 'omit' });
  } catch (error) {
    if (isClosed(error)) return null;
    throw error;
  }
}

/** No token, that of another purchase, or no such purchase: for whoever only has a link, all the same. */
function isClosed(error: unknown): boolean {
  return error instanceof MarketplaceError && [400, 401, 403, 404].includes(error.status);
}

function closedPurchase(): PageView {
  return {
    title: 'This link opens no purchase',
    description: 'The page of a purchase is opened by its whole link only.',
    status: 404,
    isPrivate: true,
    main: (
      <article class="notice-page">
        <p class="overline">404</p>
        <h1>This link opens no purchase</h1>
        <p class="lead">It may have been cut on its way, or belong to something else. Nothing was charged.</p>
        <h2>What to do next</h2>
        <p>
          Open the link from the mail with your receipt, or the one that the checkout page led to, as a whole:
          it ends in <code>token=</code> and 32 characters.
        </p>
        <p>
          If an agent bought it, ask the agent: with its API key it reads the purchase at{' '}
          <code>GET /marketplace/purchases/{'{id}'}</code>.
        </p>
      </article>
    ),
  };
}

/** What the reader can do something about. */
function refusalText(error: unknown): string | null {
  if (!(error instanceof MarketplaceError)) return null;
  const { title, detail, charged } = error.problem;
  const said = [title, detail].filter((text): text is string => typeof text === 'string').join(' ');
  const isToldCharged = charged !== false || said.includes('Nothing was charged.');
  return said === '' ? null : visibleText(isToldCharged ? said : `${said} Nothing was charged.`);
}

async function view(visit: Visit, purchase: Purchase, more: Partial<Shown>): Promise<PageView> {
  const found = await ifAnswered(visit.api.getListing({ listingId: purchase.listingId }));
  const listing = found?.listing ?? null;
  const isPhysical = purchase.shipBy !== null || listing?.fulfilment === 'physical';
  const awaitsShipment = isPhysical && purchase.shipment === null;
  const state = stateOf({ ...purchase, awaitsShipment });
  const shown: Shown = {
    purchase,
    state,
    listing,
    action: `${visit.url.pathname}?${tokenQuery(visit)}`,
    apiBaseUrl: visit.apiBaseUrl,
    isContentAsked: false,
    refusal: null,
    isDisputed: false,
    ...more,
  };
  // What was asked of the seller is on this answer only: the page is not asked for again under the reader's eyes.
  const isLive = state.everySeconds !== null && !shown.isContentAsked && shown.refusal === null;
  return {
    title: 'Your purchase',
    description: 'Where one purchase stands, its content and its receipt.',
    isPrivate: true,
    scripts: [...(isLive ? ['live'] : []), 'copy', 'purchase'],
    main: <PurchaseMain shown={shown} />,
  };
}

function PurchaseMain({ shown }: { shown: Shown }) {
  const { purchase, state, listing, refusal, isContentAsked, apiBaseUrl } = shown;
  return (
    <div class="sections">
      <div
        class="page-head"
        aria-live="polite"
        data-live="state"
        data-every={state.everySeconds ?? undefined}
      >
        <p class="overline">{state.title}</p>
        <h1>{listing ? <SellerText text={oneLine(listing.title, 160) || 'Untitled'} /> : 'Your purchase'}</h1>
        <p class="lead">{state.means}</p>
        <NextStep shown={shown} />
      </div>
      {shown.isDisputed && purchase.dispute?.status === 'open' && (
        <p class="note" role="status">
          Your objection is recorded, and the money stays in escrow until the operator has decided.
        </p>
      )}
      {refusal !== null && (
        <p class="note stop" role="alert">
          {refusal}
        </p>
      )}
      {isContentAsked && <Content purchase={purchase} />}
      {!canStillObject(purchase) && <LiveDispute shown={shown} />}
      <div data-live="receipt">
        <Receipt purchase={purchase} apiBaseUrl={apiBaseUrl} />
      </div>
      <div data-live="entry">
        <Entry shown={shown} />
      </div>
      {canStillObject(purchase) && <LiveDispute shown={shown} />}
    </div>
  );
}

/** What is left to object to stands last; an objection, first. */
const canStillObject = ({ status, dispute }: Purchase) => status === 'held' && dispute === null;

function LiveDispute({ shown: { purchase, action } }: { shown: Shown }) {
  return (
    <div data-live="dispute">
      <DisputePart purchase={purchase} action={action} />
    </div>
  );
}

function NextStep({ shown: { purchase, action, isContentAsked } }: { shown: Shown }) {
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
  if (!isCollectable(purchase)) return null;
  return (
    <form class="actions" method="post" action={action}>
      <button type="submit" name="do" value="show" class={isContentAsked ? 'quiet' : undefined}>
        {isContentAsked ? 'Ask the seller again' : 'Show the content'}
      </button>
      {!isContentAsked && <span class="soft">The seller is asked live; that may take up to 30 seconds.</span>}
    </form>
  );
}

const RAILS: Readonly<Record<Purchase['rail'], string>> = {
  checkout: 'card, on the checkout page',
  card: 'saved card',
  wallet: 'wallet',
  x402: 'USDC on Base',
};

function Entry({ shown: { purchase, listing } }: { shown: Shown }) {
  const { id, amountCents, createdAt, deliveredAt, holdUntil, shipment, failureCode, contentDigest } =
    purchase;
  const { shipBy, chargeback } = purchase;
  const isHeld = purchase.status === 'held' && purchase.dispute === null && chargeback?.status !== 'open';
  return (
    <section class="stack" aria-labelledby="entry">
      <h2 id="entry">In the book</h2>
      <Facts
        rows={[
          ['Price', price(amountCents)],
          ...(amountCents > 0 ? [['Paid by', RAILS[purchase.rail]] as const] : []),
          ...(listing
            ? [
                ['Sold by', <SellerText text={oneLine(listing.sellerName)} />] as const,
                ['Listing', <a href={`/listings/${listing.id}`}>As it is offered now</a>] as const,
              ]
            : []),
          ['Ordered', <Instant iso={createdAt} />],
          ...(deliveredAt ? [['Delivered', <Instant iso={deliveredAt} />] as const] : []),
          ...(isHeld && holdUntil ? [['In escrow until', <Instant iso={holdUntil} />] as const] : []),
          ...(isHeld && shipBy && !shipment
            ? [
                [
                  'Shipped by',
                  <span>
                    <Instant iso={shipBy} />, or you get the money back
                  </span>,
                ] as const,
              ]
            : []),
          ...(chargeback ? [['At the bank since', <Instant iso={chargeback.openedAt} />] as const] : []),
          ...(shipment
            ? [['Shipped', <SellerText text={`${shipment.carrier}, ${shipment.trackingNumber}`} />] as const]
            : []),
          ...(failureCode ? [['Why it ended', <code>{failureCode}</code>] as const] : []),
          ...(contentDigest ? [['Content is', <span class="mono">{contentDigest}</span>] as const] : []),
          ['Purchase', <span class="mono">{id}</span>],
        ]}
      />
      {purchase.query !== null && (
        <details>
          <summary>What the seller is asked</summary>
          <JsonFigure label="Query" value={purchase.query} />
        </details>
      )}
      <p class="fine">Whoever has the address of this page can do what you can: keep it to yourself.</p>
    </section>
  );
}
