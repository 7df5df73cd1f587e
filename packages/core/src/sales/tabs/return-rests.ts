import { type Chain, UNITS_PER_CENT } from '../../kernel/ports/chain.ts';
import type { Ports } from '../../kernel/ports/ports.ts';
import { isoTime } from '../../kernel/time.ts';
import { bookTabReturn } from '../../ledger/index.ts';
import { beginReturn, endReturn, isReturnedBefore, listRests, type Rest } from './tabs.store.ts';

type ReturnPorts = Pick<Ports, 'market' | 'chain' | 'ids' | 'clock' | 'log'>;

const PAYERS = 20;

/**
 * Sends back what is left of closed tabs, less its gas: of one payer together. What is less than the gas stays the payer's,
 * and goes back with the rest of its next tab.
 */
export async function returnRests(ports: ReturnPorts): Promise<void> {
  const { chain, market, log } = ports;
  if (chain === null) return;
  const rests = (await listRests(market, PAYERS)).filter(({ chainId }) => chainId === chain.token.chainId);
  if (rests.length === 0) return;
  const gasCents = await gasCentsOf(chain);
  if (gasCents === null) return;
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
    if (rest.restCents > gasNow) await market.commit([beginReturn(rest, gasNow)]);
    return;
  }
  const { returnId, restCents, gasCents } = rest;
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
      return;
    case 'pending':
    case 'unavailable':
      return;
  }
}
