import { countNotShipped } from '../../agents/index.ts';
import { HOUR_MS, isoTime } from '../../kernel/time.ts';
import type { RailPorts } from '../rails/rail.ts';
import type { Sale } from '../sale.ts';
import { isStatusConflict, rescheduleCheck } from '../sales.store.ts';
import { endWaitForShipment } from './escrow.store.ts';
import { finishRefund, isRefundable, refundStatements, withRefund } from './refund-sale.ts';

/** Why it was refunded: what the buyer and the seller read. */
const NOT_SHIPPED = 'not_shipped';

/**
 * Refunds a physical order whose seller let the time for its shipment pass. A shipment or a dispute at the
 * same moment wins or loses as a whole: only one of them finds the order waiting.
 */
export async function refundUnshipped(ports: RailPorts, sale: Sale): Promise<void> {
  const { market, clock, log } = ports;
  const at = isoTime(clock.now());
  if (!isRefundable(sale, ports)) {
    log.error('refund_refused', { purchaseId: sale.id, reason: 'not_configured' });
    await market.commit([rescheduleCheck(sale, isoTime(clock.now() + HOUR_MS), 0)]);
    return;
  }
  try {
    await market.commit([
      ...endWaitForShipment(sale.id, at, NOT_SHIPPED),
      ...refundStatements(ports, sale, NOT_SHIPPED, at),
      ...countNotShipped(sale, at),
    ]);
  } catch (error) {
    if (isStatusConflict(error)) return;
    throw error;
  }
  // What is not known of its end by now is asked again with the next turn of the clock.
  await finishRefund(ports, withRefund(sale, NOT_SHIPPED, at));
}
