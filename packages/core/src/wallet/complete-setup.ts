import type { Ports } from '../kernel/ports/ports.ts';
import { saveCard } from './wallet.store.ts';

/**
 * Saves the card of a completed setup page with the agent that asked for it. Safe to call any number of
 * times, in any order. False: there is nothing to save, or a later setup saved a card already.
 */
export async function completeSetup(
  { market, cards }: Pick<Ports, 'market' | 'cards'>,
  sessionId: string,
): Promise<boolean> {
  const setup = await cards?.getSetup(sessionId);
  if (!setup) return false;
  const [saved] = await market.commit([saveCard(sessionId, setup.agentId, setup.card)]);
  return saved?.length === 1;
}
