import type { SpendPeriod, SpendPolicy } from '../kernel/spend-policy.ts';
import { DAY_MS, dayOf, type EpochMs, epochOf, type IsoTime, isoTime } from '../kernel/time.ts';

/** One of the windows in which a purchase of a moment counts. */
export interface SpendWindow {
  readonly period: SpendPeriod;
  /** The first day, as `2026-06-01`; empty for the total, which has none. */
  readonly startsOn: string;
  /** When the next window begins; null: never. */
  readonly endsAt: IsoTime | null;
}

const DAYS_OF_WEEK = 7;
/** From a first day it reaches into the next month, and not beyond. */
const LONGER_THAN_A_MONTH_MS = 32 * DAY_MS;

const firstOfMonth = (at: EpochMs): EpochMs => epochOf(`${isoTime(at).slice(0, 7)}-01T00:00:00.000Z`);

/**
 * The windows of a moment. Days, ISO weeks (from Monday) and calendar months are those of UTC, which knows no summer
 * time: every day has 24 hours.
 */
export function windowsAt(now: EpochMs): readonly SpendWindow[] {
  const day = Math.floor(now / DAY_MS) * DAY_MS;
  // The first day of the epoch was a Thursday.
  const monday = day - ((day / DAY_MS + 3) % DAYS_OF_WEEK) * DAY_MS;
  const month = firstOfMonth(day);
  const nextMonth = firstOfMonth(month + LONGER_THAN_A_MONTH_MS);
  return [
    { period: 'day', startsOn: dayOf(isoTime(day)), endsAt: isoTime(day + DAY_MS) },
    { period: 'week', startsOn: dayOf(isoTime(monday)), endsAt: isoTime(monday + DAYS_OF_WEEK * DAY_MS) },
    { period: 'month', startsOn: dayOf(isoTime(month)), endsAt: isoTime(nextMonth) },
    { period: 'total', startsOn: '', endsAt: null },
  ];
}

export function windowOf(period: SpendPeriod, at: IsoTime): SpendWindow {
  const found = windowsAt(epochOf(at)).find((window) => window.period === period);
  if (!found) throw new Error(`There is no period ${period}.`);
  return found;
}

/** What a policy lets be spent in each window of a period; null: without limit. */
export function limitOf(policy: SpendPolicy, period: SpendPeriod): number | null {
  switch (period) {
    case 'day':
      return policy.perDayCents;
    case 'week':
      return policy.perWeekCents;
    case 'month':
      return policy.perMonthCents;
    case 'total':
      return policy.totalCents;
  }
}
