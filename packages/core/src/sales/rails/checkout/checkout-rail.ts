import type { CheckoutSession, Payment } from '../../../kernel/ports/card-processor.ts';
import { isoTime, MINUTE_MS } from '../../../kernel/time.ts';
import { CARD_CLEARING_ACCOUNT } from '../../../ledger/index.ts';
import { railLimits } from '../../../listings/index.ts';
import type { Sale } from '../../sale.ts';
import {
  cancelPayment,
  capturePayment,
  type ProcessorSale,
  processorOf,
  refundPayment,
  requireCards,
  standingOfPayment,
  toPaymentRefusal,
} from '../card/card-payments.ts';
import type { Rail, RailPorts, Standing } from '../rail.ts';
import { railDefaults } from '../rail-defaults.ts';
import {
  insertCheckoutPayment,
  requireCheckoutPayment,
  setCheckoutPayment,
} from './checkout-payments.store.ts';

/** After a page has ended the processor may still be telling of its payment. */
const GRACE_MS = 2 * MINUTE_MS;

/** A page of the card processor, where a person pays; the content comes once that is done. */
export const checkoutRail: Rail<null> = {
  ...railDefaults,
  name: 'checkout',
  begins: 'pending_payment',
  isPaidLater: true,
  isHeldOutside: true,
  limits: (ports) => railLimits('checkout', ports),
  async prepare({ cards }, { amountCents }) {
    requireCards(cards, amountCents);
    return null;
  },
  payerAccount: () => CARD_CLEARING_ACCOUNT,
  reserve: (_ports, { id }) => [insertCheckoutPayment(id)],
  async confirm(ports, sale, page) {
    if (page === null) throw new Error(`Purchase ${sale.id} is paid on a page.`);
    const cards = requireCards(ports.cards, sale.amountCents);
    let session: CheckoutSession;
    try {
      session = await cards.createCheckout(`purchase:${sale.id}:checkout`, {
        reference: { kind: 'purchase', id: sale.id },
        amountCents: sale.amountCents,
        description: page.title,
        capture: 'manual',
        customerId: null,
        email: sale.email,
        successUrl: page.returnUrl,
        cancelUrl: page.returnUrl,
        expiresAtMs: page.expiresAt,
      });
    } catch (error) {
      throw toPaymentRefusal(error);
    }
    const { sessionId, url: checkoutUrl } = session;
    return {
      kind: 'awaiting_payment',
      statements: [setCheckoutPayment(sale.id, { sessionId, checkoutUrl })],
      checkoutUrl,
      dueAt: isoTime(page.expiresAt + GRACE_MS),
    };
  },
  capture: async (ports, sale) => capturePayment(ports, await processorSale(ports, sale)),
  cancel: async (ports, sale) => cancelPayment(ports, await processorSale(ports, sale)),
  refund: async (ports, sale) => refundPayment(ports, await processorSale(ports, sale)),
  async reconcile(ports, sale, { isOverdue }) {
    const { sessionId, paymentId } = await requireCheckoutPayment(ports.market, sale.id);
    if (sale.status !== 'pending_payment') {
      if (paymentId === null) return { kind: 'reserved', statements: [], captureBefore: null };
      return standingOfPaid(ports, sale, await processorOf(ports).getPayment(paymentId));
    }
    // The page was never opened, or nobody learnt its address.
    if (sessionId === null)
      return isOverdue ? { kind: 'gone', outcome: 'expired', failure: null } : { kind: 'awaiting_payment' };
    const cards = processorOf(ports);
    // Overdue, it is closed first: its unit is given up only when it can no longer be paid.
    const session = isOverdue
      ? await cards.expireCheckout(`purchase:${sale.id}:expire`, sessionId)
      : await cards.getCheckout(sessionId);
    return standingOfSession(ports, sale, session);
  },
  async processorPayments({ market }, { id }) {
    const { paymentId } = await requireCheckoutPayment(market, id);
    return paymentId === null ? [] : [paymentId];
  },
  async payoutSource({ market }, { id }) {
    return { kind: 'here', sourceChargeId: (await requireCheckoutPayment(market, id)).chargeId };
  },
};

/** What a page of the processor means for the sale that it is for. */
export async function standingOfSession(
  ports: RailPorts,
  sale: Sale,
  { paymentId, status }: CheckoutSession,
): Promise<Standing> {
  if (paymentId !== null) return standingOfPaid(ports, sale, await processorOf(ports).getPayment(paymentId));
  return status === 'expired'
    ? { kind: 'gone', outcome: 'expired', failure: null }
    : { kind: 'awaiting_payment' };
}

/** What a payment means that was made on a page; the sale notes which it is. */
export function standingOfPaid(ports: RailPorts, sale: Sale, payment: Payment): Standing {
  const { paymentId } = payment;
  const noted = [setCheckoutPayment(sale.id, { paymentId })];
  return standingOfPayment(ports, asProcessorSale(sale, paymentId), payment, noted);
}

async function processorSale({ market }: RailPorts, sale: Sale): Promise<ProcessorSale> {
  return asProcessorSale(sale, (await requireCheckoutPayment(market, sale.id)).paymentId);
}

function asProcessorSale(sale: Sale, paymentId: string | null): ProcessorSale {
  return { sale, paymentId, setCharge: (chargeId) => setCheckoutPayment(sale.id, { chargeId }) };
}
