import { listDueSales, lookAgain, retryAt, setPayment } from '../escrow/index.ts';
import { Refusal } from '../kernel/errors.ts';
import type { Ports } from '../kernel/ports/ports.ts';
import { isoTime } from '../kernel/time.ts';
import { authorizeSaved, isRefusedOutright } from './card-payments.ts';
import { collectPurchase } from './collect-purchase.ts';
import { finishWithUsdc } from './finish-with-usdc.ts';
import { giveBack } from './give-back.ts';
import type { PaidPurchase } from './purchase.ts';
import { PUSH_TRIES } from './purchase-terms.rules.ts';
import { findPurchase, isCalledBack } from './purchases.store.ts';
import { listAbandoned } from './reservations.store.ts';
import { settleSession } from './settle-checkout.ts';

const BATCH = 100;
const AT_ONCE = 5;

/**
 * Finishes, every minute, what nobody else does: purchases whose request died half-way, pages that nobody
 * paid, reservations that nobody collected, content that is to be pushed. Returns how many were looked at.
 */
export async function finishPurchases(ports: Ports): Promise<number> {
  const now = isoTime(ports.clock.now());
  const due = await listDueSales(ports.market, ['pending_payment', 'authorized'], now, BATCH);
  for (let start = 0; start < due.length; start += AT_ONCE) {
    await Promise.all(due.slice(start, start + AT_ONCE).map(({ id }) => finish(ports, id)));
  }
  return due.length;
}

/** The same for what one buyer's dead requests set aside from its wallet. Returns how many there were. */
export async function giveBackAbandoned(ports: Ports, buyerId: string): Promise<number> {
  const ids = await listAbandoned(ports.market, buyerId, isoTime(ports.clock.now()));
  await Promise.all(ids.map((id) => finish(ports, id)));
  return ids.length;
}

async function finish(ports: Ports, id: string): Promise<void> {
  const found = await findPurchase(ports.market, id);
  if (!found?.payment) return;
  const { payment } = found;
  const purchase = { ...found, payment };
  try {
    await advance(ports, purchase);
  } catch (error) {
    // One purchase that cannot go on must not keep the others waiting.
    if (!(error instanceof Refusal))
      ports.log.error('purchase_delayed', { purchaseId: id, message: String(error) });
    const later = retryAt(payment.attempts, ports.clock.now());
    await ports.market.commit([lookAgain(purchase, later, payment.attempts + 1)]).catch(() => {});
  }
}

async function advance(ports: Ports, purchase: PaidPurchase): Promise<void> {
  const { status, rail, payment } = purchase;
  if (status !== 'pending_payment' && status !== 'authorized') return;
  if (rail === 'x402') return finishWithUsdc(ports, purchase);
  if (payment.ending !== null) return giveBack(ports, purchase, payment.ending, payment.failure);
  if (status === 'pending_payment') {
    return rail === 'card' ? cancelUnanswered(ports, purchase) : closePage(ports, purchase);
  }
  const { authorizationExpiresAt } = payment;
  if (authorizationExpiresAt === null || authorizationExpiresAt <= isoTime(ports.clock.now()))
    return giveBack(ports, purchase, 'expired', payment.failure);
  if (rail === 'checkout' && (await isCalledBack(ports.market, purchase.buyerId)))
    return push(ports, purchase);
  return keep(ports, purchase);
}

/** The card was asked, and the answer was lost with its request: it is asked again, and then let go. */
async function cancelUnanswered(ports: Ports, purchase: PaidPurchase): Promise<void> {
  if (ports.cards === null) throw new Error('There is no card processor to ask.');
  const outcome = await authorizeSaved(ports.cards, purchase).catch((error: unknown) => {
    if (!isRefusedOutright(error)) throw error;
    ports.log.error('card_charge_refused', { purchaseId: purchase.id, message: error.message });
    return { kind: 'declined' as const };
  });
  if (outcome.kind !== 'succeeded') return giveBack(ports, purchase, 'failed', 'card_declined');
  const { paymentId } = outcome;
  await ports.market.commit([setPayment(purchase.id, { paymentId })]);
  return giveBack(ports, { ...purchase, payment: { ...purchase.payment, paymentId } }, 'failed', null);
}

/** The page is closed first: its copy is given up only when it can no longer be paid. */
async function closePage(ports: Ports, purchase: PaidPurchase): Promise<void> {
  const { id, payment } = purchase;
  // It was never opened, or nobody learnt its address.
  if (payment.sessionId === null) return giveBack(ports, purchase, 'expired', null);
  if (ports.cards === null) throw new Error('There is no card processor to ask.');
  const session = await ports.cards.expireCheckout(`purchase:${id}:expire`, payment.sessionId);
  await settleSession({ ...ports, cards: ports.cards }, purchase, session);
  const after = await findPurchase(ports.market, id);
  // Paid in a way that is still being decided: looked at again.
  if (after?.status === 'pending_payment') throw new Error('The page is neither paid nor closed.');
}

/** A buyer with a callback URL does not come back by itself. */
async function push(ports: Ports, purchase: PaidPurchase): Promise<void> {
  const isLastTry = purchase.payment.attempts + 1 >= PUSH_TRIES;
  await collectPurchase(ports, purchase, {
    isPushed: true,
    keeps: (outcome) => !isLastTry && mayComeLater(outcome),
  });
}

function mayComeLater(outcome: { readonly kind: string; readonly retryable?: boolean }): boolean {
  return outcome.kind === 'timed_out' || outcome.kind === 'unavailable' || outcome.retryable === true;
}

/**
 * It waits to be collected. A request that died while it collected may have taken the money already: what
 * was not shown is not kept.
 */
async function keep(ports: Ports, purchase: PaidPurchase): Promise<void> {
  const { rail, amountCents, payment } = purchase;
  if (rail !== 'wallet' && amountCents > 0 && payment.paymentId !== null && ports.cards !== null) {
    const { status } = await ports.cards.getPayment(payment.paymentId);
    if (status === 'captured') return giveBack(ports, purchase, 'refunded', null);
    if (status === 'canceled') return giveBack(ports, purchase, 'expired', null);
  }
  if (payment.authorizationExpiresAt !== null)
    await ports.market.commit([lookAgain(purchase, payment.authorizationExpiresAt, 0)]);
}
