import { type EpochMs, type IsoTime, isoTime, SECOND_MS } from '../../kernel/time.ts';

/** Then an event is given up. */
export const MAX_TRIES = 8;

/** Longer than a try lasts: until then nobody else takes the event, even if this one's end is never heard of. */
const FIRST_RETRY_MS = 80 * SECOND_MS;
const GROWTH = 3;

/**
 * When an event whose try begins now is due again, by the number of tries before this one: after 80 seconds,
 * then three times as long each time, which puts the eighth try a day after the first. Nothing follows the
 * last one; its time is when it counts as failed, if its end is never heard of.
 */
export function nextTries(now: EpochMs): IsoTime[] {
  return Array.from({ length: MAX_TRIES }, (_, before) => {
    const isLast = before === MAX_TRIES - 1;
    return isoTime(now + (isLast ? FIRST_RETRY_MS : FIRST_RETRY_MS * GROWTH ** before));
  });
}
