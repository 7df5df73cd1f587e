import type { Ports } from '../../kernel/ports/ports.ts';
import { DAY_MS, isoTime } from '../../kernel/time.ts';
import { claimOrphans, expireAttachments, forgetOrphans } from './attachments.store.ts';

/** Longer than any request takes: bytes that no message has by then will never get one. */
const ABANDONED_MS = DAY_MS;
/** After a thread was closed. Its messages stay. */
const KEPT_MS = 90 * DAY_MS;
const AT_ONCE = 500;

/** Removes the bytes of messages that were never committed and of threads that closed long ago, and counts them. */
export async function sweepAttachments({
  market,
  attachments,
  clock,
}: Pick<Ports, 'market' | 'attachments' | 'clock'>): Promise<number> {
  if (attachments === null) return 0;
  const now = clock.now();
  await expireAttachments(market, isoTime(now - KEPT_MS), isoTime(now), AT_ONCE);
  const orphans = await claimOrphans(market, isoTime(now - ABANDONED_MS), AT_ONCE);
  if (orphans.length === 0) return 0;
  if ((await attachments.remove(orphans)) === 'unavailable') return 0;
  await forgetOrphans(market, orphans);
  return orphans.length;
}
