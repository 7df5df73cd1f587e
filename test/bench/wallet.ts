import { randomUUID } from 'node:crypto';
import type { Database } from '@agent-marketplace/core/kernel/ports/database.ts';
import {
  post,
  readBalance,
  topUp,
  WALLET_CAP_CENTS,
  walletAccount,
} from '@agent-marketplace/core/ledger/index.ts';

/** Fills an agent's wallet to its cap, by a posting like any other. */
export async function fillWallet(market: Database, agentId: string): Promise<void> {
  const balanceCents = await readBalance(market, walletAccount(agentId));
  if (balanceCents === WALLET_CAP_CENTS) return;
  const topUpId = randomUUID();
  const posting = topUp({ topUpId, agentId, amountCents: WALLET_CAP_CENTS - balanceCents });
  await market.commit([post(posting, topUpId, new Date().toISOString())]);
}
