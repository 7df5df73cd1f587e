import type { Statement } from '../../kernel/ports/database.ts';
import { type IsoTime, isoTime, MINUTE_MS } from '../../kernel/time.ts';
import { isAlreadyPosted, post, reserve } from '../../ledger/index.ts';
import { cancelSaleBestEffort } from '../cancel-sale.ts';
import { inLedger } from '../ledger-sale.rules.ts';
import { paymentErrors } from '../payment.errors.ts';
import type { Sale } from '../sale.ts';
import { isStatusConflict, requireSale } from '../sales.store.ts';
import { listEarlyCaptures, recordSetAside } from './early-captures.store.ts';
import type { RailPorts } from './rail.ts';

const BATCH = 50;
/** A request that captured the money itself has recorded it by then, or never will. */
const REQUEST_ENDS_MS = 5 * MINUTE_MS;

/** Books what was captured in the processor's dashboard, or by a request that died: the reports of it may be lost. */
export async function bookEarlyCaptures(ports: RailPorts): Promise<void> {
  const now = ports.clock.now();
  const times = { now: isoTime(now), before: isoTime(now - REQUEST_ENDS_MS) };
  for (const { purchaseId, receivedCents } of await listEarlyCaptures(ports.market, times, BATCH)) {
    const sale = await requireSale(ports.market, purchaseId);
    if (receivedCents >= sale.amountCents) await bookEarlyCapture(ports, sale);
    else if (sale.payment.outcome === null) await giveBackPart(ports, sale);
  }
}

/** A part of the price pays for nothing: the sale ends, and what was taken goes back. */
async function giveBackPart(ports: RailPorts, sale: Sale): Promise<void> {
  ports.log.error('payment_mismatch', { purchaseId: sale.id });
  await cancelSaleBestEffort(ports, sale, 'refunded', paymentErrors.reservation_gone.code);
}

/** The money of a sale that waits to be delivered is at the platform already: it is booked as reserved. Once. */
export async function bookEarlyCapture({ market, ids, clock }: RailPorts, sale: Sale): Promise<void> {
  if (sale.status !== 'authorized' || sale.payment.setAsideAt !== null) return;
  try {
    await market.commit(earlyCaptureStatements({ ids }, sale, isoTime(clock.now())));
  } catch (error) {
    if (!isStatusConflict(error) && !isAlreadyPosted(error)) throw error;
  }
}

/** Written after the sale is authorized, and while no request works on it. */
export function earlyCaptureStatements(
  { ids }: Pick<RailPorts, 'ids'>,
  sale: Sale,
  at: IsoTime,
): Statement[] {
  return [...recordSetAside(sale.id, at), post(reserve(inLedger(sale)), ids.uuid(), at)];
}
