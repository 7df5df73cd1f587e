import { HOUR_MS, isoTime } from '../../kernel/time.ts';
import type { Sale } from '../sale.ts';
import { requireSale, rescheduleCheck, retryLater } from '../sales.store.ts';
import { isUnshipped } from './escrow.rules.ts';
import type { EscrowPorts } from './escrow-ports.ts';
import { finishRefund } from './refund-sale.ts';
import { refundUnshipped } from './refund-unshipped.ts';
import { findLostTransfer, releaseSale } from './release-sale.ts';
import { settlePayments } from './settle-payments.ts';

/** Brings on a sale whose money is in escrow: refunds what is to be refunded, and releases what is due. Never throws. */
export async function advanceEscrow(
  ports: EscrowPorts,
  seen: Sale,
  prompt: { readonly by: 'job' | 'decision' },
): Promise<void> {
  let sale = seen;
  try {
    const settled = await settlePayments(ports, seen);
    sale = settled.sale;
    if (sale.status === 'refunded') return;
    if (sale.payment.refundRequestedAt !== null) await finishRequestedRefund(ports, sale, prompt);
    else if (settled.hasPendingRefund) await waitForRefund(ports, sale);
    else if (sale.status === 'held' && isUnshipped(sale)) await refundUnshipped(ports, sale);
    else if (sale.status === 'held') await releaseSale(ports, sale);
    else if ((await findLostTransfer(ports, sale)) === 'not_made')
      await advanceEscrow(ports, await requireSale(ports.market, sale.id), prompt);
  } catch (error) {
    ports.log.error('escrow_delayed', { purchaseId: sale.id, message: String(error) });
    await ports.market.commit([retryLater(sale, ports.clock.now())]).catch(() => {});
  }
}

async function finishRequestedRefund(
  ports: EscrowPorts,
  sale: Sale,
  { by }: { readonly by: 'job' | 'decision' },
): Promise<void> {
  const outcome = await finishRefund(ports, sale);
  // Only the Worker of the jobs pays on chain: to the others it means nothing that they cannot.
  if (by === 'decision') return;
  if (outcome === 'not_here')
    ports.log.error('refund_refused', { purchaseId: sale.id, reason: 'not_configured' });
  if (outcome !== 'refunded') await ports.market.commit([retryLater(sale, ports.clock.now())]);
}

/** What is on its way back to the payer is not the seller's: how that ends decides. */
async function waitForRefund({ market, clock, log }: EscrowPorts, sale: Sale): Promise<void> {
  log.error('payout_refused', { purchaseId: sale.id, reason: 'refund_pending' });
  await market.commit([rescheduleCheck(sale, isoTime(clock.now() + HOUR_MS), 0)]);
}
