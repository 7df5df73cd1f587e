import type { Database } from '../kernel/ports/database.ts';
import { readWallet, type WalletCard } from './wallet.store.ts';

/** What an agent can pay with, without a person. */
export interface WalletFunds {
  readonly balanceCents: number;
  readonly card: WalletCard | null;
}

/** The balance may change before a purchase takes it: only the posting decides whether it suffices. */
export async function walletFunds(db: Database, agentId: string): Promise<WalletFunds> {
  const { balanceCents, card } = await readWallet(db, agentId);
  return { balanceCents, card };
}
