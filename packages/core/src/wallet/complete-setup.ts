import type { Ports } from '../kernel/ports/ports.ts';
import { saveCard } from './wallet.store.ts';

/**
 * Saves the card of a completed setup page with the agent that asked for it. Safe to call any number of
 * times, in any order. False: the setup is not complete, or a later one saved a card already.
 */
export async function completeSetup(
  { market, cards }: Pick<Ports, 'market' | 'cards'>,
  sessionId: string,
): Promise<boolean> {
  const setup = await cards?.getSetup(sessionId);
  if (!setup) return false;
  const [rows] = await market.commit(saveCard(sessionId, setup.agentId, setup.card));
  return rows?.length === 1;
}
