import type { BalanceEntry, BalanceEntryPage } from '../../kernel/ports/card-processor.ts';
import type { Ports } from '../../kernel/ports/ports.ts';
import { splitIntoBatches } from '../../kernel/split-into-batches.ts';
import { DAY_MS, epochOf, isoTime, MINUTE_MS } from '../../kernel/time.ts';
import { post } from '../ledger.store.ts';
import { compareProcessorEntries } from './compared-objects.store.ts';
import {
  insertProcessorEntry,
  isReadAlready,
  listNewEntries,
  type ProcessorReading,
  readProcessorReading,
  setProcessorReading,
} from './processor-entries.store.ts';
import { postingsOfEntry } from './processor-entry.rules.ts';

/** In one run: the next one goes on. */
const MOST_PAGES = 20;
/** Entries in one transaction. */
const BATCH = 25;
/** An entry may show a little after the moment that it bears. */
const OVERLAP_MS = 10 * MINUTE_MS;
/** Once a day, for those that show much later. */
const LOOK_BACK_MS = 7 * DAY_MS;

type BookingPorts = Pick<Ports, 'market' | 'cards' | 'clock' | 'ids' | 'log'>;

/**
 * Reads what moved the platform's balance at the card processor, and posts what no sale posts: fees, bank payouts,
 * funding, transfers reversed. An entry is recorded and posted in one transaction, so that it is posted once however
 * often it is read; a reading that breaks off goes on where it was, and is followed by one of what came since. Answers
 * whether nothing is left for the next run.
 */
export async function bookProcessorEntries(ports: BookingPorts): Promise<boolean> {
  const { market, cards, clock, log } = ports;
  if (cards === null) return true;
  const before = await readProcessorReading(market);
  const now = clock.now();
  const isUnderWay = before.since !== null && before.beganAt !== null;
  const isLookingBack = before.lookedBackAt === null || epochOf(before.lookedBackAt) <= now - DAY_MS;
  const since = isUnderWay ? before.since : sinceOf(before, isLookingBack);
  const beganAt = isUnderWay ? before.beganAt : isoTime(now);
  let after = isUnderWay ? before.afterEntry : null;
  for (let pages = 0; pages < MOST_PAGES; pages += 1) {
    const page = await cards.listBalanceEntries({ sinceMs: epochOf(since ?? EVER), after });
    for (const entries of splitIntoBatches(await listNewEntries(market, page.entries), BATCH))
      await bookEntries(ports, entries);
    after = page.next;
    if (after === null) break;
    await market.commit([setProcessorReading({ since, beganAt, afterEntry: after })]);
  }
  if (after !== null) {
    log.info('processor_entries_left', { since, after });
    return false;
  }
  const lookedBack = since === sinceOf(before, true) ? { lookedBackAt: beganAt } : {};
  const over = { since: null, beganAt: null, afterEntry: null };
  await market.commit([setProcessorReading({ ...over, readUntil: beganAt, ...lookedBack })]);
  return isUnderWay ? bookProcessorEntries(ports) : true;
}

/**
 * Whether nothing moved the processor's balance that was not read: where something did, another sum than the ledger's is
 * no difference yet.
 */
export async function isProcessorRead({ market, cards }: Pick<Ports, 'market' | 'cards'>): Promise<boolean> {
  const reading = await readProcessorReading(market);
  if (cards === null || reading.readUntil === null) return false;
  const sinceMs = epochOf(sinceOf(reading, false));
  let after: string | null = null;
  for (let pages = 0; pages < MOST_PAGES; pages += 1) {
    const page: BalanceEntryPage = await cards.listBalanceEntries({ sinceMs, after });
    if ((await listNewEntries(market, page.entries)).length > 0) return false;
    if (page.next === null) return true;
    after = page.next;
  }
  return false;
}

const EVER = isoTime(0);

function sinceOf({ readUntil }: ProcessorReading, isLookingBack: boolean): string {
  if (readUntil === null) return EVER;
  return isoTime(epochOf(readUntil) - (isLookingBack ? LOOK_BACK_MS : OVERLAP_MS));
}

async function bookEntries(ports: BookingPorts, entries: readonly BalanceEntry[]): Promise<void> {
  if (entries.length === 0) return;
  const { market, clock, ids, log } = ports;
  const at = isoTime(clock.now());
  const statements = entries.flatMap((entry) => [
    insertProcessorEntry(entry),
    ...postingsOfEntry(entry).map((posting) => post(posting, ids.uuid(), at)),
  ]);
  try {
    await market.commit([...statements, compareProcessorEntries(entries.map(({ entryId }) => entryId))]);
  } catch (error) {
    if (!isReadAlready(error)) throw error;
    // Another run recorded some of them since they were looked up: the others are left.
    return bookEntries(ports, await listNewEntries(market, entries));
  }
  for (const { entryId, kind, type, amountCents, currency } of entries) {
    if (kind === 'other') log.error('processor_entry_unexplained', { entryId, type, amountCents, currency });
  }
}
