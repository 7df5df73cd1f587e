import type { Ports } from '../../kernel/ports/ports.ts';
import { isoTime } from '../../kernel/time.ts';
import { compareEntries, isComparedAlready, readLedgerComparison } from './compared-ledger.store.ts';

const ENTRIES = 2000;
/** In one run: the next one goes on. */
const MOST_STEPS = 10;

/** Counts what was posted since the last run to the objects outside that it names. Nothing is counted twice. */
export async function compareLedgerEntries({
  market,
  clock,
}: Pick<Ports, 'market' | 'clock'>): Promise<void> {
  for (let steps = 0; steps < MOST_STEPS; steps += 1) {
    const until = isoTime(clock.now());
    const { afterEntryId: after, lastEntryId } = await readLedgerComparison(market);
    const upTo = Math.min(after + ENTRIES, lastEntryId);
    const isLast = upTo === lastEntryId;
    try {
      await market.commit(compareEntries({ after, upTo, until: isLast ? until : null }));
    } catch (error) {
      if (isComparedAlready(error)) return;
      throw error;
    }
    if (isLast) return;
  }
}
