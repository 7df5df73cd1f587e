import type { z } from 'zod';
import type { Database } from '../kernel/ports.ts';
import { type AccountEntry, readStatement, walletAccount } from '../ledger/index.ts';
import type { transaction } from './wallet.schema.ts';

type Transaction = z.output<typeof transaction>;

/** The wallet's part of the ledger, newest first. */
export async function readTransactions(
  db: Database,
  agentId: string,
  page: { limit: number; offset?: number },
): Promise<Transaction[]> {
  return (await readStatement(db, walletAccount(agentId), page)).map(viewEntry);
}

function viewEntry({
  amountCents,
  balanceCents,
  createdAt,
  entryId,
  kind,
  reference,
}: AccountEntry): Transaction {
  const isTopUp = kind === 'top_up' || kind === 'chargeback';
  return {
    amountCents,
    balanceCents,
    createdAt,
    id: String(entryId),
    kind: kind as Transaction['kind'],
    purchaseId: isTopUp ? null : reference,
    // A chargeback's reference has more to it.
    topUpId: isTopUp ? (reference.split(':')[0] ?? null) : null,
  };
}
