import type { CardProcessor } from '../kernel/ports/card-processor.ts';
import { WALLET_CAP_CENTS } from '../ledger/index.ts';
import { type SettlingPorts, settle } from './settle-top-up.ts';
import { findTopUp, readOpenTopUps } from './top-ups.store.ts';
import { pagesToClose } from './wallet.rules.ts';
import { readCommitments, readWallet } from './wallet.store.ts';

/**
 * Makes room under the cap for a top-up that does not fit: closes pages of the same agent that nobody paid, the oldest
 * first, and no more than are needed. False: that would not make it fit, and none is closed.
 */
export async function closeOlderPages(
  ports: SettlingPorts & { readonly cards: CardProcessor },
  agentId: string,
  amountCents: number,
): Promise<boolean> {
  const { market, cards } = ports;
  const [wallet, commitments, open] = await Promise.all([
    readWallet(market, agentId),
    readCommitments(market, agentId),
    readOpenTopUps(market, agentId),
  ]);
  const { openTopUpCents, reservedCents } = commitments;
  const countedCents = wallet.balanceCents + wallet.refundCreditCents + openTopUpCents + reservedCents;
  const shortCents = countedCents + amountCents - WALLET_CAP_CENTS;
  const closable = open.filter(({ checkoutUrl }) => checkoutUrl !== null);
  const pages = pagesToClose(closable, shortCents);
  for (const { topUpId } of pages) {
    const topUp = await findTopUp(market, topUpId);
    if (topUp === null || topUp.sessionId === null) continue;
    // The page is closed at the processor first; one that was paid just now is credited instead.
    const session = await cards.expireCheckout(`top_up:${topUpId}:expire`, topUp.sessionId);
    await settle(ports, topUp, { session });
  }
  return pages.length > 0;
}
