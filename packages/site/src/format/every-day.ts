const DAY_MS = 86_400_000;
/** A longer time is shown without the days between: their bars would be lines. */
const MOST_DAYS = 90;

interface DayValue {
  readonly day: string;
  readonly value: number | null;
}

/** Days, oldest first, with those between them and, if they are few, some before, which have the value `missing`. */
export function everyDay(
  days: readonly DayValue[],
  { least, missing }: { readonly least: number; readonly missing: number | null },
): DayValue[] {
  const [first, last] = [days[0], days.at(-1)].map((one) => Date.parse(one?.day ?? ''));
  if (first === undefined || last === undefined || Number.isNaN(first)) return [];
  const count = Math.max(least, (last - first) / DAY_MS + 1);
  if (count > MOST_DAYS) return [...days];
  const values = new Map(days.map(({ day, value }) => [day, value]));
  return Array.from({ length: count }, (_, index) => {
    const day = new Date(last - (count - 1 - index) * DAY_MS).toISOString().slice(0, 10);
    return { day, value: values.has(day) ? (values.get(day) ?? null) : missing };
  });
}
