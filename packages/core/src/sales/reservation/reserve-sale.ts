import { useApproval } from '../../approvals/index.ts';
import { commitBudget } from '../../budgets/index.ts';
import { Refusal } from '../../kernel/errors.ts';
import type { Statement } from '../../kernel/ports/database.ts';
import { splitIntoBatches } from '../../kernel/split-into-batches.ts';
import { requireSubsidy, type SubsidyPorts, takeSubsidy } from '../../subsidies/index.ts';
import { paymentErrors } from '../payment.errors.ts';
import type { RailPorts } from '../rails/rail.ts';
import { railOf } from '../rails/rails.ts';
import { insertSale, isReservationRefused } from '../reservations.store.ts';
import type { Sale } from '../sale.ts';
import { findSale, isUnavailable } from '../sales.store.ts';
import type { Spender } from './new-sale.ts';
import { toSaleRefusal } from './require-for-sale.ts';
import { sealQuery } from './sealed-query.ts';

type ReservePorts = RailPorts & SubsidyPorts;

/** Sales in one transaction; a statement batch of the database has its limits. */
const BATCH = 20;

/** A sale to be written down, and what its buyer pays with. */
export interface Reservation {
  readonly sale: Sale;
  readonly instrument: unknown;
  readonly spender: Spender;
  /** What the query of a purchase without a key is sealed under, by `newQueryKey` or by what is sent with its payment. */
  readonly queryKey?: string | null;
  /** The payer had it settled, at its own cost: it is spent, whatever the platform bears and its key may spend. */
  readonly isSettled?: boolean;
  /** Counts what is written in the daily quota of a caller who may never pay. */
  readonly withinQuota?: ((statements: readonly Statement[]) => readonly Statement[]) | undefined;
}

/**
 * Writes a sale down, takes its unit of the listing and whatever its rail reserves here: all or nothing. The statements
 * are their own check, so nothing is read before. `overdrawn`: the money is not there.
 */
export async function reserveSale(
  ports: ReservePorts,
  reservation: Reservation,
): Promise<'reserved' | 'overdrawn'> {
  const sale = await sealQuery(ports.ids, reservation.sale, reservation.queryKey ?? null);
  try {
    await ports.market.commit(reservationStatements(ports, { ...reservation, sale }));
    return 'reserved';
  } catch (error) {
    const reason = railOf(sale).explainRefused(error);
    if (reason === 'overdrawn') return reason;
    if (reason !== null) throw reason;
    // Only the reply may be lost.
    if (isUnavailable(error) && (await findSale(ports.market, sale.id)) !== null) return 'reserved';
    throw toSaleRefusal(error, ports.clock.now());
  }
}

export function reservationStatements(
  ports: ReservePorts,
  { sale, instrument, spender, withinQuota, isSettled = false }: Reservation,
): readonly Statement[] {
  const rail = railOf(sale);
  const bear = sale.payment.holdsUnit ? takeSubsidy : requireSubsidy;
  const statements = [
    ...insertSale(sale),
    ...commitBudget(sale, spender.policies, { isSpent: isSettled }),
    ...useApproval(spender.approvalId, sale.id, sale.createdAt),
    ...(isSettled ? [] : bear(ports, sale, rail.instrumentMark(instrument))),
    ...rail.reserve(ports, sale, instrument),
  ];
  return withinQuota ? withinQuota(statements) : statements;
}

/**
 * Writes many sales down, in few transactions where all goes well. Where one of a batch is refused, each is tried by
 * itself, so that none fails for another. Null: reserved; else why not, as a code.
 */
export async function reserveSales(
  ports: ReservePorts,
  reservations: readonly Reservation[],
): Promise<ReadonlyMap<string, string | null>> {
  const outcomes = new Map<string, string | null>();
  for (const batch of splitIntoBatches(reservations, BATCH)) {
    const isReserved = await reserveBatch(ports, batch);
    for (const reservation of batch) {
      outcomes.set(reservation.sale.id, isReserved ? null : await reserveAlone(ports, reservation));
    }
  }
  return outcomes;
}

/** False: one of them was refused, and none is written. */
async function reserveBatch(ports: ReservePorts, batch: readonly Reservation[]): Promise<boolean> {
  try {
    await ports.market.commit(batch.flatMap((reservation) => reservationStatements(ports, reservation)));
    return true;
  } catch (error) {
    // Only the reply may be lost, then each is there already: together they were written or not at all.
    const [first] = batch;
    if (isUnavailable(error) && first && (await findSale(ports.market, first.sale.id)) !== null) return true;
    if (isReservationRefused(error) || error instanceof Refusal) return false;
    throw error;
  }
}

async function reserveAlone(ports: ReservePorts, reservation: Reservation): Promise<string | null> {
  try {
    const outcome = await reserveSale(ports, reservation);
    return outcome === 'overdrawn' ? paymentErrors.wallet_insufficient.code : null;
  } catch (error) {
    if (error instanceof Refusal) return error.definition.code;
    throw error;
  }
}
