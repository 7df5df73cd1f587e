import { inLedger } from '../escrow/index.ts';
import { DatabaseError } from '../kernel/ports/database.ts';
import type { Ports } from '../kernel/ports/ports.ts';
import { isOverdrawn, post, reserve as reservePosting } from '../ledger/index.ts';
import type { PaidPurchase } from './purchase.ts';
import { findPurchase } from './purchases.store.ts';
import { asSaleRefusal } from './require-for-sale.ts';
import { insertReservation } from './reservations.store.ts';

/**
 * Writes a purchase down, takes its copy of the listing and, from a wallet, its money: all or nothing. The
 * statements are their own check, so nothing is read before.
 */
export async function reserve(
  ports: Pick<Ports, 'market' | 'ids'>,
  purchase: PaidPurchase,
): Promise<'reserved' | 'overdrawn'> {
  try {
    await ports.market.commit(reservationStatements(ports, purchase));
    return 'reserved';
  } catch (error) {
    if (isOverdrawn(error)) return 'overdrawn';
    if (isUnavailable(error) && (await findPurchase(ports.market, purchase.id)) !== null) return 'reserved';
    throw asSaleRefusal(error);
  }
}

export function reservationStatements(ports: Pick<Ports, 'ids'>, purchase: PaidPurchase) {
  const statements = insertReservation(purchase);
  if (purchase.rail === 'wallet' && purchase.amountCents > 0) {
    statements.push(post(reservePosting(inLedger(purchase)), ports.ids.uuid(), purchase.createdAt));
  }
  return statements;
}

/** The change may have been made: only its reply is lost. */
export function isUnavailable(error: unknown): boolean {
  return error instanceof DatabaseError && error.kind === 'unavailable';
}

/** Commits once more where the reply is lost: for statements that may be written twice. */
export async function commitSurely(commit: () => Promise<unknown>): Promise<void> {
  try {
    await commit();
  } catch (error) {
    if (!isUnavailable(error)) throw error;
    await commit();
  }
}
