import type { Ports } from '../kernel/ports/ports.ts';
import { dayOf, isoTime } from '../kernel/time.ts';
import { firstMeasuredDay, MIN_SAMPLES, viewDay } from './measure.rules.ts';
import { readDays } from './measures.store.ts';

export interface DaysMeasured {
  /** The days on which anybody had the listing asked, the first one first; none if they are too few attempts in all. */
  readonly days: readonly ReturnType<typeof viewDay>[];
  readonly from: string;
  readonly until: string;
}

/** What asking a listing's seller came to by day, in the days that its measure is of. */
export async function readDaysMeasured(
  { market, clock }: Pick<Ports, 'market' | 'clock'>,
  listingId: string,
): Promise<DaysMeasured> {
  const now = clock.now();
  const from = firstMeasuredDay(now);
  const days = await readDays(market, [listingId], from);
  const samples = days.reduce((sum, { attempts }) => sum + attempts, 0);
  return { days: samples < MIN_SAMPLES ? [] : days.map(viewDay), from, until: dayOf(isoTime(now)) };
}
