import { type Chain, UNITS_PER_CENT } from '../../kernel/ports/chain.ts';
import type { Ports } from '../../kernel/ports/ports.ts';
import { isoTime } from '../../kernel/time.ts';
import { bookTabReturn } from '../../ledger/index.ts';
import { retryAt } from '../sale-terms.rules.ts';
import {
  beginReturn,
  endReturn,
  hasRests,
  isReturnedBefore,
  listRests,
  postponeReturn,
  type Rest,
} from './tabs.store.ts';

type ReturnPorts = Pick<Ports, 'market' | 'chain' | 'ids' | 'clock' | 'log'>;

const PAYERS = 20;

/**
 * Sends back what is left of closed tabs, less its gas: of one payer together. What is less than the gas stays the payer's,
 * and goes back with the rest of its next tab; so does what an account is refused, as one that the token lets nobody pay.
 */
export async function returnRests(ports: ReturnPorts): Promise<void> {
  const { chain, market, clock, log } = ports;
  if (chain === null) return;
  const { chainId } = chain.token;
  if (!(await hasRests(market, chainId))) return;
  const gasCents = await gasCentsOf(chain);
  if (gasCents === null) return;
  const rests = await listRests(market, { chainId, gasCents, now: isoTime(clock.now()), limit: PAYERS });
  for (const rest of rests) {
    await returnRest({ ...ports, chain }, rest, gasCents).catch((error: unknown) => {
      log.error('tab_rest_delayed', { payer: rest.payer, message: String(error) });
    });
  }
}

/** What sending back costs now, in whole cents; null: nobody knows. */
export async function gasCentsOf(chain: Chain): Promise<number | null> {
  const gas = await chain.gas();
  return gas && Number((gas.payoutUnits + UNITS_PER_CENT - 1n) / UNITS_PER_CENT);
}

async function returnRest(
  ports: ReturnPorts & { readonly chain: Chain },
  rest: Rest,
  gasNow: number,
): Promise<void> {
  const { chain, market, ids, clock, log } = ports;
  if (rest.returnId === null) {
    // What is sent together, and its gas, is written before it is asked for: asked for again, it is the same.
    await market.commit([beginReturn(rest, gasNow)]);
    return;
  }
  const { returnId, restCents, gasCents, attempts } = rest;
  const sentCents = restCents - (gasCents ?? 0);
  const units = BigInt(sentCents) * UNITS_PER_CENT;
  const outcome = await chain.pay({ reference: `tab_rest:${returnId}`, to: rest.payer, units });
  switch (outcome.kind) {
    case 'paid': {
      const { transaction } = outcome;
      const booked = bookTabReturn(
        { id: returnId, transaction, restCents, gasCents: gasCents ?? 0 },
        ids.uuid(),
        isoTime(clock.now()),
      );
      await market.commit([...endReturn(returnId, transaction), ...booked]).catch((error: unknown) => {
        if (!isReturnedBefore(error)) throw error;
      });
      return;
    }
    case 'refused':
      log.error('tab_rest_refused', { payer: rest.payer, reason: outcome.reason });
      await market.commit([postponeReturn(returnId, attempts + 1, retryAt(attempts, clock.now()))]);
      return;
    case 'pending':
    case 'unavailable':
      return;
  }
}
