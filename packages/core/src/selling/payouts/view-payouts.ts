import type { Hex } from '@agent-marketplace/protocol/chain/chain-token.ts';
import { withChecksum } from '../../kernel/address.ts';
import type { Chain } from '../../kernel/ports/chain.ts';
import { type EpochMs, isoTime } from '../../kernel/time.ts';
import {
  type CurrentChanges,
  chooseDestination,
  frozenUntil,
  type PayoutWallet,
  type SellerRoutes,
} from '../../payouts/index.ts';
import { viewPayoutChange } from './payout-change.schema.ts';

/** Where a seller is paid now, and what is to change. */
export function viewPayouts(
  payouts: string,
  routes: SellerRoutes | null,
  { pending, cancelled }: CurrentChanges,
  at: { readonly baseUrl: string; readonly chain: Pick<Chain, 'token'> | null; readonly now: EpochMs },
) {
  const { now } = at;
  const account = routes?.account ?? null;
  const wallet = paidWallet(routes?.wallet ?? null, pending);
  const sum = { dueAt: isoTime(now), wasRefused: false };
  const chainId = at.chain?.token.chainId ?? null;
  const paid = routes && chooseDestination(routes, sum, { now, chainId });
  const changes = pending.map((change) => viewPayoutChange(change, at));
  const [next = null] = changes.map(({ effectiveAt }) => effectiveAt).sort();
  return {
    account: account && {
      country: account.country,
      detailsSubmitted: account.detailsSubmitted,
      payoutsEnabled: account.payoutsEnabled,
    },
    // Chosen as soon as a wallet is bound, which may not be paid yet.
    bearsGas: routes?.wallet?.bearsGas ?? null,
    changes,
    changesFrozenUntil: frozenUntil(cancelled, now),
    connected: payouts === 'connected',
    paidTo: paid?.kind ?? null,
    requiredFor: 'priced listings' as const,
    waitsUntil: paid === null ? next : null,
    wallet: wallet && {
      address: withChecksum(wallet.address),
      boundAt: wallet.boundAt,
      chainId: wallet.chainId,
    },
  };
}

type PaidWallet = Pick<PayoutWallet, 'address' | 'boundAt' | 'chainId'>;

/** The wallet of now: until a change takes effect it is the former one. */
function paidWallet(wallet: PaidWallet | null, pending: CurrentChanges['pending']): PaidWallet | null {
  const change = pending.find(({ kind }) => kind === 'wallet');
  if (change === undefined) return wallet;
  const { previous, previousChainId: chainId, previousSince: boundAt } = change;
  if (previous === null || chainId === null || boundAt === null) return null;
  return { address: previous as Hex, chainId, boundAt };
}
