import type { Database } from '../kernel/ports/database.ts';
import { listTopUpPayments } from './top-ups.store.ts';
import { followCredits, type WalletLots } from './wallet-lots.rules.ts';
import { readWalletEntries } from './wallet-statement.store.ts';

/** The latest movements of a wallet; what was before them counts as one credit of nobody. */
const MOST_ENTRIES = 5000;

/** A wallet as of one moment, with where its money is from. */
export async function readWalletLots(
  market: Database,
  agentId: string,
): Promise<WalletLots & { readonly balanceCents: number }> {
  const entries = await readWalletEntries(market, agentId, { limit: MOST_ENTRIES });
  const oldest = entries.at(-1);
  const beforeCents = oldest ? oldest.balanceCents - oldest.amountCents : 0;
  return {
    ...followCredits(entries.toReversed(), beforeCents),
    balanceCents: entries[0]?.balanceCents ?? 0,
  };
}

/** The card processor's payments for the credits that paid for a purchase. */
export async function findPaymentsOfPurchase(
  market: Database,
  agentId: string,
  purchaseId: string,
): Promise<string[]> {
  const { paid } = await readWalletLots(market, agentId);
  const parts = [...(paid.get(purchaseId) ?? [])].filter(([, cents]) => cents > 0);
  return listTopUpPayments(
    market,
    parts.map(([topUpId]) => topUpId),
  );
}
