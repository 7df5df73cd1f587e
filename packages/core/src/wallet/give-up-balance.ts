import type { Database, Statement } from '../kernel/ports/database.ts';
import type { IsoTime } from '../kernel/time.ts';
import { giveUp, post, readBalances, refundCreditAccount, walletAccount } from '../ledger/index.ts';

/**
 * What is left in a wallet, and what came back and did not fit, given up by its owner, who agreed to `mostCents` (null:
 * to whatever it is). Nothing where it is more than that. Commit it with what ends it.
 */
export async function giveUpBalance(
  market: Database,
  agentId: string,
  mostCents: number | null,
  postingId: string,
  at: IsoTime,
): Promise<Statement[]> {
  const accounts = [walletAccount(agentId), refundCreditAccount(agentId)];
  const balances = await readBalances(market, accounts);
  const amountCents = accounts.reduce((sum, account) => sum + (balances.get(account) ?? 0), 0);
  const isAgreed = amountCents > 0 && amountCents <= (mostCents ?? amountCents);
  return isAgreed ? [post(giveUp(agentId, amountCents), postingId, at)] : [];
}
