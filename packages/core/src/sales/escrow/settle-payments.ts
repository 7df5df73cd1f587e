import { settlePayment } from '../rails/card/settle-chargeback.ts';
import { railOf } from '../rails/rails.ts';
import type { Sale } from '../sale.ts';
import { requireSale } from '../sales.store.ts';
import type { EscrowPorts } from './escrow-ports.ts';

export interface SettledSale {
  readonly sale: Sale;
  /** A refund that others made of what paid for it is still to be decided. */
  readonly hasPendingRefund: boolean;
}

/**
 * Reads what paid for a sale in escrow at the card processor, directly or through credits, and books what is seen:
 * refunds and disputes whose reports were lost. Throws where the processor does not answer: until it does, nobody may
 * be paid. One call for each payment, two where it is disputed, and two for each dispute.
 */
export async function settlePayments(ports: EscrowPorts, sale: Sale): Promise<SettledSale> {
  if (sale.status !== 'held') return { sale, hasPendingRefund: false };
  const paymentIds = await railOf(sale).processorPayments(ports, sale);
  if (paymentIds.length === 0) return { sale, hasPendingRefund: false };
  let hasPendingRefund = false;
  for (const paymentId of paymentIds) {
    const { pendingRefundCents } = await settlePayment(ports, paymentId);
    hasPendingRefund ||= pendingRefundCents > 0;
  }
  return { sale: await requireSale(ports.market, sale.id), hasPendingRefund };
}
