import { randomUUID } from 'node:crypto';
import { topUp, WALLET_CAP_CENTS, walletAccount } from '@agent-marketplace/core/ledger/ledger.rules.ts';
import type { Databases } from './fill.ts';

/** Fills an agent's wallet to its cap, by a posting like any other. */
export async function fillWallet({ market }: Databases, agentId: string): Promise<void> {
  const account = walletAccount(agentId);
  const balances = await market
    .prepare(`SELECT balance_cents AS cents FROM ledger_accounts
    WHERE account = '${account}'`)
    .all();
  const { cents } = (balances.results[0] ?? { cents: 0 }) as { cents: number };
  if (cents === WALLET_CAP_CENTS) return;
  const id = randomUUID();
  const { kind, reference, legs } = topUp({ topUpId: id, agentId, amountCents: WALLET_CAP_CENTS - cents });
  await market
    .prepare('INSERT INTO ledger_postings (id, kind, reference, legs, created_at) VALUES (?, ?, ?, ?, ?)')
    .bind(id, kind, reference, JSON.stringify(legs), new Date().toISOString())
    .run();
}
