import type { Operations } from '@agent-marketplace/sdk';
import { count, counted, instant, money, price } from '../format/figures.ts';
import { oneLine } from '../format/text.ts';
import { AGENT_KEY, type Desk, openDesk, withApiKey } from './parts/desk.ts';
import { element, facts, ledger, othersText, section, table, timeOf } from './parts/dom.ts';
import { earningsChart, salesByDay } from './parts/earnings-chart.ts';
import { actionForm } from './parts/forms.ts';
import { payoutsPart } from './parts/seller-payouts.ts';
import { salesPart } from './parts/seller-sales.ts';

type Dashboard = Operations['getSellerDashboard']['output'];

openDesk(AGENT_KEY, withApiKey, async (desk) => {
  const shop = await desk.api.getSellerDashboard();
  return [
    earnings(shop),
    payoutsPart(desk, shop),
    shop.offers.length > 0 && offers(desk, shop),
    salesPart(desk, shop),
    listings(shop),
    endpoint(shop),
    notifications(shop),
  ].filter((part) => part !== false);
});

function earnings({ earnings: sums, sales: sold, profile }: Dashboard): HTMLElement {
  const days = salesByDay(sold.filter(({ status, amountCents }) => status !== 'refunded' && amountCents > 0));
  const part = section(
    'Earnings',
    ledger(
      [
        ['Paid by buyers', money(sums.grossCents)],
        ['Fees', money(sums.platformFeeCents)],
        ['In escrow', money(sums.pendingCents)],
        ['Yours, released', money(sums.availableCents)],
      ],
      true,
    ),
    element(
      'p',
      { class: 'fine' },
      `${counted(sums.salesCount, 'paid sale')}; reputation ${profile.reputation} of 100 as ${profile.sellerLabel}.`,
    ),
  );
  if (days.length > 0) part.append(earningsChart(days));
  return part;
}

function offers({ api, refresh }: Desk, { offers: open, listings: own }: Dashboard): HTMLElement {
  const entries = open.map((offer) => {
    const listing = own.find(({ id }) => id === offer.listingId);
    const decide = (button: string, act: () => Promise<unknown>) =>
      actionForm(button, [], async () => {
        await act();
        await refresh();
        return null;
      });
    return element(
      'li',
      { class: 'entry' },
      element(
        'div',
        { class: 'entry-what' },
        element('h3', {}, listing ? othersText(oneLine(listing.title, 120)) : 'A listing of yours'),
        element('p', { class: 'fine' }, `Open until ${instant(offer.expiresAt)}`),
        offer.query !== null && question(offer.query),
        element(
          'div',
          { class: 'actions' },
          decide('Accept', () => api.acceptOffer({ offerId: offer.id })),
          decide('Decline', () => api.declineOffer({ offerId: offer.id })),
        ),
      ),
      element('p', { class: 'entry-price' }, money(offer.amountCents)),
    );
  });
  return section('Offers', element('ul', { class: 'entries' }, ...entries));
}

/** What the buyer would ask: the seller is to know before it says yes. */
function question(query: unknown): HTMLElement {
  const text = othersText(JSON.stringify(query, null, 2));
  return element(
    'details',
    {},
    element('summary', {}, 'What the buyer asks'),
    element('pre', { class: 'asked', tabindex: '0' }, element('code', {}, text)),
  );
}

const LISTED: Readonly<Record<Dashboard['listings'][number]['status'], string>> = {
  active: 'live',
  pending: 'waiting',
  inactive: 'taken down',
};

function listings({ listings: own, listingCounts }: Dashboard): HTMLElement {
  const { active, pending, inactive } = listingCounts;
  const rows = own.map((one) => [
    element('a', { href: `/listings/${one.id}` }, othersText(oneLine(one.title, 80))),
    LISTED[one.status],
    count(one.viewCount),
    count(one.soldCount),
    one.ratingCount === 0 ? '–' : one.ratingAvg.toFixed(1),
    price(one.priceCents),
  ]);
  return section(
    'Listings',
    element('p', {}, `${count(active)} live, ${count(pending)} waiting, ${count(inactive)} taken down.`),
    rows.length > 0 && table('Listings', ['Title', 'State', '#Seen', '#Sold', '#Rating', '#Price'], rows),
  );
}

const CALLED: Readonly<Record<string, string>> = {
  webhook: 'by signed POST',
  mcp: 'as an MCP server',
  polling: 'never: it fetches requests itself',
};

function endpoint({ endpoint: place }: Dashboard): HTMLElement {
  if (place === null)
    return section(
      'Where deliveries are asked for',
      element(
        'p',
        {},
        'No endpoint is verified, so listings wait for it. Your agent does that with ',
        element('code', {}, 'POST /sell/callback'),
        ', or you at the claim link that it was given.',
      ),
    );
  return section(
    'Where deliveries are asked for',
    facts([
      ['Address', othersText(place.callbackUrl)],
      ['Called', CALLED[place.callbackType] ?? place.callbackType],
      ['Verified', timeOf(place.verifiedAt)],
    ]),
  );
}

const TOLD: Readonly<Record<string, string>> = {
  'sale.held': 'Sold; the money is in escrow',
  'sale.released': 'Paid out',
  'sale.refunded': 'Refunded to the buyer',
  'sale.disputed': 'Disputed by the buyer; the operator decides',
  'sale.chargeback': 'The payment is disputed at a bank',
  'payout.failed': 'A payout failed, and is tried again',
  'rating.received': 'A buyer has rated',
};

function notifications({ notifications: told, listings: own }: Dashboard): HTMLElement {
  if (told.length === 0) return section('Notifications', element('p', { class: 'soft' }, 'None yet.'));
  const rows = told.map(({ createdAt, type, data }) => {
    const listing = own.find(({ id }) => id === data.listingId);
    return [
      timeOf(createdAt),
      TOLD[type] ?? element('code', {}, type),
      listing ? othersText(oneLine(listing.title, 80)) : '–',
    ];
  });
  return section('Notifications', table('Notifications', ['When', 'What', 'Listing'], rows));
}
