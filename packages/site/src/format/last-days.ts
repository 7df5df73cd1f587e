const DAY_MS = 86_400_000;

interface DayValue {
  readonly day: string;
  readonly value: number | null;
}

interface Period {
  readonly now: number;
  readonly days: number;
  /** The value of a day without one. */
  readonly missing: number | null;
}

/** The first of the last `days` days, of which today is one, in UTC. */
export function firstDay({ now, days }: Pick<Period, 'now' | 'days'>): string {
  return new Date(now - (days - 1) * DAY_MS).toISOString().slice(0, 10);
}

/** Each of the last days, oldest first. */
export function lastDays(values: readonly DayValue[], { now, days, missing }: Period): DayValue[] {
  const byDay = new Map(values.map(({ day, value }) => [day, value]));
  return Array.from({ length: days }, (_, index) => {
    const day = firstDay({ now, days: days - index });
    return { day, value: byDay.has(day) ? (byDay.get(day) ?? null) : missing };
  });
}
