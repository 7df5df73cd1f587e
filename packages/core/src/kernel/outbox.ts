import type { Clock } from './ports/clock.ts';
import { type EpochMs, type IsoTime, isoTime, SECOND_MS } from './time.ts';

/** Then what is to be sent is given up. */
export const MAX_TRIES = 8;

/** Longer than a try lasts: until then nobody else takes it, even if this one's end is never heard of. */
const FIRST_RETRY_MS = 80 * SECOND_MS;
const GROWTH = 3;
/** A Worker has six connections open at once; name look-ups need some of them. */
const AT_ONCE = 4;

/**
 * When something whose try begins now is due again, by the number of tries before this one: after 80 seconds,
 * then three times as long each time, which puts the eighth try a day after the first. Nothing follows the
 * last one; its time is when it counts as failed, if its end is never heard of.
 */
export function nextTries(now: EpochMs): IsoTime[] {
  return Array.from({ length: MAX_TRIES }, (_, before) => {
    const isLast = before === MAX_TRIES - 1;
    return isoTime(now + (isLast ? FIRST_RETRY_MS : FIRST_RETRY_MS * GROWTH ** before));
  });
}

/** What to claim of what is due now. It is due again at the one of `nextTries` that fits its number of tries. */
export interface Due {
  readonly now: IsoTime;
  readonly nextTries: readonly IsoTime[];
  readonly limit: number;
}

export interface Outbox<Claimed, Outcomes> {
  /** Records how the tries before ended, and begins the next ones; null: there were none before. */
  recordAndClaimBatch(outcomes: Outcomes | null, due: Due): Promise<readonly Claimed[]>;
  sendAll(claimed: readonly Claimed[]): Promise<Outcomes>;
}

/** Sends what is due, a few at once and at most so many, and returns how many were tried. */
export async function drainOutbox<Claimed, Outcomes>(
  { recordAndClaimBatch, sendAll }: Outbox<Claimed, Outcomes>,
  limit: number,
  clock: Pick<Clock, 'now'>,
): Promise<number> {
  let outcomes: Outcomes | null = null;
  for (let tried = 0; ; ) {
    const now = clock.now();
    const wave = Math.min(AT_ONCE, limit - tried);
    const claimed = await recordAndClaimBatch(outcomes, {
      now: isoTime(now),
      nextTries: nextTries(now),
      limit: wave,
    });
    if (claimed.length === 0) return tried;
    tried += claimed.length;
    outcomes = await sendAll(claimed);
  }
}
