import { type EpochSeconds, epochSeconds } from './instant.rules.ts';

export interface Transition {
  readonly at: EpochSeconds;
  readonly offsetBefore: number;
  readonly offsetAfter: number;
}

interface ZoneReading {
  readonly offsetSeconds: number;
  readonly name: string;
  readonly isDaylightTime: boolean | null;
  readonly previous: Transition | null;
  readonly next: Transition | null;
}

/** How far to look for a change of offset: beyond a year, so that a seasonal change is always seen. */
const SEARCH_DAYS = 370;

/** Short enough that no zone changes its offset twice in a step (Morocco changes for about a month a year). */
const STEP_S = 7 * 86_400;

const IANA_ZONE = /^[A-Za-z][A-Za-z0-9_+-]*(\/[A-Za-z0-9_+-]+){0,2}$/;

function formatter(zone: string, more: Intl.DateTimeFormatOptions): Intl.DateTimeFormat | null {
  try {
    return new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      calendar: 'gregory',
      numberingSystem: 'latn',
      ...more,
    });
  } catch {
    // RangeError: the runtime's time-zone database does not have this zone.
    return null;
  }
}

function offsetAt(format: Intl.DateTimeFormat, at: EpochSeconds): number {
  const parts = new Map(format.formatToParts(at * 1000).map(({ type, value }) => [type, Number(value)]));
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0;
  const local = epochSeconds({
    year: part('year'),
    month: part('month'),
    dayOfMonth: part('day'),
    hour: part('hour'),
    minute: part('minute'),
    second: part('second'),
  });
  return local - at;
}

/** The last second before and the first second after a change that lies between two instants. */
function narrow(offset: (at: EpochSeconds) => number, from: EpochSeconds, to: EpochSeconds): Transition {
  let [before, after] = [from, to];
  const offsetBefore = offset(before);
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (offset(middle) === offsetBefore) before = middle;
    else after = middle;
  }
  return { at: after, offsetBefore, offsetAfter: offset(after) };
}

function nextTransition(offset: (at: EpochSeconds) => number, at: EpochSeconds): Transition | null {
  const end = at + SEARCH_DAYS * 86_400;
  for (let from = at; from < end; from += STEP_S) {
    if (offset(from) !== offset(from + STEP_S)) return narrow(offset, from, from + STEP_S);
  }
  return null;
}

function previousTransition(offset: (at: EpochSeconds) => number, at: EpochSeconds): Transition | null {
  const end = at - SEARCH_DAYS * 86_400;
  for (let to = at; to > end; to -= STEP_S) {
    if (offset(to - STEP_S) !== offset(to)) return narrow(offset, to - STEP_S, to);
  }
  return null;
}

/**
 * CLDR's English names say which half of the year it is; the runtime offers no other sign. Irish Standard Time is
 * the name of Ireland's summer time. Zones without a name are shown as an offset: with a change near, it cannot be
 * told which offset is the standard one, hence null.
 */
function isDaylightTime(name: string, changes: boolean): boolean | null {
  if (/^GMT[+-]/.test(name)) return changes ? null : false;
  return /\b(Daylight|Summer)\b/.test(name) || name === 'Irish Standard Time';
}

/** What the clocks of a zone show at an instant, or null if the zone is unknown. */
export function readZone(zone: string, at: EpochSeconds): ZoneReading | null {
  // Intl also takes bare offsets as zones; those are not in the IANA database.
  if (!IANA_ZONE.test(zone)) return null;
  const clock = formatter(zone, {
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  const naming = formatter(zone, { timeZoneName: 'long' });
  if (clock === null || naming === null) return null;

  const offset = (instant: EpochSeconds) => offsetAt(clock, instant);
  const previous = previousTransition(offset, at);
  const next = nextTransition(offset, at);
  const name = naming.formatToParts(at * 1000).find((part) => part.type === 'timeZoneName')?.value ?? zone;
  return {
    offsetSeconds: offset(at),
    name,
    isDaylightTime: isDaylightTime(name, previous !== null || next !== null),
    previous,
    next,
  };
}
