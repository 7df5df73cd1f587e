import type { Ports } from '../kernel/ports/ports.ts';
import { isoTime } from '../kernel/time.ts';
import { retentionStart } from './consent.rules.ts';
import { eraseConsents, listErasable } from './consents.store.ts';

const PAGE = 100;

/**
 * Erases consents that had their time: six years from the signature, and from the last sale, of a listing
 * that is off the market. Returns how many there were; the next run goes on.
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
