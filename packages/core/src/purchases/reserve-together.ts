import { Refusal } from '../kernel/errors.ts';
import { DatabaseError } from '../kernel/ports/database.ts';
import type { Ports } from '../kernel/ports/ports.ts';
import { paymentErrors } from './payment.errors.ts';
import type { PaidPurchase } from './purchase.ts';
import { findPurchase } from './purchases.store.ts';
import { isUnavailable, reservationStatements, reserve } from './reserve.ts';

/** Purchases in one transaction; a statement batch of the database has its limits. */
const BATCH = 20;

/**
 * Writes many purchases down, in few transactions where all goes well. Where one of a batch is refused,
 * each is tried by itself, so that none fails for another. Null: reserved; else why not, as a code.
 */
export async function reserveTogether(
  ports: Pick<Ports, 'market' | 'ids'>,
  purchases: readonly PaidPurchase[],
): Promise<ReadonlyMap<string, string | null>> {
  const outcomes = new Map<string, string | null>();
  for (let start = 0; start < purchases.length; start += BATCH) {
    const batch = purchases.slice(start, start + BATCH);
    try {
      await ports.market.commit(batch.flatMap((purchase) => reservationStatements(ports, purchase)));
      for (const { id } of batch) outcomes.set(id, null);
    } catch (error) {
      // Only the reply may be lost, then each is there already: together they were written or not at all.
      if (isUnavailable(error) && (await areWritten(ports, batch))) {
        for (const { id } of batch) outcomes.set(id, null);
        continue;
      }
      if (!(error instanceof DatabaseError) || error.kind !== 'constraint') throw error;
      for (const purchase of batch) outcomes.set(purchase.id, await reserveAlone(ports, purchase));
    }
  }
  return outcomes;
}

async function areWritten(
  { market }: Pick<Ports, 'market'>,
  [first]: readonly PaidPurchase[],
): Promise<boolean> {
  return first !== undefined && (await findPurchase(market, first.id)) !== null;
}

async function reserveAlone(
  ports: Pick<Ports, 'market' | 'ids'>,
  purchase: PaidPurchase,
): Promise<string | null> {
  try {
    const outcome = await reserve(ports, purchase);
    return outcome === 'overdrawn' ? paymentErrors.wallet_insufficient.code : null;
  } catch (error) {
    if (error instanceof Refusal) return error.definition.code;
    throw error;
  }
}
