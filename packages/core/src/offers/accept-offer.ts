import * as z from 'zod';
import { approvalErrors } from '../approvals/index.ts';
import { budgetErrors, needsApproval, passBudgetOn, requireWithinPolicy } from '../budgets/index.ts';
import { Refusal } from '../kernel/errors.ts';
import { defineOperation, type OperationContext } from '../kernel/operation/operation.ts';
import type { Statement } from '../kernel/ports/database.ts';
import { type IsoTime, isoTime } from '../kernel/time.ts';
import { findListing, fingerprintAt, type Listing, listingErrors, readHistory } from '../listings/index.ts';
import {
  advanceSale,
  buyerEvent,
  cancelSaleBestEffort,
  collectUntilOf,
  newSale,
  type Order,
  paymentErrors,
  purchaseErrors,
  purchasePageOf,
  type Reservation,
  railNamed,
  railsFor,
  requireForSale,
  reservationStatements,
  reserveSale,
  type Sale,
  toSaleRefusal,
  UNBOUND,
} from '../sales/index.ts';
import { isClosure, subsidyErrors } from '../subsidies/index.ts';
import { offerErrors } from './offers.errors.ts';
import { OFFER_CHECKOUT_MS, offerStatus } from './offers.rules.ts';
import { type OfferAnswer, offerId, offerView, viewOffer } from './offers.schema.ts';
import {
  decideOffer,
  findOffer,
  findOfferMaker,
  isDecidedOffer,
  type Offer,
  type OfferMaker,
} from './offers.store.ts';

type AcceptContext = OperationContext<'seller'>;

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
  scope: 'sell',
  input: z.object({ offerId }),
  output: offerView,
  errors: [
    ...Object.values(offerErrors).filter(
      ({ code }) => !['offers_exclusive_only', 'offer_already_open'].includes(code),
    ),
    purchaseErrors.own_listing,
    purchaseErrors.buyer_limited,
    listingErrors.listing_blocked,
    purchaseErrors.listing_not_active,
    purchaseErrors.sold_out,
    purchaseErrors.listing_changed_while_buying,
    purchaseErrors.query_not_accepted,
    purchaseErrors.query_required,
    paymentErrors.payment_not_confirmed,
    ...Object.values(subsidyErrors),
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
    const { buyerId, amountCents } = offer;
    const found = await findListing(ctx.ports.market, offer.listingId);
    const { listing, query } = requireForSale(found, { buyerId, query: offer.query, isAttested: false });
    await requireAsOffered(ctx, offer, listing);
    const maker = await findOfferMaker(ctx.ports.market, offer, isoTime(ctx.now));
    if (maker === null) throw new Refusal(offerErrors.offer_not_open);
    const order = { buyerId, query, email: null, amountCents, terms: ctx.settings };
    try {
      const answer = await sell(ctx, { offer, listing, order, maker });
      if (answer !== null) return answer;
    } catch (error) {
      // What bounds the buyer's key is not the seller's to know.
      if (!isOfBuyersKey(error)) throw error;
    }
    throw new Refusal(offerErrors.offer_not_payable);
  },
});

const isOfBuyersKey = (error: unknown): boolean =>
  error instanceof Refusal &&
  [...Object.values(budgetErrors), approvalErrors.approval_required].includes(error.definition);

interface Acceptance {
  readonly offer: Offer;
  readonly listing: Listing;
  readonly order: Omit<Order, 'spender'>;
  readonly maker: OfferMaker;
}

/** On the first rail that can pay for it; null: none can. */
async function sell(ctx: AcceptContext, acceptance: Acceptance): Promise<OfferAnswer | null> {
  const { offer, listing, order, maker } = acceptance;
  const { policies } = maker;
  const { amountCents } = order;
  requireWithinPolicy(policies, {
    amountCents,
    rail: null,
    sellerId: listing.seller.id,
    verticalSlug: listing.verticalSlug,
  });
  // A limit that the key was given since holds for what was not approved.
  if (!maker.isApproved && needsApproval(policies, amountCents))
    throw new Refusal(approvalErrors.approval_required);
  const key = { ...UNBOUND, keyId: offer.keyId };
  // Counted and approved with the offer. A policy that the key was given since counts what is bought now.
  const spender = maker.isCounted ? key : { ...key, policies };
  let closure: Refusal | null = null;
  for (const rail of railsFor('auto', amountCents, true, { ...key, policies })) {
    const limits = rail.limits(ctx.ports);
    if (limits === null || amountCents < limits.minCents || amountCents > limits.maxCents) continue;
    const sale = newSale(ctx.ports, listing, { ...order, spender }, rail, ctx.now);
    const reservation = { sale, instrument: null, spender };
    try {
      const answer = rail.isPaidLater
        ? await sellByPage(ctx, offer, listing, reservation)
        : await sellAtOnce(ctx, offer, reservation);
      if (answer !== null) return answer;
    } catch (error) {
      if (!(error instanceof Refusal && isClosure(error))) throw error;
      closure = error;
    }
  }
  if (closure !== null) throw closure;
  return null;
}

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

/** One transaction: the money, the unit, the sale and the offer. Null: the buyer's money does not cover it. */
async function sellAtOnce(
  ctx: AcceptContext,
  offer: Offer,
  { sale: begun, ...terms }: Reservation,
): Promise<OfferAnswer | null> {
  const { ports, now } = ctx;
  const at = isoTime(now);
  const collectUntil = collectUntilOf(null, now);
  // An event tells the buyer, who has until then to collect it.
  const payment = { ...begun.payment, leasedUntil: null, dueAt: collectUntil, collectUntil };
  const sale: Sale = { ...begun, payment };
  const answer = await acceptedView(offer, sale, ctx);
  const statements = [
    ...reservationStatements(ports, { sale, ...terms }),
    ...acceptStatements(offer, sale, at),
    ...buyerEvent(ports, sale, 'purchase.authorized', at),
  ];
  try {
    await ctx.commit(statements, answer);
    return answer;
  } catch (error) {
    if (railNamed(sale.rail).explainRefused(error) === 'overdrawn') return null;
    throw isDecidedOffer(error) ? new Refusal(offerErrors.offer_not_open) : toSaleRefusal(error, now);
  }
}

async function sellByPage(
  ctx: AcceptContext,
  offer: Offer,
  listing: Listing,
  reservation: Reservation,
): Promise<OfferAnswer> {
  const { sale } = reservation;
  const { ports, now, baseUrl, settings } = ctx;
  await reserveSale(ports, reservation);
  const answer = await acceptedView(offer, sale, ctx);
  const page = await purchasePageOf(ports, { baseUrl, siteUrl: settings.siteUrl }, sale.id);
  const accepted = acceptStatements(offer, sale, isoTime(now));
  try {
    await advanceSale(ports, sale, {
      by: 'request',
      listing,
      page: {
        title: listing.title,
        returnUrl: page.url,
        expiresAt: now + OFFER_CHECKOUT_MS,
      },
      commit: (statements) => ctx.commit([...accepted, ...statements], answer),
    });
    return answer;
  } catch (error) {
    if (!isDecidedOffer(error)) throw error;
    await cancelSaleBestEffort(ports, sale, 'failed', offerErrors.offer_not_open.code);
    throw new Refusal(offerErrors.offer_not_open);
  }
}

/** What the buyer's key was committed to by its offer, the purchase is from now on. */
function acceptStatements({ id }: Offer, sale: Sale, at: IsoTime): Statement[] {
  return [...decideOffer(id, { status: 'accepted', purchaseId: sale.id }, at), passBudgetOn(id, sale.id)];
}

function acceptedView(offer: Offer, { id }: Sale, ctx: AcceptContext): Promise<OfferAnswer> {
  const decidedAt = isoTime(ctx.now);
  const accepted = { ...offer, status: 'accepted' as const, purchaseId: id, decidedAt };
  return viewOffer(ctx.ports, accepted, ctx.caller.agentId, ctx.now);
}
