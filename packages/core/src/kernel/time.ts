/** Milliseconds since the Unix epoch. Rules take it as an argument; only the Clock port reads it. */
export type EpochMs = number;

/** ISO-8601 UTC with milliseconds: the only form of time on the wire and in the database. */
export type IsoTime = string;

export function isoTime(epochMs: EpochMs): IsoTime {
  return new Date(epochMs).toISOString();
}

/** The day in UTC, as `2026-06-01`. */
export function dayOf(time: IsoTime): string {
  return time.slice(0, 10);
}

export const SECOND_MS = 1000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** The hour of the day in UTC as one of 24 bits. */
export const hourBit = (at: IsoTime): number => 2 ** (Math.floor(epochOf(at) / HOUR_MS) % 24);

export function epochOf(time: IsoTime): EpochMs {
  return Date.parse(time);
}
