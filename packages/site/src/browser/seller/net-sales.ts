import type { Operations } from '@agent-marketplace/sdk';
import { countNoun, day, money } from '../../format/figures.ts';
import { lastDays } from '../../format/last-days.ts';
import { dayBars } from '../parts/day-bars.ts';
import type { Session } from '../parts/session.ts';
import type { Dashboard } from './dashboard.ts';
import type { Period } from './period.ts';

type Sales = Operations['listSales']['output'];
type Sale = Sales['sales'][number];

/** So many the dashboard has. */
const NEWEST = 50;
const PAGE = 100;
/** Thousands of sales would take long to read: the chart says how far back it goes. */
const MOST_SALES = 500;

const isBefore = (sale: Sale | undefined, from: string) => sale !== undefined && day(sale.createdAt) < from;

/** The newest sales, back to the first day of the period if they are not too many. */
export async function readSales({ api }: Session, { sales }: Dashboard, { from }: Period): Promise<Sale[]> {
  if (sales.length < NEWEST || isBefore(sales.at(-1), from)) return [...sales];
  const read: Sale[] = [];
  let cursor: string | null | undefined;
  do {
    const next: Sales = await api.listSales({ limit: PAGE, ...(cursor ? { cursor } : {}) });
    read.push(...next.sales);
    cursor = next.nextCursor;
  } while (cursor !== null && read.length < MOST_SALES && !isBefore(read.at(-1), from));
  return read;
}

/** Net sales of each day of the period, after fees, without what was refunded. */
export function netSales(sales: readonly Sale[], { from, ...period }: Period) {
  const sums = new Map<string, number>();
  const counted = sales.filter(
    (one) => one.status !== 'refunded' && one.amountCents > 0 && !isBefore(one, from),
  );
  for (const { createdAt, amountCents, platformFeeCents } of counted)
    sums.set(day(createdAt), (sums.get(day(createdAt)) ?? 0) + amountCents - platformFeeCents);
  const total = [...sums.values()].reduce((sum, cents) => sum + cents, 0);
  const isCut = sales.length >= MOST_SALES && !isBefore(sales.at(-1), from);
  const what = isCut ? `your last ${sales.length} sales` : `the last ${period.days} days`;
  const days = lastDays(
    [...sums].map(([on, value]) => ({ day: on, value })),
    { ...period, missing: 0 },
  );
  return {
    days: [...sums].sort(([a], [b]) => (a < b ? 1 : -1)),
    chart: dayBars({
      sentence: `Net sales of ${what}: ${money(total)} after fees, of ${countNoun(counted.length, 'sale')}.`,
      days,
      format: money,
    }),
  };
}
