import type { Ports } from '../kernel/ports.ts';
import { DAY_MS, isoTime } from '../kernel/time.ts';
import { forgetOrphans, takeOrphans } from './attachments.store.ts';

/** Longer than any request lives: what is nobody's after it will be nobody's. */
const ABANDONED_MS = DAY_MS;
const AT_ONCE = 500;

/** Removes the bytes of messages that never came to be. Returns how many were removed. */
export async function sweepAttachments({
  market,
  attachments,
  clock,
}: Pick<Ports, 'market' | 'attachments' | 'clock'>): Promise<number> {
  if (attachments === null) return 0;
  const orphans = await takeOrphans(market, isoTime(clock.now() - ABANDONED_MS), AT_ONCE);
  if (orphans.length === 0) return 0;
  if ((await attachments.remove(orphans)) === 'unavailable') return 0;
  await forgetOrphans(market, orphans);
  return orphans.length;
}
