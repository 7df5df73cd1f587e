import { AUTHORIZATION_MS, isOvertaken, moveSale, setPayment, tellBuyer } from '../escrow/index.ts';
import type { CardProcessor, CheckoutSession, Payment } from '../kernel/ports/card-processor.ts';
import type { Ports } from '../kernel/ports/ports.ts';
import { isoTime } from '../kernel/time.ts';
import { giveBack } from './give-back.ts';
import type { PaidPurchase } from './purchase.ts';
import { purchaseErrors } from './purchases.errors.ts';
import { findPurchase } from './purchases.store.ts';
import { hasNoCopyLeft } from './require-for-sale.ts';
import { takePaidCopy } from './reservations.store.ts';

type SettlePorts = Pick<Ports, 'market' | 'cards' | 'ids' | 'clock' | 'log' | 'jobs' | 'background'>;

/** What somebody heard of: a checkout page or a payment of the card processor. */
export type PaymentClue = { readonly sessionId: string } | { readonly paymentId: string };

/**
 * Brings a purchase to where the processor's object says it is, however often and in whatever order this
 * is called. False: it is about no purchase.
 */
export async function settleCheckout(ports: SettlePorts, clue: PaymentClue): Promise<boolean> {
  const { cards, market } = ports;
  if (cards === null) return false;
  const seen =
    'sessionId' in clue ? await cards.getCheckout(clue.sessionId) : await cards.getPayment(clue.paymentId);
  if (seen.reference?.kind !== 'purchase') return false;
  const found = await findPurchase(market, seen.reference.id);
  if (!found?.payment) return false;
  const purchase = { ...found, payment: found.payment };
  if ('sessionId' in seen) await settleSession({ ...ports, cards }, purchase, seen);
  else await settlePayment({ ...ports, cards }, purchase, seen);
  return true;
}

type CardPorts = SettlePorts & { readonly cards: CardProcessor };

export async function settleSession(
  ports: CardPorts,
  purchase: PaidPurchase,
  session: CheckoutSession,
): Promise<void> {
  if (session.paymentId !== null) {
    const payment = await ports.cards.getPayment(session.paymentId);
    await settlePayment(ports, purchase, payment);
  } else if (session.status === 'expired' && purchase.status === 'pending_payment') {
    await giveBack(ports, purchase, 'expired', null);
  }
}

/** A saved card's payment is its own request's to note; here it is only seen to end. */
async function settlePayment(ports: CardPorts, purchase: PaidPurchase, payment: Payment): Promise<void> {
  const { id, status, amountCents, rail } = purchase;
  if (payment.amountCents !== amountCents || (rail !== 'checkout' && rail !== 'card')) {
    ports.log.error('payment_mismatch', { purchaseId: id });
    return;
  }
  if (payment.status === 'canceled' && status === 'authorized')
    return giveBack(ports, purchase, 'expired', null);
  if (payment.status !== 'authorized' || rail !== 'checkout') return;
  if (status === 'pending_payment') return authorizeCheckout(ports, purchase, payment.paymentId);
  // Paid at the last moment, when the purchase had been given up: the money is not kept.
  if (status === 'expired' || status === 'failed' || status === 'refunded')
    await ports.cards.cancel(`purchase:${id}:cancel`, payment.paymentId);
}

async function authorizeCheckout(ports: CardPorts, purchase: PaidPurchase, paymentId: string): Promise<void> {
  const { market, clock, jobs, background } = ports;
  const now = clock.now();
  const at = isoTime(now);
  try {
    await market.commit([
      ...moveSale(purchase.id, 'pending_payment', 'authorized'),
      ...takePaidCopy(purchase),
      setPayment(purchase.id, {
        paymentId,
        authorizedAt: at,
        authorizationExpiresAt: isoTime(now + AUTHORIZATION_MS),
        // At once: a buyer with a callback URL is pushed to, the others have until it expires.
        dueAt: at,
        workedUntil: null,
        attempts: 0,
      }),
      ...tellBuyer(ports, purchase, 'purchase.authorized', 'authorized', at),
    ]);
  } catch (error) {
    if (hasNoCopyLeft(error)) return giveBackUnsold(ports, purchase, paymentId);
    if (!isOvertaken(error)) throw error;
    const found = await findPurchase(market, purchase.id);
    // Given up in between: the money is not kept. Authorised by another report: all is done.
    if (found?.payment && found.status !== 'authorized')
      await settlePayment(
        ports,
        { ...found, payment: found.payment },
        await ports.cards.getPayment(paymentId),
      );
    return;
  }
  background.run(jobs.send({ kind: 'outbox' }));
}

/** Somebody else paid first: the card is let go. */
async function giveBackUnsold(ports: CardPorts, purchase: PaidPurchase, paymentId: string): Promise<void> {
  await ports.market.commit([setPayment(purchase.id, { paymentId })]);
  const paid = { ...purchase, payment: { ...purchase.payment, paymentId } };
  await giveBack(ports, paid, 'failed', purchaseErrors.sold_out.code);
}
