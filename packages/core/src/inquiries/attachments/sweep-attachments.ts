import type { Ports } from '../../kernel/ports/ports.ts';
import { DAY_MS, type EpochMs, isoTime, MINUTE_MS } from '../../kernel/time.ts';
import { claimOrphans, expireAttachments, forgetOrphans, noteStrayBytes } from './attachments.store.ts';

/** Longer than any request takes: bytes that no message has by then will never get one. */
const ABANDONED_MS = DAY_MS;
/** After a thread was closed. Its messages stay. */
const KEPT_MS = 90 * DAY_MS;
const AT_ONCE = 500;

/** Three hex digits: 4096 parts of the store, each of which is looked through once a day. */
const PREFIXES = 16 ** 3;
const PREFIXES_PER_MINUTE = 3;

/** The parts of the store whose turn it is in this minute of the day. */
export function prefixesAt(now: EpochMs): string[] {
  const first = Math.floor((now % DAY_MS) / MINUTE_MS) * PREFIXES_PER_MINUTE;
  const numbers = Array.from({ length: PREFIXES_PER_MINUTE }, (_, n) => first + n);
  return numbers.filter((n) => n < PREFIXES).map((n) => n.toString(16).padStart(3, '0'));
}

/** Removes the bytes of messages that were never committed and of threads that closed long ago, and counts them. */
export async function sweepAttachments({
  market,
  attachments,
  clock,
  ids,
}: Pick<Ports, 'market' | 'attachments' | 'clock' | 'ids'>): Promise<number> {
  if (attachments === null) return 0;
  const now = clock.now();
  await expireAttachments(market, isoTime(now - KEPT_MS), isoTime(now), AT_ONCE);
  for (const prefix of prefixesAt(now)) {
    const stored = await attachments.list(prefix);
    await noteStrayBytes(market, stored ?? [], { messageId: ids.uuid(), startedAt: isoTime(now) });
  }
  const orphans = await claimOrphans(market, isoTime(now - ABANDONED_MS), AT_ONCE);
  if (orphans.length === 0) return 0;
  if ((await attachments.remove(orphans)) === 'unavailable') return 0;
  await forgetOrphans(market, orphans);
  return orphans.length;
}
