import type { Ports } from '../../kernel/ports/ports.ts';
import { walletAccount } from '../../ledger/index.ts';
import { type BalanceReturn, planBalanceReturn } from '../../wallet/index.ts';
import { type Blocker, readBlockers } from './blockers.store.ts';

export interface ErasureTerms {
  readonly balance: BalanceReturn;
  /** What has to end first. What no card takes back is one too, unless it is given up. */
  readonly blockers: readonly Blocker[];
}

/** What an erasure of the account would mean now. */
export async function readErasureTerms(
  ports: Pick<Ports, 'market' | 'cards' | 'clock'>,
  agentId: string,
  { givesUpBalance }: { readonly givesUpBalance: boolean },
): Promise<ErasureTerms> {
  const [balance, open] = await Promise.all([
    planBalanceReturn(ports, agentId),
    readBlockers(ports.market, agentId, ports.clock.now()),
  ]);
  const isStuck = balance.leftCents > 0 && !givesUpBalance;
  const ofBalance: Blocker[] = isStuck ? [{ kind: 'balance', reference: walletAccount(agentId) }] : [];
  return { balance, blockers: [...open, ...ofBalance] };
}
