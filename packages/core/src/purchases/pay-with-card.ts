import { isOvertaken, moveSale, setPayment } from '../escrow/index.ts';
import { type ErrorDefinition, Refusal } from '../kernel/errors.ts';
import type { OperationContext } from '../kernel/operation/operation.ts';
import type { ChargeOutcome } from '../kernel/ports/card-processor.ts';
import type { Ports } from '../kernel/ports/ports.ts';
import { isoTime } from '../kernel/time.ts';
import type { Listing } from '../listings/index.ts';
import { type WalletCard, walletErrors, walletFunds } from '../wallet/index.ts';
import { asPaymentRefusal, authorizeSaved, isRefusedOutright, requireCards } from './card-payments.ts';
import { deliverWhileWaiting, type Settled } from './deliver-and-settle.ts';
import { tryGiveBack } from './give-back.ts';
import { newReservation, type Order } from './new-reservation.ts';
import { paymentErrors } from './payment.errors.ts';
import type { PaidPurchase } from './purchase.ts';
import { findPurchase } from './purchases.store.ts';
import { isUnavailable, reserve } from './reserve.ts';

/** Buys with the card that is saved with the buyer, whose holder is not there. */
export async function payWithCard(
  ctx: OperationContext<'optional'>,
  listing: Listing,
  order: Order & { readonly buyerId: string },
): Promise<Settled> {
  const { ports } = ctx;
  requireCards(ports.cards, order.amountCents);
  const card = await savedCard(ports, order.buyerId);
  const purchase = onCard(newReservation(ports, listing, order, 'card', ctx.now), card);
  await reserve(ports, purchase);
  const authorized = await authorize(ports, purchase);
  return deliverWhileWaiting(ctx, listing, authorized);
}

export async function savedCard({ market }: Pick<Ports, 'market'>, buyerId: string): Promise<WalletCard> {
  const { card } = await walletFunds(market, buyerId);
  if (card === null) throw new Refusal(walletErrors.no_saved_card);
  return card;
}

/** The card that will be asked is written down with the purchase: a lost answer is asked for again. */
export function onCard(purchase: PaidPurchase, { customerId, paymentMethodId }: WalletCard): PaidPurchase {
  return { ...purchase, payment: { ...purchase.payment, customerId, paymentMethodId } };
}

/** Reserves the price on the card. Refused: the purchase has failed, and its copy is given back. */
export async function authorize(ports: Ports, purchase: PaidPurchase): Promise<PaidPurchase> {
  const cards = requireCards(ports.cards, purchase.amountCents);
  let outcome: ChargeOutcome;
  try {
    outcome = await authorizeSaved(cards, purchase);
  } catch (error) {
    // The job that finishes purchases learns the answer, and cancels.
    if (!isRefusedOutright(error)) throw asPaymentRefusal(error);
    outcome = { kind: 'declined', code: 'rejected' };
  }
  switch (outcome.kind) {
    case 'succeeded':
      return recordAuthorized(ports, purchase, outcome.paymentId);
    case 'declined':
      return refuse(ports, purchase, paymentErrors.card_declined);
    case 'authentication_required':
      return refuse(ports, purchase, paymentErrors.card_authentication_required);
  }
}

async function refuse(ports: Ports, purchase: PaidPurchase, definition: ErrorDefinition): Promise<never> {
  await tryGiveBack(ports, purchase, 'failed', definition.code);
  throw new Refusal(definition);
}

async function recordAuthorized(
  ports: Ports,
  purchase: PaidPurchase,
  paymentId: string,
): Promise<PaidPurchase> {
  const { id, payment } = purchase;
  const changes = {
    paymentId,
    authorizedAt: isoTime(ports.clock.now()),
    // Until then the buyer waits for the answer; what is left after it goes back.
    authorizationExpiresAt: payment.workedUntil,
  };
  const authorized: PaidPurchase = { ...purchase, status: 'authorized', payment: { ...payment, ...changes } };
  try {
    await ports.market.commit([...moveSale(id, 'pending_payment', 'authorized'), setPayment(id, changes)]);
    return authorized;
  } catch (error) {
    if (isOvertaken(error)) throw new Refusal(paymentErrors.reservation_gone);
    const found = isUnavailable(error) ? await findPurchase(ports.market, id) : null;
    if (found?.payment?.paymentId === paymentId && found.status === 'authorized') return authorized;
    throw error;
  }
}
