import { CardProcessorError } from '../../kernel/ports/card-processor.ts';
import type { Statement } from '../../kernel/ports/database.ts';
import type { Ports } from '../../kernel/ports/ports.ts';
import type { IsoTime } from '../../kernel/time.ts';
import { endRefundOwed, oweRefund } from '../reservations.store.ts';
import type { Sale } from '../sale.ts';
import { buyerNotice } from '../sale-events.ts';
import { REFUND_FAILED } from '../sale-status.rules.ts';
import { isStatusConflict, retryLater, setPayment } from '../sales.store.ts';
import type { RailPorts, RefundOutcome } from './rail.ts';
import { railOf } from './rails.ts';

/** The refund of what was never delivered failed after it counted as made: the sale has ended, and its refund is owed. */
export function recordRefundOwed(
  ports: Pick<RailPorts, 'ids' | 'log'>,
  sale: Sale,
  at: IsoTime,
): Statement[] {
  const { id, payment } = sale;
  ports.log.error('refund_failed', { purchaseId: id, refundId: payment.refundId });
  return [...oweRefund(sale, at), ...buyerNotice(ports, sale, REFUND_FAILED, at)];
}

/** Makes an owed refund once more, under a key of its own, until one is made by us or in the processor's dashboard. */
export async function repeatRefund(ports: Ports, sale: Sale): Promise<void> {
  const { market, clock, log } = ports;
  const { id, payment } = sale;
  const { refund, processorPayments } = railOf(sale);
  const [paymentId] = await processorPayments(ports, sale);
  if (payment.dueAt === null || refund === null || paymentId === undefined) return;
  const postponed = retryLater(sale, clock.now());
  try {
    const outcome = await refundOrFind(ports, () => refund(ports, sale), sale, paymentId);
    if (outcome.kind === 'refunded') await market.commit(endRefundOwed(id, outcome.refundId));
    else if (outcome.kind === 'failed')
      await market.commit([setPayment(id, { refundFailures: payment.refundFailures + 1 }), postponed]);
    else await market.commit([postponed]);
  } catch (error) {
    // Another run was faster.
    if (isStatusConflict(error)) return;
    log.error('refund_delayed', { purchaseId: id, message: String(error) });
    await market.commit([postponed]);
  }
}

/** What the processor refunded already, because finance did it in its dashboard, it refuses to refund again. */
async function refundOrFind(
  { cards }: RailPorts,
  refund: () => Promise<RefundOutcome>,
  { payment: { capturedCents } }: Sale,
  paymentId: string,
): Promise<RefundOutcome | { readonly kind: 'refunded'; readonly refundId: null }> {
  try {
    return await refund();
  } catch (error) {
    if (cards === null || !(error instanceof CardProcessorError) || error.retryable) throw error;
    if ((await cards.getPayment(paymentId)).refundedCents < capturedCents) throw error;
    return { kind: 'refunded', refundId: null };
  }
}
