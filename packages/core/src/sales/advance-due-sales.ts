import { Refusal } from '../kernel/errors.ts';
import { forEachConcurrently } from '../kernel/for-each-concurrently.ts';
import type { Ports } from '../kernel/ports/ports.ts';
import { isoTime } from '../kernel/time.ts';
import { advanceSale } from './advance-sale.ts';
import type { Sale } from './sale.ts';
import type { SaleStatus } from './sale-status.rules.ts';
import { retryCollectionAt } from './sale-terms.rules.ts';
import { findSale, listAbandonedSales, listDueSales, rescheduleCheck } from './sales.store.ts';

const BATCH = 100;
const AT_ONCE = 5;
const ADVANCED_HERE: readonly SaleStatus[] = ['pending_payment', 'authorized', 'refunded'];

/**
 * Brings on, every minute, the sales that nobody else does: those whose request died half-way, pages that nobody paid,
 * reservations that nobody collected, content that is due at a callback, refunds that failed after their sale had ended. Returns how many were looked at.
 */
export async function advanceDueSales(ports: Ports): Promise<number> {
  const now = isoTime(ports.clock.now());
  const due = await listDueSales(ports.market, ADVANCED_HERE, now, BATCH);
  await forEachConcurrently(due, AT_ONCE, (sale) => advanceByJob(ports, sale));
  return due.length;
}

/** The same for what one buyer's dead requests reserved on a rail. Returns how many there were. */
export async function cancelAbandonedSales(ports: Ports, buyerId: string, rail: string): Promise<number> {
  const sales = await listAbandonedSales(ports.market, buyerId, rail, isoTime(ports.clock.now()));
  await Promise.all(sales.map((sale) => advanceByJob(ports, sale)));
  return sales.length;
}

/** Collects one purchase for its buyer's callback. A message that comes early, twice or late changes nothing. */
export async function collectDueSale(ports: Ports, purchaseId: string): Promise<void> {
  const sale = await findSale(ports.market, purchaseId);
  const isDue = sale?.payment.dueAt != null && sale.payment.dueAt <= isoTime(ports.clock.now());
  if (sale?.status === 'authorized' && isDue) await advanceByJob(ports, sale);
}

async function advanceByJob(ports: Ports, { id }: Sale): Promise<void> {
  // Others may have brought it on since the list was read.
  const sale = await findSale(ports.market, id);
  if (sale === null || !ADVANCED_HERE.includes(sale.status)) return;
  try {
    await advanceSale(ports, sale, { by: 'job' });
  } catch (error) {
    // One sale that cannot go on must not keep the others waiting.
    if (!(error instanceof Refusal))
      ports.log.error('purchase_delayed', { purchaseId: id, message: String(error) });
    const dueAt = retryCollectionAt(sale.payment, ports.clock.now());
    await ports.market.commit([rescheduleCheck(sale, dueAt, sale.payment.attempts + 1)]).catch(() => {});
  }
}
