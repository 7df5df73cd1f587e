import { countNoun, money, seconds, wholePercent } from '../../format/figures.ts';
import { lastDays } from '../../format/last-days.ts';
import { dayBars } from '../parts/day-bars.ts';
import { element, keyFigures, ledger, section, table } from '../parts/dom.ts';
import type { Session } from '../parts/session.ts';
import type { Dashboard } from './dashboard.ts';
import { due } from './due.ts';
import { needs } from './needs.ts';
import { netSales, readSales } from './net-sales.ts';
import { offers } from './offers.ts';
import { currentPeriod, type Period, periodLinks } from './period.ts';
import { qualityByDay } from './quality.ts';

/** So many of the best selling listings are measured together. */
const MEASURED_LISTINGS = 5;

/** How a seller stands. */
export async function overview(session: Session): Promise<HTMLElement[]> {
  const dashboard = await session.api.getSellerDashboard();
  const best = [...dashboard.listings]
    .filter(({ status, soldCount }) => status === 'active' && soldCount > 0)
    .sort((a, b) => b.soldCount - a.soldCount)
    .slice(0, MEASURED_LISTINGS);
  // The reader's clock may be wrong by days.
  const period = currentPeriod(Date.parse(dashboard.provenance.receipt.signedAt));
  const [sales, ...measured] = await Promise.all([
    readSales(session, dashboard, period),
    ...best.map(({ id: listingId }) => session.api.getListingQuality({ listingId }).catch(() => null)),
  ]);
  return [
    standing(dashboard),
    needs(dashboard),
    dashboard.offers.length > 0 && offers(session, dashboard),
    due(dashboard),
    earnings(session, dashboard, { sales, period }),
    quality(
      measured.flatMap((one) => one?.days ?? []),
      period,
    ),
  ].filter((part) => part !== false);
}

function standing({ earnings: sums, profile }: Dashboard): HTMLElement {
  const { deliveredCount, failedCount, ratingAvg, ratingCount, reputation, sellerLabel } = profile;
  const requests = deliveredCount + failedCount;
  return keyFigures([
    ['Released to you', money(sums.availableCents), `of ${countNoun(sums.salesCount, 'paid sale')}`],
    ['In escrow', money(sums.pendingCents), `${money(sums.reserveCents)} of it in reserve`],
    [
      'Delivered',
      requests === 0 ? '–' : wholePercent(deliveredCount / requests),
      requests === 0 ? 'Nobody has bought yet' : `${deliveredCount} of ${countNoun(requests, 'request')}`,
    ],
    [
      'Reputation',
      `${Math.round(reputation)} of 100`,
      `${ratingCount === 0 ? 'Not rated yet' : `★ ${ratingAvg.toFixed(1)} (${ratingCount})`}, as ${sellerLabel}`,
    ],
  ]);
}

type Days = Parameters<typeof qualityByDay>[0];

/** Deliveries are measured over so many days. */
const MEASURED_DAYS = 30;

/** The measured deliveries of the best selling listings, by day. */
function quality(measured: Days, { from, ...period }: Period): HTMLElement | false {
  const days = qualityByDay(measured.filter(({ day }) => day >= from));
  if (days.length === 0) return false;
  const delivered = days.reduce((sum, one) => sum + one.delivered, 0);
  const attempts = days.reduce((sum, one) => sum + one.attempts, 0);
  const rows = days.map((one) => [
    one.day,
    String(one.attempts),
    wholePercent(one.delivered / one.attempts),
    one.p50Ms === null ? '–' : seconds(one.p50Ms),
  ]);
  const span = Math.min(period.days, MEASURED_DAYS);
  return section(
    'Quality',
    dayBars({
      sentence: `${delivered} of ${countNoun(attempts, 'request')} were delivered in the last ${span} days, of your best selling listings: the share of each day.`,
      days: lastDays(
        days.map((one) => ({ day: one.day, value: one.delivered / one.attempts })),
        { ...period, missing: null },
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

interface Charted {
  readonly sales: Parameters<typeof netSales>[0];
  readonly period: Period;
}

function earnings(session: Session, { earnings: sums }: Dashboard, { sales, period }: Charted): HTMLElement {
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
  if (sales.length === 0) return part;
  const { chart, days } = netSales(sales, period);
  part.append(periodLinks(session, period), chart);
  const rows = days.map(([day, cents]) => [day, money(cents)]);
  if (rows.length > 0) part.append(figures(table('Earnings by day', ['Day', '#Net sales'], rows)));
  return part;
}
