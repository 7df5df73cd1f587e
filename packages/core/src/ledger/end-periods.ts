import type { Ports } from '../kernel/ports/ports.ts';
import { endOf, monthAfter, monthOf, settledMonths } from './period.rules.ts';
import {
  findFirstPosting,
  findLastEntryBefore,
  insertPeriod,
  listPeriods,
  readBalancesUpTo,
} from './periods.store.ts';

/** After a long silence the rest follows a minute later. */
const AT_ONCE = 12;

/** Fixes the last entry of each month that is over, so that its statements are final. */
export async function endPeriods({ market, clock }: Pick<Ports, 'market' | 'clock'>): Promise<void> {
  const [newest] = await listPeriods(market, { before: '9999-12', limit: 1 });
  const began = newest ? null : await findFirstPosting(market);
  if (!newest && began === null) return;
  const from = newest ? monthAfter(newest.month) : monthOf(began ?? '');
  let lastEntryId = newest?.lastEntryId ?? 0;
  for (const month of settledMonths(from, clock.now(), AT_ONCE)) {
    // What was carried when records ended has a negative number, and is of an earlier month.
    lastEntryId = Math.max(lastEntryId, await findLastEntryBefore(market, endOf(month)));
    const carried = await readBalancesUpTo(market, lastEntryId);
    await market.commit([insertPeriod(month, lastEntryId, carried)]);
  }
}
