import { DEFAULT_HOLD_HOURS } from '../escrow/index.ts';
import { commonErrors, Refusal } from '../kernel/errors.ts';
import type { JsonObject } from '../kernel/json.ts';
import type { OperationContext } from '../kernel/operation.ts';
import type { Listing } from '../listings/index.ts';
import { deliverAndSettle, type Settled, whileWaiting } from './deliver-and-settle.ts';
import { newReservation, type Order } from './new-reservation.ts';
import { payByCheckout } from './pay-by-checkout.ts';
import { payWithCard } from './pay-with-card.ts';
import { paymentErrors } from './payment.errors.ts';
import { type PaymentMethod, railsFor } from './payment-method.rules.ts';
import { type PurchaseView, viewPurchase } from './purchases.schema.ts';
import { reserve } from './reserve.ts';

type BuyContext = OperationContext<'optional'>;

/** Buys a priced listing by the first rail that can pay for it. */
export async function buyPriced(
  ctx: BuyContext,
  listing: Listing,
  wanted: { readonly query: JsonObject | null; readonly email: string | null },
  method: PaymentMethod,
): Promise<PurchaseView> {
  const buyerId = ctx.caller?.agentId ?? null;
  const order: Order = {
    ...wanted,
    buyerId,
    amountCents: listing.priceCents,
    holdHours: ctx.settings.escrowHoldHours ?? DEFAULT_HOLD_HOURS,
  };
  for (const rail of railsFor(method, listing.priceCents, buyerId !== null)) {
    if (rail === 'checkout') return payByCheckout(ctx, listing, order);
    if (buyerId === null) throw new Refusal(commonErrors.missing_api_key);
    const settled =
      rail === 'wallet'
        ? await payWithWallet(ctx, listing, order)
        : await payWithCard(ctx, listing, { ...order, buyerId });
    if (settled !== null) return viewPurchase(settled.purchase, settled.outcome);
  }
  throw new Refusal(paymentErrors.wallet_insufficient);
}

/** Null: the wallet does not cover the price, and nothing was done. */
async function payWithWallet(ctx: BuyContext, listing: Listing, order: Order): Promise<Settled | null> {
  const purchase = newReservation(ctx.ports, listing, order, 'wallet', ctx.now);
  if ((await reserve(ctx.ports, purchase)) === 'overdrawn') return null;
  return deliverAndSettle(ctx.ports, listing, purchase, whileWaiting(ctx, purchase.id));
}
