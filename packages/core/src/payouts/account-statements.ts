import { recordSellerNotice } from '../agents/index.ts';
import type { Statement } from '../kernel/ports/database.ts';
import type { Ids } from '../kernel/ports/ids.ts';
import { type EpochMs, isoTime } from '../kernel/time.ts';
import { type PayoutAccount, requireNeverEnabled, saveAccountState } from './payout-accounts.store.ts';
import { takesEffectAt } from './payout-change.rules.ts';
import { insertPayoutChange, type PayoutChange } from './payout-changes.store.ts';
import { requestNotice } from './payout-notice.rules.ts';

/**
 * Takes over what the processor says of an account. One that waits (`waitHours`) becomes a change that can be cancelled,
 * once it can be paid for the first time: the statements abort if that was before (`wasEnabledBefore`).
 */
export function accountStatements(
  ports: { readonly ids: Ids },
  account: PayoutAccount,
  state: Pick<PayoutAccount, 'payoutsEnabled' | 'detailsSubmitted'>,
  now: EpochMs,
): Statement[] {
  const at = isoTime(now);
  const saved = saveAccountState(account, state, at);
  if (!state.payoutsEnabled || account.enabledAt !== null || account.waitHours === 0) return saved;
  const { sellerId, accountId, setBy, waitHours } = account;
  const change: PayoutChange = {
    id: ports.ids.uuid(),
    sellerId,
    kind: 'account',
    destination: accountId,
    chainId: null,
    previous: null,
    previousChainId: null,
    previousSince: null,
    requestedBy: setBy,
    requestedAt: at,
    effectiveAt: takesEffectAt(now, waitHours),
    cancelledAt: null,
    cancelledBy: null,
    announcedAt: null,
  };
  return [
    requireNeverEnabled(account),
    ...saved,
    insertPayoutChange(change),
    ...recordSellerNotice(ports, sellerId, 'payout.change_requested', requestNotice(change), at),
  ];
}
