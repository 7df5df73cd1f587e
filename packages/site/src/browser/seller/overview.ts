import { count, countNoun, instant, money, price } from '../../format/figures.ts';
import { oneLine } from '../../format/text.ts';
import type { Desk } from '../parts/desk.ts';
import { element, ledger, section, table, timeOf, untrustedText } from '../parts/dom.ts';
import { actionForm } from '../parts/forms.ts';
import type { Dashboard } from './dashboard.ts';
import { earningsChart, salesByDay } from './earnings-chart.ts';
import { endpoint } from './endpoint.ts';
import { sellerPayouts } from './payouts.ts';
import { sellerSales } from './sales.ts';

/** How a seller stands. */
export async function overview(desk: Desk): Promise<HTMLElement[]> {
  const dashboard = await desk.api.getSellerDashboard();
  return [
    earnings(dashboard),
    sellerPayouts(desk, dashboard),
    dashboard.offers.length > 0 && offers(desk, dashboard),
    sellerSales(desk, dashboard),
    listings(dashboard),
    endpoint(dashboard),
    notifications(dashboard),
  ].filter((part) => part !== false);
}

function earnings({ earnings: sums, sales: sold, profile }: Dashboard): HTMLElement {
  const days = salesByDay(sold.filter(({ status, amountCents }) => status !== 'refunded' && amountCents > 0));
  const part = section(
    'Earnings',
    ledger(
      [
        ['Paid by buyers', money(sums.grossCents)],
        ['Fees', money(sums.platformFeeCents)],
        ['In escrow', money(sums.pendingCents)],
        ['Of that, in reserve', money(sums.reserveCents)],
        ['Released to you', money(sums.availableCents)],
      ],
      true,
    ),
    element(
      'p',
      { class: 'fine' },
      `${countNoun(sums.salesCount, 'paid sale')}; reputation ${profile.reputation} of 100 as ${profile.sellerLabel}.`,
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
        element('h3', {}, listing ? untrustedText(oneLine(listing.title, 120)) : 'Your listing'),
        element('p', { class: 'fine' }, `Open until ${instant(offer.expiresAt)}`),
        offer.query !== null && queryDetails(offer.query),
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

/** The seller sees the buyer's query before it accepts an offer. */
function queryDetails(query: unknown): HTMLElement {
  const text = untrustedText(JSON.stringify(query, null, 2));
  return element(
    'details',
    {},
    element('summary', {}, 'The buyer’s query'),
    element('pre', { class: 'query', tabindex: '0' }, element('code', {}, text)),
  );
}

const LISTING_STATES: Readonly<Record<Dashboard['listings'][number]['status'], string>> = {
  active: 'live',
  pending: 'waiting',
  inactive: 'taken down',
};

function listings({ listings: own, listingCounts }: Dashboard): HTMLElement {
  const { active, pending, inactive } = listingCounts;
  const rows = own.map((one) => [
    element('a', { href: `/listings/${one.id}` }, untrustedText(oneLine(one.title, 80))),
    LISTING_STATES[one.status],
    count(one.viewCount),
    count(one.soldCount),
    one.ratingCount === 0 ? '–' : one.ratingAvg.toFixed(1),
    price(one.priceCents),
  ]);
  return section(
    'Listings',
    element('p', {}, `${count(active)} live, ${count(pending)} waiting, ${count(inactive)} taken down.`),
    rows.length > 0 && table('Listings', ['Title', 'State', '#Views', '#Sold', '#Rating', '#Price'], rows),
  );
}

const NOTIFICATIONS: Readonly<Record<string, string>> = {
  'sale.held': 'Sold; the money is in escrow',
  'sale.released': 'Paid out',
  'sale.refunded': 'Refunded to the buyer',
  'sale.disputed': 'Disputed by the buyer; the operator decides',
  'sale.dispute_decided': 'A dispute was decided',
  'sale.chargeback': 'The payment is disputed at a bank',
  'payout.failed': 'A payout failed and will be retried',
  'endpoint.changed': 'Your delivery endpoint was set or replaced',
  'endpoint.displaced': 'Another seller proved that your endpoint is its own; register another',
  'endpoint.host_shared': 'Another seller delivers from your host, on another path',
  'endpoint.unreachable': 'Your delivery endpoint does not answer: browsing leaves your listings out',
  'endpoint.reachable': 'Your delivery endpoint answers again: your listings are back in browsing',
  'payout.change_requested': 'Somebody asked to change where you are paid: see Payouts',
  'payout.change_cancelled': 'A change of where you are paid was cancelled',
  'payout.changed': 'You are paid elsewhere from now on',
  'payout.account_restricted':
    'Your account at the card processor can take no money: your sales wait, and listings with a price are off the market',
  'payout.account_restored': 'Your account can be paid again',
  'listing.blocked': 'Taken off the market by the operator, as the history of the listing says',
  'listing.unblocked': 'The operator lets you put the listing back on the market',
  'rating.received': 'New rating from a buyer',
};

function notifications({ notifications: entries, listings: own }: Dashboard): HTMLElement {
  if (entries.length === 0) return section('Notifications', element('p', { class: 'soft' }, 'None yet.'));
  const rows = entries.map(({ createdAt, type, data }) => {
    const listing = own.find(({ id }) => id === data.listingId);
    return [
      timeOf(createdAt),
      NOTIFICATIONS[type] ?? element('code', {}, type),
      listing ? untrustedText(oneLine(listing.title, 80)) : '–',
    ];
  });
  return section('Notifications', table('Notifications', ['When', 'What', 'Listing'], rows));
}
