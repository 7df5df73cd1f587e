import { everyDay } from '../../format/every-day.ts';
import { countNoun, day, money } from '../../format/figures.ts';
import { dayBars } from '../parts/day-bars.ts';

/** Two weeks show whether there is more or less of it. */
export const SHOWN_DAYS = 14;

export interface DayOfSales {
  readonly day: string;
  readonly cents: number;
}

/** Net sales by day, oldest first, without days that had no sale. */
export function salesByDay(
  sales: readonly {
    readonly createdAt: string;
    readonly amountCents: number;
    readonly platformFeeCents: number;
  }[],
): DayOfSales[] {
  const sums = new Map<string, number>();
  for (const { createdAt, amountCents, platformFeeCents } of sales) {
    const on = day(createdAt);
    sums.set(on, (sums.get(on) ?? 0) + amountCents - platformFeeCents);
  }
  return [...sums].map(([on, cents]) => ({ day: on, cents })).sort((a, b) => (a.day < b.day ? -1 : 1));
}

/** Net sales as bars: of the last sales that were read, which may not be all of the first day. */
export function earningsChart(days: readonly DayOfSales[], sales: number): HTMLElement {
  const total = days.reduce((sum, { cents }) => sum + cents, 0);
  return dayBars({
    sentence: `Net sales of ${countNoun(days.length, 'day')}, ${money(total)} in all: your last ${countNoun(sales, 'sale')}, after fees.`,
    days: everyDay(
      days.map(({ day: on, cents }) => ({ day: on, value: cents })),
      { least: SHOWN_DAYS, missing: 0 },
    ),
    format: money,
  });
}
