/** Seconds since the Unix epoch, in UTC, leap seconds not counted. */
export type EpochSeconds = number;

const DAY_S = 86_400;

/** Days from 1970-01-01 to a date of the proleptic Gregorian calendar. Years start in March here, to end on leap day. */
function daysFromCivil(year: number, month: number, dayOfMonth: number): number {
  const marchYear = month <= 2 ? year - 1 : year;
  const era = Math.floor(marchYear / 400);
  const yearOfEra = marchYear - era * 400;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + dayOfMonth - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * 146_097 + dayOfEra - 719_468;
}

function civilFromDays(days: number): { year: number; month: number; dayOfMonth: number } {
  const shifted = days + 719_468;
  const era = Math.floor(shifted / 146_097);
  const dayOfEra = shifted - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra -
      Math.floor(dayOfEra / 1460) +
      Math.floor(dayOfEra / 36_524) -
      Math.floor(dayOfEra / 146_096)) /
      365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const shiftedMonth = Math.floor((5 * dayOfYear + 2) / 153);
  const month = shiftedMonth + (shiftedMonth < 10 ? 3 : -9);
  return {
    year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0),
    month,
    dayOfMonth: dayOfYear - Math.floor((153 * shiftedMonth + 2) / 5) + 1,
  };
}

export interface CivilTime {
  readonly year: number;
  readonly month: number;
  readonly dayOfMonth: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
}

export function epochSeconds({ year, month, dayOfMonth, hour, minute, second }: CivilTime): EpochSeconds {
  return daysFromCivil(year, month, dayOfMonth) * DAY_S + hour * 3600 + minute * 60 + second;
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}

/** Date and time of day, as `2026-01-15T13:00:00`, without an offset. */
function civilText(seconds: number): string {
  const days = Math.floor(seconds / DAY_S);
  const rest = seconds - days * DAY_S;
  const { year, month, dayOfMonth } = civilFromDays(days);
  const time = `${two(Math.floor(rest / 3600))}:${two(Math.floor(rest / 60) % 60)}:${two(rest % 60)}`;
  return `${String(year).padStart(4, '0')}-${two(month)}-${two(dayOfMonth)}T${time}`;
}

export function utcText(at: EpochSeconds): string {
  return `${civilText(at)}Z`;
}

/** `+01:00`, with seconds only where an offset has them (before standard time). */
export function offsetText(offsetSeconds: number): string {
  const size = Math.abs(offsetSeconds);
  const seconds = size % 60 === 0 ? '' : `:${two(size % 60)}`;
  return `${offsetSeconds < 0 ? '-' : '+'}${two(Math.floor(size / 3600))}:${two(Math.floor(size / 60) % 60)}${seconds}`;
}

export function localText(at: EpochSeconds, offsetSeconds: number): string {
  return `${civilText(at + offsetSeconds)}${offsetText(offsetSeconds)}`;
}

/** The instants that `parseInstant` reads, as a pattern for schemas. A day alone means its first instant in UTC. */
export const INSTANT_PATTERN =
  '^\\d{4}-\\d{2}-\\d{2}(T\\d{2}:\\d{2}(:\\d{2}(\\.\\d{1,9})?)?(Z|[+-]\\d{2}:\\d{2}))?$';

const INSTANT =
  /^(\d{4})-(\d{2})-(\d{2})(?:T(\d{2}):(\d{2})(?::(\d{2})(?:\.\d{1,9})?)?(?:Z|([+-])(\d{2}):(\d{2})))?$/;

/** Whole seconds of an ISO-8601 instant, or null if it is none. Years 1900 to 2100 only. */
export function parseInstant(iso: string): EpochSeconds | null {
  const match = INSTANT.exec(iso);
  if (match === null) return null;
  const part = (index: number) => Number(match[index] ?? 0);
  const [year, month, dayOfMonth, hour, minute, second] = [
    part(1),
    part(2),
    part(3),
    part(4),
    part(5),
    part(6),
  ];
  const [offsetHour, offsetMinute] = [part(8), part(9)];
  if (year < 1900 || year > 2100) return null;
  if (hour > 23 || minute > 59 || second > 59 || offsetHour > 23 || offsetMinute > 59) return null;
  const back = civilFromDays(daysFromCivil(year, month, dayOfMonth));
  if (back.month !== month || back.dayOfMonth !== dayOfMonth) return null;
  const offset = (offsetHour * 3600 + offsetMinute * 60) * (match[7] === '-' ? -1 : 1);
  return epochSeconds({ year, month, dayOfMonth, hour, minute, second }) - offset;
}
