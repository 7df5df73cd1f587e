import type { Ports } from '../../../kernel/ports/ports.ts';
import { advanceSale } from '../../advance-sale.ts';
import { findSale } from '../../sales.store.ts';
import { standingOfPaid, standingOfSession } from './checkout-rail.ts';

/** What the processor reported of: a checkout page, or a payment (of a page or of a saved card). */
export type PaymentClue = { readonly sessionId: string } | { readonly paymentId: string };

/**
 * Brings a sale to where the processor's object says it is, however often and in whatever order this is called. False:
 * the object is about no sale.
 */
export async function reportCheckout(ports: Ports, clue: PaymentClue): Promise<boolean> {
  const { cards, market } = ports;
  if (cards === null) return false;
  const seen =
    'sessionId' in clue ? await cards.getCheckout(clue.sessionId) : await cards.getPayment(clue.paymentId);
  if (seen.reference?.kind !== 'purchase') return false;
  const sale = await findSale(market, seen.reference.id);
  if (sale === null) return false;
  const standing =
    'sessionId' in seen ? await standingOfSession(ports, sale, seen) : standingOfPaid(ports, sale, seen);
  await advanceSale(ports, sale, { by: 'report', standing });
  return true;
}
