import type { Sale } from '../sale.ts';
import { retryAt } from '../sale-terms.rules.ts';
import { rescheduleCheck } from '../sales.store.ts';
import { isUnshipped } from './escrow.rules.ts';
import type { EscrowPorts } from './escrow-ports.ts';
import { finishRefund } from './refund-sale.ts';
import { refundUnshipped } from './refund-unshipped.ts';
import { confirmTransfer, releaseSale } from './release-sale.ts';
import { withReturns } from './with-returns.ts';

/** Brings on a sale whose money is in escrow: refunds what is to be refunded, and releases what is due. Never throws. */
export async function advanceEscrow(
  ports: EscrowPorts,
  seen: Sale,
  prompt: { readonly by: 'job' | 'decision' },
): Promise<void> {
  let sale = seen;
  try {
    sale = await withReturns(ports, seen);
    if (sale.status === 'refunded') return;
    if (sale.payment.refundRequestedAt !== null) await finishRequestedRefund(ports, sale, prompt);
    else if (sale.status === 'held' && isUnshipped(sale)) await refundUnshipped(ports, sale);
    else if (sale.status === 'held') await releaseSale(ports, sale);
    else await confirmTransfer(ports, sale);
  } catch (error) {
    ports.log.error('escrow_delayed', { purchaseId: sale.id, message: String(error) });
    await lookLater(ports, sale).catch(() => {});
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
  if (outcome !== 'refunded') await lookLater(ports, sale);
}

/** One sale that cannot go on must not keep the others waiting. */
async function lookLater({ market, clock }: EscrowPorts, sale: Sale): Promise<void> {
  const { attempts } = sale.payment;
  await market.commit([rescheduleCheck(sale, retryAt(attempts, clock.now()), attempts + 1)]);
}
