import type { Database } from '../../kernel/ports/database.ts';
import { epochOf, type IsoTime, isoTime, MINUTE_MS } from '../../kernel/time.ts';
import { endOf, type Month } from '../period.rules.ts';
import {
  type ComparedObject,
  countObjects,
  listUnmatched,
  type ObjectCount,
} from './compared-objects.store.ts';
import { readProcessorReading } from './processor-entries.store.ts';

export interface ObjectComparison {
  readonly counts: readonly ObjectCount[];
  /** A page of what does not match. */
  readonly unmatched: readonly ComparedObject[];
  readonly nextAfter: string | null;
  /** Up to when the processor's entries were read; null: never. */
  readonly readUntil: IsoTime | null;
}

const PAGE = 100;
/** What is posted just now may be read at the processor in the next minute, and the other way round. */
const SETTLES_IN_MS = 5 * MINUTE_MS;

/** Each payment, refund, transfer, dispute and movement of the balance of a month against the postings that name it. */
export async function compareObjects(db: Database, month: Month, after: string): Promise<ObjectComparison> {
  const { readUntil } = await readProcessorReading(db);
  if (readUntil === null) return { counts: [], unmatched: [], nextAfter: null, readUntil };
  const settled = isoTime(epochOf(readUntil) - SETTLES_IN_MS);
  const end = endOf(month);
  const period = { since: `${month}-01T00:00:00.000Z`, until: [settled, end].toSorted()[0] ?? end };
  const [counts, found] = await Promise.all([
    countObjects(db, period),
    listUnmatched(db, { ...period, after, limit: PAGE + 1 }),
  ]);
  const unmatched = found.slice(0, PAGE);
  const nextAfter = found.length > PAGE ? (unmatched.at(-1)?.id ?? null) : null;
  return { counts, unmatched, nextAfter, readUntil };
}

/** Whether all of a month that is over was read at the processor, and matches. */
export async function isMatched(db: Database, month: Month): Promise<boolean> {
  const { unmatched, readUntil } = await compareObjects(db, month, '');
  const isRead = readUntil !== null && epochOf(readUntil) >= epochOf(endOf(month)) + SETTLES_IN_MS;
  return isRead && unmatched.length === 0;
}
