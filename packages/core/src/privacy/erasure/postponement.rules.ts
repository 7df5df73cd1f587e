import { type EpochMs, HOUR_MS, type IsoTime, isoTime } from '../../kernel/time.ts';

const MOST_HOURS = 24;

/** After an hour, two, four, and then once a day: what holds an erasure up ends within hours, or waits for somebody. */
export function nextTryAt({ postponements }: { readonly postponements: number }, now: EpochMs): IsoTime {
  return isoTime(now + Math.min(2 ** Math.min(postponements, 5), MOST_HOURS) * HOUR_MS);
}
