const MINUTE_MS = 60_000;

/** The local time in a zone. */
export interface WallClock {
  /** 0 is Sunday. */
  readonly weekday: number;
  readonly minuteOfDay: number;
  readonly utcOffsetMinutes: number;
  /** ISO-8601 with the zone's offset. */
  readonly text: string;
}

const formats = new Map<string, Intl.DateTimeFormat | null>();

/** The clock of an IANA zone at an instant, or null if the runtime does not know the zone. */
export function readClock(zone: string, ms: number): WallClock | null {
  const format = formatOf(zone);
  if (format === null) return null;
  const parts = new Map(format.formatToParts(ms).map(({ type, value }) => [type, Number(value)]));
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0;
  const shown = Date.UTC(
    part('year'),
    part('month') - 1,
    part('day'),
    part('hour'),
    part('minute'),
    part('second'),
  );
  const local = new Date(shown);
  const utcOffsetMinutes = Math.round((shown - ms) / MINUTE_MS);
  return {
    weekday: local.getUTCDay(),
    minuteOfDay: local.getUTCHours() * 60 + local.getUTCMinutes(),
    utcOffsetMinutes,
    text: `${local.toISOString().slice(0, 19)}${offsetText(utcOffsetMinutes)}`,
  };
}

/** `+05:45`, as ISO-8601 writes it. */
export function offsetText(minutes: number): string {
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  return `${minutes < 0 ? '-' : '+'}${String(hours).padStart(2, '0')}:${String(rest).padStart(2, '0')}`;
}

function formatOf(zone: string): Intl.DateTimeFormat | null {
  const known = formats.get(zone);
  if (known !== undefined) return known;
  const format = newFormat(zone);
  // Only known names are cached: strangers could fill the memory with invented ones.
  if (format !== null) formats.set(zone, format);
  return format;
}

function newFormat(zone: string): Intl.DateTimeFormat | null {
  try {
    return new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      calendar: 'gregory',
      numberingSystem: 'latn',
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
  } catch {
    return null;
  }
}
