import type { Operations } from '@agent-marketplace/sdk';
import { count, counted, instant, money, price } from '../format/figures.ts';
import { oneLine, platformLink } from '../format/text.ts';
import { AGENT_KEY, type Desk, openDesk, withApiKey } from './parts/desk.ts';
import { element, facts, ledger, othersText, section, table } from './parts/dom.ts';
import { earningsChart, salesByDay } from './parts/earnings-chart.ts';
import { actionForm } from './parts/forms.ts';

type Dashboard = Operations['getSellerDashboard']['output'];

openDesk(AGENT_KEY, withApiKey, async (desk) => {
  const shop = await desk.api.getSellerDashboard();
  return [
    earnings(shop),
    payouts(desk, shop),
    shop.offers.length > 0 && offers(desk, shop),
    sales(desk, shop),
    listings(shop),
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

function payouts({ api }: Desk, { payouts: state, profile }: Dashboard): HTMLElement {
  const { account, connected } = state;
  const part = section(
    'Payouts',
    facts([
      ['Connected', connected ? 'Yes' : 'No: priced listings wait for it'],
      ...(account === null
        ? []
        : [
            ['Country', account.country] as const,
            ['Details', account.detailsSubmitted ? 'Handed in' : 'Still missing'] as const,
          ]),
    ]),
  );
  if (!connected) {
    part.append(
      actionForm('Connect payouts', [], async () => {
        const { onboardingUrl } = await api.registerSeller({ name: profile.displayName ?? profile.handle });
        const href = platformLink(onboardingUrl);
        if (href === null) return 'The card processor cannot be reached now. Try again later.';
        return element('a', { class: 'button', href, rel: 'noreferrer' }, 'Go on to the card processor');
      }),
    );
  }
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

const STATES: Readonly<Record<Dashboard['sales'][number]['status'], string>> = {
  held: 'In escrow',
  releasing: 'Being paid out',
  released: 'Paid out',
  refunded: 'Refunded',
};

function sales({ api, refresh }: Desk, { sales: sold }: Dashboard): HTMLElement {
  if (sold.length === 0) return section('Sales', element('p', { class: 'soft' }, 'None yet.'));
  const rows = sold.map((sale) => [
    element('time', { datetime: sale.createdAt, class: 'nowrap' }, instant(sale.createdAt)),
    othersText(oneLine(sale.title, 80)),
    sale.buyer ?? 'without a key',
    sale.awaitsShipment ? 'Ship it' : stateOf(sale),
    money(sale.platformFeeCents),
    price(sale.amountCents),
  ]);
  const part = section(
    'Sales',
    table('Sales', ['When', 'Listing', 'Buyer', 'State', '#Fee', '#Price'], rows),
  );
  for (const sale of sold.filter(({ awaitsShipment }) => awaitsShipment)) {
    const fields = [
      { name: 'carrier', label: 'Carrier', attributes: { required: '', maxlength: '100' } },
      { name: 'trackingNumber', label: 'Tracking number', attributes: { required: '', maxlength: '100' } },
    ];
    part.append(
      element('h3', {}, 'To ship: ', othersText(oneLine(sale.title, 80))),
      actionForm('Record the shipment', fields, async ({ carrier = '', trackingNumber = '' }) => {
        await api.shipOrder({ purchaseId: sale.purchaseId, carrier, trackingNumber });
        await refresh();
        return null;
      }),
    );
  }
  return part;
}

function stateOf({ status, holdUntil }: Dashboard['sales'][number]): HTMLElement | string {
  if (status !== 'held' || holdUntil === null) return STATES[status];
  const until = element('time', { datetime: holdUntil, class: 'nowrap' }, instant(holdUntil));
  return element('span', {}, 'In escrow until ', until);
}

function listings({ listings: own, listingCounts }: Dashboard): HTMLElement {
  const { active, pending, inactive } = listingCounts;
  const rows = own.map((one) => [
    element('a', { href: `/listings/${one.id}` }, othersText(oneLine(one.title, 80))),
    one.status,
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

function notifications({ notifications: told }: Dashboard): HTMLElement {
  if (told.length === 0) return section('Notifications', element('p', { class: 'soft' }, 'None yet.'));
  const rows = told.map((one) => [
    element('time', { datetime: one.createdAt, class: 'nowrap' }, instant(one.createdAt)),
    element('code', {}, one.type),
  ]);
  return section('Notifications', table('Notifications', ['When', 'What'], rows));
}
