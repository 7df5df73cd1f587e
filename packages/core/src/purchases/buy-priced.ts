import { commonErrors, Refusal } from '../kernel/errors.ts';
import type { OperationContext } from '../kernel/operation/operation.ts';
import type { Listing } from '../listings/index.ts';
import { deliverWhileWaiting, type Settled } from './deliver-and-settle.ts';
import { giveBackAbandoned } from './finish-purchases.ts';
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
  wanted: Pick<Order, 'query' | 'email' | 'attested'>,
  method: PaymentMethod,
): Promise<PurchaseView> {
  const buyerId = ctx.caller?.agentId ?? null;
  const order: Order = {
    ...wanted,
    buyerId,
    amountCents: listing.priceCents,
    holdHours: ctx.settings.escrowHoldHours,
    shipDays: ctx.settings.shipmentDeadlineDays,
  };
  for (const rail of railsFor(method, listing.priceCents, buyerId !== null)) {
    if (rail === 'checkout') return payByCheckout(ctx, listing, order);
    if (buyerId === null) throw new Refusal(commonErrors.missing_api_key);
    const pay = rail === 'wallet' ? payWithWallet : payWithCard;
    const settled: Settled | null = await pay(ctx, listing, { ...order, buyerId });
    if (settled !== null) return viewPurchase(settled.purchase, settled.outcome);
  }
  throw new Refusal(paymentErrors.wallet_insufficient);
}

/** Null: the wallet does not cover the price, and nothing was done. */
async function payWithWallet(
  ctx: BuyContext,
  listing: Listing,
  order: Order & { readonly buyerId: string },
): Promise<Settled | null> {
  const { ports, now } = ctx;
  const purchase = newReservation(ports, listing, order, 'wallet', now);
  let outcome = await reserve(ports, purchase);
  // What an earlier request of the buyer set aside and died over may be what is missing.
  if (outcome === 'overdrawn' && (await giveBackAbandoned(ports, order.buyerId)) > 0)
    outcome = await reserve(ports, purchase);
  return outcome === 'overdrawn' ? null : deliverWhileWaiting(ctx, listing, purchase);
}
