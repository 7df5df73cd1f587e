import { recordSellerNotice } from '../agents/index.ts';
import { Refusal } from '../kernel/errors.ts';
import type { Statement } from '../kernel/ports/database.ts';
import type { Ports } from '../kernel/ports/ports.ts';
import { type EpochMs, isoTime } from '../kernel/time.ts';
import { frozenUntil, isAtOnce, takesEffectAt } from './payout-change.rules.ts';
import {
  findCurrentChanges,
  findPayoutRoutes,
  hasDestination,
  insertPayoutChange,
  type PayoutChange,
  requireChangeable,
  type SellerRoutes,
} from './payout-changes.store.ts';
import { requestNotice, walletNotice } from './payout-notice.rules.ts';
import { type PayoutChallenge, saveSignedWallet } from './payout-wallets.store.ts';
import { changesFrozen, payoutErrors } from './payouts.errors.ts';

export interface WalletBinding {
  /** Null: the wallet is paid from now on. */
  readonly change: PayoutChange | null;
  readonly statements: readonly Statement[];
}

/**
 * How the wallet of a signed challenge becomes its seller's, asked for with the key: at once, or by a change that can
 * be cancelled. Its statements abort if another request changed what was seen here (`isNotChangeable`).
 */
export async function planWalletBinding(
  ports: Pick<Ports, 'market' | 'ids'>,
  challenge: PayoutChallenge,
  { now, hours }: { readonly now: EpochMs; readonly hours: number },
): Promise<WalletBinding> {
  const { sellerId, address, chainId } = challenge;
  const at = isoTime(now);
  const [routes, { pending, cancelled }] = await Promise.all([
    findPayoutRoutes(ports.market, [sellerId], at),
    findCurrentChanges(ports.market, sellerId, now),
  ]);
  const seen: SellerRoutes = routes.get(sellerId) ?? { sellerId, wallet: null, account: null, changes: [] };
  const isFirst = !hasDestination(seen);
  const frozen = frozenUntil(cancelled, now, { isFirst });
  if (frozen !== null) throw changesFrozen(frozen);
  const earlier = pending.find(({ kind }) => kind === 'wallet');
  if (earlier !== undefined) {
    const detail = `The change ${earlier.id} takes effect at ${earlier.effectiveAt}.`;
    throw new Refusal(payoutErrors.payout_change_pending, { detail });
  }
  const { wallet } = seen;
  const saved = [requireChangeable(seen, now), ...saveSignedWallet(challenge, at)];
  if (wallet?.address === address && wallet.chainId === chainId) return { change: null, statements: saved };

  if (isAtOnce('key', { hasDestination: !isFirst, hours, hasCancelled: cancelled.length > 0 })) {
    const notice = walletNotice({ changeId: null, destination: address, chainId });
    const notices = recordSellerNotice(ports, sellerId, 'payout.changed', notice, at);
    return { change: null, statements: [...saved, ...notices] };
  }
  const change: PayoutChange = {
    id: ports.ids.uuid(),
    sellerId,
    kind: 'wallet',
    destination: address,
    chainId,
    previous: wallet?.address ?? null,
    previousChainId: wallet?.chainId ?? null,
    previousSince: wallet?.boundAt ?? null,
    requestedBy: 'key',
    requestedAt: at,
    effectiveAt: takesEffectAt(now, hours),
    cancelledAt: null,
    cancelledBy: null,
    announcedAt: null,
  };
  const notices = recordSellerNotice(ports, sellerId, 'payout.change_requested', requestNotice(change), at);
  return { change, statements: [...saved, insertPayoutChange(change), ...notices] };
}
