import { purchasePageUrl, setPayment } from '../escrow/index.ts';
import type { OperationContext } from '../kernel/operation/operation.ts';
import { CardProcessorError, type CheckoutSession } from '../kernel/ports/card-processor.ts';
import type { Ports } from '../kernel/ports/ports.ts';
import { type EpochMs, isoTime } from '../kernel/time.ts';
import type { Listing } from '../listings/index.ts';
import { asPaymentRefusal, requireCards } from './card-payments.ts';
import { tryGiveBack } from './give-back.ts';
import { newReservation, type Order } from './new-reservation.ts';
import type { PaidPurchase } from './purchase.ts';
import { CHECKOUT_MS, checkoutDueAt } from './purchase-terms.rules.ts';
import { type PurchaseView, viewPurchase } from './purchases.schema.ts';
import { commitSurely, reserve } from './reserve.ts';

type Place = Pick<OperationContext, 'baseUrl' | 'settings'>;

/** Opens a page where a person pays; the content comes once that is done. */
export async function payByCheckout(
  ctx: OperationContext<'optional'>,
  listing: Listing,
  order: Order,
): Promise<PurchaseView> {
  requireCards(ctx.ports.cards, order.amountCents);
  const purchase = withoutCopy(newReservation(ctx.ports, listing, order, 'checkout', ctx.now));
  await reserve(ctx.ports, purchase);
  const { id } = purchase;
  const opened = await openCheckout(ctx.ports, ctx, purchase, listing.title, ctx.now + CHECKOUT_MS);
  await commitSurely(() => ctx.commit([setPayment(id, opened)], { purchaseId: id }));
  return viewPurchase(
    { ...purchase, payment: { ...purchase.payment, ...opened } },
    { status: 'awaiting_payment' },
  );
}

/** A page costs nothing to open, so it keeps no copy from others: who pays first has it. */
function withoutCopy(purchase: PaidPurchase): PaidPurchase {
  return { ...purchase, payment: { ...purchase.payment, holdsCopy: 0 } };
}

/** The page of a purchase whose row is written; what is to be noted of it. */
export async function openCheckout(
  ports: Pick<Ports, 'cards' | 'keyedHash' | 'market' | 'ids' | 'clock' | 'log'>,
  place: Place,
  purchase: PaidPurchase,
  title: string,
  expiresAtMs: EpochMs,
): Promise<{ sessionId: string; checkoutUrl: string | null; dueAt: string; workedUntil: null }> {
  const { id, amountCents, email } = purchase;
  const page = await purchasePageUrl(ports, { baseUrl: place.baseUrl, siteUrl: place.settings.siteUrl }, id);
  let session: CheckoutSession;
  try {
    session = await requireCards(ports.cards, amountCents).createCheckout(`purchase:${id}:checkout`, {
      reference: { kind: 'purchase', id },
      amountCents,
      description: title,
      capture: 'manual',
      customerId: null,
      email,
      successUrl: page,
      cancelUrl: page,
      expiresAtMs,
    });
  } catch (error) {
    // If there is a page after all, nobody knows its address.
    if (error instanceof CardProcessorError) await tryGiveBack(ports, purchase, 'failed', 'no_checkout');
    throw asPaymentRefusal(error);
  }
  return {
    sessionId: session.sessionId,
    checkoutUrl: session.url,
    dueAt: isoTime(checkoutDueAt(expiresAtMs)),
    workedUntil: null,
  };
}
