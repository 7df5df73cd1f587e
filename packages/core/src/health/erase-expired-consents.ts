import type { Ports } from '../kernel/ports/ports.ts';
import { isoTime } from '../kernel/time.ts';
import { retentionStart } from './consent.rules.ts';
import { eraseConsents, listErasable } from './consents.store.ts';

const PAGE = 100;

/**
 * Erases consents whose retention is over: six years after the signature and the last sale, and only while the
 * listing is inactive. Returns how many it erased; the next run continues.
 */
export async function eraseExpiredConsents({ market, clock, log }: Pick<Ports, 'market' | 'clock' | 'log'>) {
  const now = isoTime(clock.now());
  const soldSince = retentionStart(now);
  const ids = await listErasable(market, now, soldSince, PAGE);
  if (ids.length === 0) return 0;
  await market.commit(eraseConsents(ids, now, soldSince));
  log.info('health_consents_erased', { listingIds: ids });
  return ids.length;
}
