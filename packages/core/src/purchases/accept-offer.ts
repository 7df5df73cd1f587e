import { z } from 'zod';
import { AUTHORIZATION_MS, setPayment, tellBuyer } from '../escrow/index.ts';
import { Refusal } from '../kernel/errors.ts';
import { defineOperation, type OperationContext } from '../kernel/operation/operation.ts';
import { isoTime } from '../kernel/time.ts';
import { isOverdrawn } from '../ledger/index.ts';
import { findListing, fingerprintAt, type Listing, readHistory } from '../listings/index.ts';
import { tryGiveBack } from './give-back.ts';
import { newReservation, type Order } from './new-reservation.ts';
import { offerErrors } from './offers.errors.ts';
import { OFFER_CHECKOUT_MS, offerStatus } from './offers.rules.ts';
import { offerId, offerView, viewOffer } from './offers.schema.ts';
import { decideOffer, findOffer, isDecidedOffer, type Offer } from './offers.store.ts';
import { openCheckout } from './pay-by-checkout.ts';
import { paymentErrors } from './payment.errors.ts';
import { railsFor } from './payment-method.rules.ts';
import type { PaidPurchase } from './purchase.ts';
import { purchaseErrors } from './purchases.errors.ts';
import { asSaleRefusal, requireForSale } from './require-for-sale.ts';
import { reservationStatements, reserve } from './reserve.ts';

type AcceptContext = OperationContext<'seller'>;
type OfferAnswer = z.output<typeof offerView>;

/** An accepted offer is a purchase at its price, which takes the exclusive listing off the market. */
export const acceptOffer = defineOperation({
  name: 'acceptOffer',
  summary: 'Accept an offer on your exclusive listing.',
  description:
    "It becomes a purchase at the offered price: from the buyer's wallet if that covers it, else by a checkout page " +
    'that stays open for 23 hours. You are asked for the content when the buyer collects it, and credited then. What you ' +
    'have changed since in what the listing says it is, was not offered for: such an offer is refused as outdated.',
  area: 'Selling',
  auth: 'seller',
  input: z.object({ offerId }),
  output: offerView,
  errors: [
    ...Object.values(offerErrors).filter(
      ({ code }) => !['offers_exclusive_only', 'offer_already_open'].includes(code),
    ),
    purchaseErrors.own_listing,
    purchaseErrors.listing_not_active,
    purchaseErrors.sold_out,
    purchaseErrors.listing_changed_while_buying,
    purchaseErrors.query_not_accepted,
    paymentErrors.payment_not_confirmed,
  ],
  http: { method: 'post', path: '/sell/offers/{id}/accept', status: 200, names: { offerId: 'id' } },
  rate: 'write',
  movesMoney: true,
  replay: 'stored',
  prefetch: ({ market }, { offerId }) => findOffer(market, offerId),
  async handle(ctx, _input, offer) {
    if (!offer) throw new Refusal(offerErrors.offer_not_found);
    if (ctx.caller.agentId !== offer.sellerId) throw new Refusal(offerErrors.not_offer_party);
    if (offerStatus(offer, ctx.now) !== 'open') throw new Refusal(offerErrors.offer_not_open);
    const { buyerId, query, amountCents } = offer;
    const found = await findListing(ctx.ports.market, offer.listingId);
    const listing = requireForSale(found, { buyerId, query, isAttested: false });
    await requireAsOffered(ctx, offer, listing);
    const { escrowHoldHours: holdHours, shipmentDeadlineDays: shipDays } = ctx.settings;
    const order: Order = { buyerId, query, email: null, amountCents, holdHours, shipDays };
    for (const rail of railsFor('auto', amountCents, true)) {
      const answer =
        rail === 'wallet'
          ? await sellFromWallet(ctx, offer, listing, order)
          : await sellByCheckout(ctx, offer, listing, order);
      if (answer !== null) return answer;
    }
    throw new Refusal(offerErrors.offer_not_payable);
  },
});

/** Sells nothing but what the buyer saw: its price apart, which the offer has of its own. */
async function requireAsOffered(
  { ports: { market } }: AcceptContext,
  { createdAt, listingFingerprint }: Offer,
  { id, fingerprint }: Listing,
): Promise<void> {
  // Offers of before do not say; the listing's history does.
  const offeredFor = listingFingerprint ?? fingerprintAt(await readHistory(market, id), createdAt);
  if (offeredFor !== null && offeredFor !== fingerprint) throw new Refusal(offerErrors.offer_outdated);
}

/** One transaction: the money, the copy, the purchase and the offer. Null: the wallet does not cover it. */
async function sellFromWallet(
  ctx: AcceptContext,
  offer: Offer,
  listing: Listing,
  order: Order,
): Promise<OfferAnswer | null> {
  const { ports, now } = ctx;
  const at = isoTime(now);
  const collectUntil = isoTime(now + AUTHORIZATION_MS);
  const begun = newReservation(ports, listing, order, 'wallet', now);
  const purchase: PaidPurchase = {
    ...begun,
    payment: {
      ...begun.payment,
      workedUntil: null,
      // The buyer is told, and has until then to collect it.
      dueAt: collectUntil,
      authorizationExpiresAt: collectUntil,
    },
  };
  const answer = await acceptedView(offer, purchase, ctx);
  const statements = [
    ...reservationStatements(ports, purchase),
    ...decideOffer(offer.id, { status: 'accepted', purchaseId: purchase.id }, at),
    ...tellBuyer(ports, purchase, 'purchase.authorized', 'authorized', at),
  ];
  try {
    await ctx.commit(statements, answer);
    return answer;
  } catch (error) {
    if (isOverdrawn(error)) return null;
    throw isDecidedOffer(error) ? new Refusal(offerErrors.offer_not_open) : asSaleRefusal(error);
  }
}

/** Null: there is no way to pay. */
async function sellByCheckout(
  ctx: AcceptContext,
  offer: Offer,
  listing: Listing,
  order: Order,
): Promise<OfferAnswer | null> {
  const { ports, now } = ctx;
  const limits = ports.cards?.chargeLimits;
  if (!limits || order.amountCents < limits.minCents || order.amountCents > limits.maxCents) return null;
  const purchase = newReservation(ports, listing, order, 'checkout', now);
  await reserve(ports, purchase);
  const opened = await openCheckout(ports, ctx, purchase, listing.title, now + OFFER_CHECKOUT_MS);
  const answer = await acceptedView(offer, purchase, ctx);
  const accepted = decideOffer(offer.id, { status: 'accepted', purchaseId: purchase.id }, isoTime(now));
  try {
    await ctx.commit([...accepted, setPayment(purchase.id, opened)], answer);
    return answer;
  } catch (error) {
    if (!isDecidedOffer(error)) throw error;
    await tryGiveBack(ports, purchase, 'failed', offerErrors.offer_not_open.code);
    throw new Refusal(offerErrors.offer_not_open);
  }
}

function acceptedView(offer: Offer, purchase: PaidPurchase, ctx: AcceptContext): Promise<OfferAnswer> {
  const decidedAt = isoTime(ctx.now);
  const accepted = { ...offer, status: 'accepted' as const, purchaseId: purchase.id, decidedAt };
  return viewOffer(ctx.ports, accepted, ctx.caller.agentId, ctx.now);
}
