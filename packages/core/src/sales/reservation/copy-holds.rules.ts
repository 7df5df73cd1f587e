import { DAY_MS, type EpochMs, epochOf, type IsoTime, isoTime, MINUTE_MS } from '../../kernel/time.ts';

/** How long a copy of a limited or exclusive listing is held for whoever paid on a page and does not collect. */
const COPY_HOLD_MS = 30 * MINUTE_MS;
/** So many may be open, or have lapsed within a day. */
const MAX_HOLDS = 2;

/** A hold that is open, or that lapsed although nobody but its buyer was in the way. */
export interface CopyHold {
  readonly heldUntil: IsoTime;
  readonly isLapsed: boolean;
}

/** Until when a copy is held that is paid for now; never longer than the money can be captured. */
export function copyHeldUntil(collectUntil: IsoTime, now: EpochMs): IsoTime {
  return isoTime(Math.min(epochOf(collectUntil), now + COPY_HOLD_MS));
}

/**
 * When a copy can be held again for a buyer or a card that has had these holds; null: now. After two that lapsed within
 * a day, a day later. Open ones count, too, since many that are opened at once would all lapse.
 */
export function nextHoldAt(holds: readonly CopyHold[], now: EpochMs): IsoTime | null {
  const lapses = holds.filter(({ isLapsed }) => isLapsed).map(({ heldUntil }) => epochOf(heldUntil));
  lapses.sort((one, other) => other - one);
  const [last = 0, before = 0] = lapses;
  if (before > 0 && last - before <= DAY_MS && now < last + DAY_MS) return isoTime(last + DAY_MS);
  const open = holds.filter(({ isLapsed }) => !isLapsed).map(({ heldUntil }) => epochOf(heldUntil));
  const recent = last > now - DAY_MS ? 1 : 0;
  if (open.length === 0 || open.length + recent < MAX_HOLDS) return null;
  return isoTime(Math.max(now, Math.min(...open)));
}
