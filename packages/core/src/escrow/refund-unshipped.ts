import type { Ports } from '../kernel/ports/ports.ts';
import { HOUR_MS, isoTime } from '../kernel/time.ts';
import { finishRefund, isRefundable, refundStatements, withRefund } from './refund-purchase.ts';
import type { Sale } from './sale.ts';
import { countNotShipped, endWaitForShipment, isOvertaken, lookAgain } from './sales.store.ts';

/** Why it was refunded: what the buyer and the seller read. */
const NOT_SHIPPED = 'not_shipped';

/**
 * Refunds a physical order whose seller let the time for its shipment pass. A shipment or a dispute at the
 * same moment wins or loses as a whole: only one of them finds the order waiting.
 */
export async function refundUnshipped(
  ports: Pick<Ports, 'market' | 'cards' | 'chain' | 'ids' | 'clock' | 'log'>,
  sale: Sale,
): Promise<void> {
  const { market, clock, log } = ports;
  const at = isoTime(clock.now());
  if (!isRefundable(sale, ports)) {
    log.error('refund_refused', { purchaseId: sale.id, reason: 'not_configured' });
    await market.commit([lookAgain(sale, isoTime(clock.now() + HOUR_MS), 0)]);
    return;
  }
  try {
    await market.commit([
      ...endWaitForShipment(sale.id, at, NOT_SHIPPED),
      ...refundStatements(ports, sale, NOT_SHIPPED, at),
      countNotShipped(sale.sellerId),
    ]);
  } catch (error) {
    if (isOvertaken(error)) return;
    throw error;
  }
  // What is not known of its end by now is asked again with the next turn of the clock.
  await finishRefund(ports, withRefund(sale, NOT_SHIPPED, at));
}
