import type { z } from 'zod';
import type { Database } from '../kernel/ports/database.ts';
import { type AccountEntry, readStatement, walletAccount } from '../ledger/index.ts';
import { readTitles } from './statement-titles.store.ts';
import type { transaction } from './wallet.schema.ts';

type Transaction = z.output<typeof transaction>;

/** The wallet's part of the ledger, newest first. */
export async function readTransactions(
  db: Database,
  agentId: string,
  page: { limit: number; offset?: number },
): Promise<Transaction[]> {
  const account = walletAccount(agentId);
  const [entries, titles] = await Promise.all([
    readStatement(db, account, page),
    readTitles(db, account, page),
  ]);
  return entries.map((entry) => viewEntry(entry, titles));
}

function viewEntry(entry: AccountEntry, titles: ReadonlyMap<string, string>): Transaction {
  const { amountCents, balanceCents, createdAt, kind, postingId, reference } = entry;
  const isTopUp = kind === 'top_up' || kind === 'chargeback';
  return {
    amountCents,
    balanceCents,
    createdAt,
    id: postingId,
    kind: kind as Transaction['kind'],
    listingTitle: titles.get(reference) ?? null,
    purchaseId: isTopUp ? null : reference,
    // A chargeback's reference has more to it.
    topUpId: isTopUp ? (reference.split(':')[0] ?? null) : null,
  };
}
