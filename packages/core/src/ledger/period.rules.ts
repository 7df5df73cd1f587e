import { type EpochMs, epochOf, HOUR_MS, type IsoTime, isoTime } from '../kernel/time.ts';

/** `2026-11`, in UTC. */
export type Month = string;

/** A request that began before the end of a month may record its posting a little after it. */
const SETTLES_IN_MS = HOUR_MS;

export const isMonth = (text: string): boolean => /^20\d\d-(0[1-9]|1[0-2])$/.test(text);

export function monthOf(time: IsoTime): Month {
  return time.slice(0, 7);
}

export const monthAfter = (month: Month): Month => shifted(month, 1);
export const monthBefore = (month: Month): Month => shifted(month, -1);

function shifted(month: Month, by: 1 | -1): Month {
  const [year = 0, ofYear = 0] = month.split('-').map(Number);
  const months = year * 12 + ofYear - 1 + by;
  return `${String(Math.floor(months / 12)).padStart(4, '0')}-${String((months % 12) + 1).padStart(2, '0')}`;
}

/** The first moment that is no longer of this month. */
export function endOf(month: Month): IsoTime {
  return `${monthAfter(month)}-01T00:00:00.000Z`;
}

/** Whether every posting of this month is recorded. */
export function isSettled(month: Month, now: EpochMs): boolean {
  return now >= epochOf(endOf(month)) + SETTLES_IN_MS;
}

/** The months from one on that ended by now, the oldest first. */
export function settledMonths(from: Month, now: EpochMs, most: number): Month[] {
  const months: Month[] = [];
  for (let month = from; months.length < most && isSettled(month, now); month = monthAfter(month)) {
    months.push(month);
  }
  return months;
}

/** The newest month first, ending with `first`. */
export function monthsBack(first: Month, now: EpochMs): Month[] {
  const months: Month[] = [];
  for (let month = monthOf(isoTime(now)); month >= first; month = monthBefore(month)) months.push(month);
  return months;
}
