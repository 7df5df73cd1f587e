import { settleReturned } from '../rails/card/settle-chargeback.ts';
import { railOf } from '../rails/rails.ts';
import type { Sale } from '../sale.ts';
import { requireSale } from '../sales.store.ts';
import type { EscrowPorts } from './escrow-ports.ts';

/** The sale, after refunds that finance made in the processor's dashboard: their reports may be lost. */
export async function withReturns(ports: EscrowPorts, sale: Sale): Promise<Sale> {
  if (sale.status !== 'held') return sale;
  const paymentId = await railOf(sale).processorPayment(ports, sale);
  if (paymentId === null || !(await settleReturned(ports, paymentId))) return sale;
  return requireSale(ports.market, sale.id);
}
