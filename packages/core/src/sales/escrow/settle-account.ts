import { recordActivation } from '../../agents/index.ts';
import type { Ports } from '../../kernel/ports/ports.ts';
import { isoTime } from '../../kernel/time.ts';
import { activatePendingListings, refreshAfterChange } from '../../listings/index.ts';
import { accountStatements, findByAccountId, isAccountGone, wasEnabledBefore } from '../../payouts/index.ts';

/**
 * Takes over what the processor says of a seller's account. Once it can be paid, payouts are connected and
 * the priced listings that waited for that go live. False: it is nobody's account here.
 */
export async function settleAccount(
  ports: Pick<Ports, 'market' | 'search' | 'clock' | 'ids' | 'log' | 'cards'>,
  accountId: string,
): Promise<boolean> {
  if (ports.cards === null) return false;
  const known = await findByAccountId(ports.market, accountId);
  if (known === null) return false;
  const { ids } = ports;
  const state = await ports.cards.getAccount(accountId);
  const now = ports.clock.now();
  let rows: unknown[][];
  try {
    rows = await ports.market.commit([
      ...accountStatements(ports, known, state, now),
      ...(state.payoutsEnabled
        ? [
            ...recordActivation(
              known.sellerId,
              { eventId: ids.uuid(), notificationId: ids.uuid() },
              isoTime(now),
            ),
            activatePendingListings(known.sellerId),
          ]
        : []),
    ]);
  } catch (error) {
    // A report and a job at once: the other one did all this.
    if (wasEnabledBefore(error)) return true;
    if (isAccountGone(error)) return false;
    throw error;
  }
  const live = state.payoutsEnabled ? (rows.at(-1) as { id: string }[]).map(({ id }) => id) : [];
  if (live.length > 0) await refreshAfterChange(ports, live);
  return true;
}
