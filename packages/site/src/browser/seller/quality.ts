import type { Operations } from '@agent-marketplace/sdk';

type Day = Operations['getListingQuality']['output']['days'][number];

interface DayOfAll {
  readonly day: string;
  readonly attempts: number;
  readonly delivered: number;
  /** Of the slowest listing of that day; null: nothing was delivered. */
  readonly p50Ms: number | null;
}

/** The days of several listings as one, newest first. */
export function qualityByDay(days: readonly Day[]): DayOfAll[] {
  const byDay = new Map<string, DayOfAll>();
  for (const { day, attempts, delivered, p50Ms } of days) {
    const sum = byDay.get(day) ?? { day, attempts: 0, delivered: 0, p50Ms: null };
    byDay.set(day, {
      day,
      attempts: sum.attempts + attempts,
      delivered: sum.delivered + delivered,
      p50Ms: p50Ms === null ? sum.p50Ms : Math.max(p50Ms, sum.p50Ms ?? 0),
    });
  }
  return [...byDay.values()].sort((a, b) => (a.day < b.day ? 1 : -1));
}
