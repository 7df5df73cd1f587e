import { everyDay } from '../../format/every-day.ts';
import { countNoun, money, seconds, wholePercent } from '../../format/figures.ts';
import { dayBars } from '../parts/day-bars.ts';
import type { Desk } from '../parts/desk.ts';
import { element, emptyPlace, ledger, section, table } from '../parts/dom.ts';
import { type Dashboard, readDashboard } from './dashboard.ts';
import { due } from './due.ts';
import { earningsChart, SHOWN_DAYS, salesByDay } from './earnings-chart.ts';
import { needs } from './needs.ts';
import { offers } from './offers.ts';
import { qualityByDay } from './quality.ts';

/** So many of the best selling listings are measured together. */
const MEASURED_LISTINGS = 5;

/** How a seller stands. */
export async function overview(desk: Desk): Promise<HTMLElement[]> {
  const dashboard = await readDashboard(desk.api);
  if (dashboard === null) {
    const list = element('a', { class: 'button', href: '/seller/listings/new' }, 'List something');
    return [emptyPlace('This key sells nothing yet', 'With its first listing it becomes a seller.', list)];
  }
  const best = [...dashboard.listings]
    .filter(({ status, soldCount }) => status === 'active' && soldCount > 0)
    .sort((a, b) => b.soldCount - a.soldCount)
    .slice(0, MEASURED_LISTINGS);
  const measured = await Promise.all(
    best.map(({ id: listingId }) => desk.api.getListingQuality({ listingId }).catch(() => null)),
  );
  return [
    keyFigures(dashboard),
    needs(dashboard),
    dashboard.offers.length > 0 && offers(desk, dashboard),
    earnings(dashboard),
    due(dashboard),
    quality(measured.flatMap((one) => one?.days ?? [])),
  ].filter((part) => part !== false);
}

function keyFigures({ earnings: sums, profile }: Dashboard): HTMLElement {
  const { deliveredCount, failedCount, ratingAvg, ratingCount, reputation, sellerLabel } = profile;
  const requests = deliveredCount + failedCount;
  const figures = [
    ['Released to you', money(sums.availableCents), countNoun(sums.salesCount, 'paid sale')],
    ['In escrow', money(sums.pendingCents), `${money(sums.reserveCents)} of it in reserve`],
    [
      'Delivered',
      requests === 0 ? '–' : wholePercent(deliveredCount / requests),
      requests === 0 ? 'Nobody has bought yet' : `${deliveredCount} of ${countNoun(requests, 'request')}`,
    ],
    [
      'Reputation',
      `${reputation} of 100`,
      `${ratingCount === 0 ? 'Not rated yet' : `★ ${ratingAvg.toFixed(1)} (${ratingCount})`}, as ${sellerLabel}`,
    ],
  ] as const;
  return element(
    'dl',
    { class: 'key-figures' },
    ...figures.map(([label, value, note]) =>
      element(
        'div',
        { class: 'key-figure' },
        element('dt', {}, label),
        element('dd', {}, value),
        element('dd', { class: 'fine' }, note),
      ),
    ),
  );
}

type Days = Parameters<typeof qualityByDay>[0];

/** The measured deliveries of the best selling listings, by day. */
function quality(measured: Days): HTMLElement | false {
  const days = qualityByDay(measured);
  if (days.length === 0) return false;
  const delivered = days.reduce((sum, one) => sum + one.delivered, 0);
  const attempts = days.reduce((sum, one) => sum + one.attempts, 0);
  const rows = days.map((one) => [
    one.day,
    String(one.attempts),
    wholePercent(one.delivered / one.attempts),
    one.p50Ms === null ? '–' : seconds(one.p50Ms),
  ]);
  return section(
    'Quality',
    dayBars({
      sentence: `${delivered} of ${countNoun(attempts, 'request')} were delivered in the last 30 days, of your best selling listings: the share of each day.`,
      days: everyDay(
        days.toReversed().map((one) => ({ day: one.day, value: one.delivered / one.attempts })),
        { least: SHOWN_DAYS, missing: null },
      ),
      format: wholePercent,
      most: 1,
    }),
    figures(table('Quality by day', ['Day', '#Requests', '#Delivered', '#Half within'], rows)),
  );
}

/** The table of a chart. */
const figures = (rows: HTMLElement) =>
  element('details', {}, element('summary', {}, 'The figures by day'), rows);

function earnings({ earnings: sums, sales: sold }: Dashboard): HTMLElement {
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
  );
  if (days.length > 0) {
    const rows = days.toReversed().map(({ day, cents }) => [day, money(cents)]);
    part.append(
      earningsChart(days, sold.length),
      figures(table('Earnings by day', ['Day', '#Net sales'], rows)),
    );
  }
  return part;
}
