import { disconnectPayouts, recordActivation, recordSellerNotice } from '../../agents/index.ts';
import type { Statement } from '../../kernel/ports/database.ts';
import type { Ports } from '../../kernel/ports/ports.ts';
import { DAY_MS, HOUR_MS, isoTime } from '../../kernel/time.ts';
import { activatePendingListings, pauseUnpayable, refreshAfterChange } from '../../listings/index.ts';
import {
  accountStatements,
  findByAccountId,
  isAccountGone,
  listAccountsToCheck,
  setAccountChecked,
  wasEnabledBefore,
} from '../../payouts/index.ts';

type AccountPorts = Pick<Ports, 'market' | 'search' | 'clock' | 'ids' | 'log' | 'cards'>;

const BATCH = 20;

/**
 * Takes over what the processor says of a seller's account. Once it can be paid, payouts are connected and the priced
 * listings that waited for that go live. Once it cannot be paid any more, they wait, unless the seller has a wallet.
 * The seller is told of either. False: it is nobody's account here.
 */
export async function settleAccount(ports: AccountPorts, accountId: string): Promise<boolean> {
  if (ports.cards === null) return false;
  const known = await findByAccountId(ports.market, accountId);
  if (known === null) return false;
  const { ids, log } = ports;
  const { sellerId } = known;
  const state = await ports.cards.getAccount(accountId);
  const now = ports.clock.now();
  const at = isoTime(now);
  const isLost = known.payoutsEnabled && !state.payoutsEnabled;
  const isBack = !known.payoutsEnabled && known.enabledAt !== null && state.payoutsEnabled;
  if (isLost) log.error('payout_account_restricted', { sellerId });
  const notice = (type: 'payout.account_restricted' | 'payout.account_restored') =>
    recordSellerNotice(ports, sellerId, type, {}, at);
  const listingsStatement: readonly Statement[] = state.payoutsEnabled
    ? [activatePendingListings(sellerId)]
    : [pauseUnpayable(sellerId)];
  let rows: unknown[][];
  try {
    rows = await ports.market.commit([
      ...accountStatements(ports, known, state, now),
      ...(isBack ? notice('payout.account_restored') : []),
      ...(isLost ? [...notice('payout.account_restricted'), disconnectPayouts(sellerId)] : []),
      ...(state.payoutsEnabled
        ? recordActivation(sellerId, { eventId: ids.uuid(), notificationId: ids.uuid() }, at)
        : []),
      ...listingsStatement,
    ]);
  } catch (error) {
    // A report and a job at once: the other one did all this.
    if (wasEnabledBefore(error)) return true;
    if (isAccountGone(error)) return (await findByAccountId(ports.market, accountId)) !== null;
    throw error;
  }
  const changed = (rows.at(-1) as { id: string }[]).map(({ id }) => id);
  if (changed.length > 0) await refreshAfterChange(ports, changed);
  return true;
}

/** Asks about accounts whose reports may be lost: hourly of those that cannot be paid, daily of the others. */
export async function checkPayoutAccounts(ports: AccountPorts): Promise<void> {
  const { market, clock, log } = ports;
  if (ports.cards === null) return;
  const now = clock.now();
  const page = { unableSince: isoTime(now - HOUR_MS), ableSince: isoTime(now - DAY_MS), limit: BATCH };
  for (const accountId of await listAccountsToCheck(market, page)) {
    try {
      await settleAccount(ports, accountId);
    } catch (error) {
      log.error('payout_account_unknown', { accountId, message: String(error) });
      await market.commit([setAccountChecked(accountId, isoTime(now))]).catch(() => {});
    }
  }
}
