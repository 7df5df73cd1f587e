import { recordSellerNotice } from '../agents/index.ts';
import type { Ports } from '../kernel/ports/ports.ts';
import { isoTime } from '../kernel/time.ts';
import { isAnnounced, listUnannouncedChanges, markAnnounced } from './payout-changes.store.ts';
import { changedNotice } from './payout-notice.rules.ts';

const AT_ONCE = 50;

/** Tells sellers of the changes that took effect: by their time alone, whether this job runs or not. Returns how many. */
export async function announcePayoutChanges(ports: Pick<Ports, 'market' | 'ids' | 'clock'>): Promise<number> {
  const at = isoTime(ports.clock.now());
  const changes = await listUnannouncedChanges(ports.market, at, AT_ONCE);
  for (const change of changes) {
    const notices = recordSellerNotice(ports, change.sellerId, 'payout.changed', changedNotice(change), at);
    try {
      await ports.market.commit([...markAnnounced(change.id, at), ...notices]);
    } catch (error) {
      // Another run of the job was faster.
      if (!isAnnounced(error)) throw error;
    }
  }
  return changes.length;
}
