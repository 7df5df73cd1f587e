import type * as z from 'zod';
import type { Database } from '../kernel/ports/database.ts';
import type { transaction } from './wallet.schema.ts';
import { readWalletEntries, type WalletEntry } from './wallet-statement.store.ts';

type Transaction = z.output<typeof transaction>;

/** The wallet's part of the ledger, newest first. */
export async function readTransactions(
  db: Database,
  agentId: string,
  page: { limit: number; offset?: number },
): Promise<Transaction[]> {
  return (await readWalletEntries(db, agentId, page)).map(viewEntry);
}

function viewEntry(entry: WalletEntry): Transaction {
  const { amountCents, balanceCents, createdAt, kind, listingTitle, postingId, reference } = entry;
  const isTopUp = Boolean(entry.isOfTopUp);
  // The reference of what was moved more than once has more to it.
  const [about = null] = reference.split(':');
  return {
    amountCents,
    balanceCents,
    createdAt,
    id: postingId,
    kind: kind as Transaction['kind'],
    listingTitle: isTopUp ? null : listingTitle,
    purchaseId: isTopUp ? null : about,
    topUpId: isTopUp ? about : null,
  };
}
