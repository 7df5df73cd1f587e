import type { Database } from '../../kernel/ports/database.ts';
import { type EpochMs, HOUR_MS, isoTime } from '../../kernel/time.ts';
import { type OverdueRow, overdueRows } from './overdue.rules.ts';
import { readOverdue } from './overdue.store.ts';

/** Jobs try again for some time by themselves: what is younger is no matter for a person. */
const GRACE_MS = HOUR_MS;

/** What should have happened by now, the longest waiting first: of each source no more than `limit`. */
export async function findOverdue(
  market: Database,
  now: EpochMs,
  limit: number,
  after: { readonly createdAt: string; readonly id: string } | null = null,
): Promise<OverdueRow[]> {
  const facts = await readOverdue(market, {
    after: after?.createdAt ?? '',
    afterId: after?.id ?? '',
    until: isoTime(now - GRACE_MS),
    // As the reconciliation does.
    topUpsUntil: isoTime(now - 2 * GRACE_MS),
    limit,
  });
  return overdueRows(facts);
}
