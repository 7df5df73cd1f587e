import type { Ports } from '../../kernel/ports/ports.ts';
import { weighAll } from './buyer-weight.rules.ts';
import { readPaidMore, readToWeigh, saveWeights, weighAgain } from './buyer-weights.store.ts';

/** How many one run takes. The next one, a minute later, continues. */
const LIMITS = { buyers: 100, weights: 2000 };

/**
 * Sets what each buyer weighs in the reputation of a seller and the quality of its listings. A job does it, so that
 * neither a purchase nor a rating pays for reading what its buyer paid elsewhere.
 */
export async function weighBuyers({ market }: Pick<Ports, 'market'>, limits = LIMITS): Promise<void> {
  const paidMore = await readPaidMore(market, limits.buyers);
  if (paidMore.length > 0) await market.commit(weighAgain(paidMore));
  const buyers = await readToWeigh(market, limits.weights);
  if (buyers.length > 0) await market.commit([saveWeights(weighAll(buyers))]);
}
