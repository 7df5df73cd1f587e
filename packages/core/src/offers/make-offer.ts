import * as z from 'zod';
import {
  approvalErrors,
  approvalRefusals,
  isApprovalSpent,
  requireApproval,
  useApproval,
} from '../approvals/index.ts';
import { budgetErrors, budgetRefusal, commitBudget, requireWithinPolicy } from '../budgets/index.ts';
import { PERSONAL_HEALTH_VERTICAL_SLUG } from '../catalogue/index.ts';
import { inBucketOf } from '../kernel/bucket.ts';
import { commonErrors, Refusal } from '../kernel/errors.ts';
import { defineOperation } from '../kernel/operation/operation.ts';
import { isoTime } from '../kernel/time.ts';
import { findListing, listingErrors, listingId } from '../listings/index.ts';
import { purchaseErrors, query, railsFor, requireForSale, spenderOf } from '../sales/index.ts';
import { offerErrors } from './offers.errors.ts';
import { offerEnd, takesOffers } from './offers.rules.ts';
import { offerView, viewOffer } from './offers.schema.ts';
import { insertOffer, isOfferOpenAlready, type Offer } from './offers.store.ts';

/** Clause: Seller dashboard, live exclusive offers. */
export const makeOffer = defineOperation({
  name: 'makeOffer',
  summary: 'Offer a price of your own for an exclusive listing.',
  description:
    'Nothing is reserved by an offer. If the seller accepts, it becomes a purchase at that price, from your wallet if that ' +
    'covers it, else by checkout: see `purchaseId` of GET /marketplace/offers/{id}. It is for the listing as it is now: ' +
    'once its title, description or preview has changed it cannot be accepted, and you can make another.',
  area: 'Purchasing',
  auth: 'agent',
  scope: 'buy',
  input: z.object({
    listingId,
    amountCents: z
      .int()
      .min(1)
      .max(1_000_000_000)
      .describe('What is too little or too much for a card is paid from your wallet only.'),
    expiresAt: z.iso.datetime().max(40).optional().describe('At most 30 days ahead; 7 days if left out.'),
    query,
  }),
  opaqueFields: ['query'],
  output: offerView,
  errors: [
    listingErrors.listing_not_found,
    offerErrors.offers_exclusive_only,
    offerErrors.offer_already_open,
    purchaseErrors.own_listing,
    listingErrors.listing_blocked,
    purchaseErrors.listing_not_active,
    purchaseErrors.sold_out,
    purchaseErrors.query_not_accepted,
    purchaseErrors.query_required,
    ...Object.values(budgetErrors),
    ...Object.values(approvalRefusals),
  ],
  http: {
    method: 'post',
    path: '/marketplace/listings/{id}/offers',
    status: 201,
    names: { listingId: 'id' },
  },
  rate: 'write',
  replay: 'stored',
  prefetch: ({ market }, { listingId }) => findListing(market, listingId),
  async handle(ctx, { amountCents, expiresAt: requestedEnd, query: sentQuery }, found) {
    if (found && !takesOffers(found, PERSONAL_HEALTH_VERTICAL_SLUG))
      throw new Refusal(offerErrors.offers_exclusive_only);
    const buyerId = ctx.caller.agentId;
    const { listing, query } = requireForSale(found, {
      buyerId,
      query: sentQuery ?? null,
      isAttested: false,
    });
    const expiresAt = offerEnd(requestedEnd, ctx.now);
    if (expiresAt === null) {
      const message = 'In the future, and at most 30 days ahead.';
      throw new Refusal(commonErrors.validation_failed, { fields: [{ message, path: 'expiresAt' }] });
    }
    const offer: Offer = {
      id: inBucketOf(listing.seller.id, ctx.ports.ids.uuid()),
      listingId: listing.id,
      sellerId: listing.seller.id,
      buyerId,
      amountCents,
      query,
      status: 'open',
      expiresAt,
      purchaseId: null,
      decidedAt: null,
      createdAt: isoTime(ctx.now),
      listingFingerprint: listing.fingerprint,
      listingVersion: listing.version,
      withdrawn: false,
      keyId: ctx.caller.keyId,
    };
    const answer = await viewOffer(ctx.ports, offer, buyerId, ctx.now);
    const { policies } = ctx.caller;
    const { seller, verticalSlug } = listing;
    requireWithinPolicy(policies, { amountCents, rail: null, sellerId: seller.id, verticalSlug });
    railsFor('auto', amountCents, true, spenderOf(ctx.caller));
    const approvalId = await requireApproval(ctx, {
      listing,
      amountCents,
      query,
      email: null,
      rails: ['offer'],
    });
    try {
      const spent = [...commitBudget(offer, policies), ...useApproval(approvalId, offer.id, offer.createdAt)];
      await ctx.commit([...insertOffer(offer), ...spent], answer);
    } catch (error) {
      const exceeded = budgetRefusal(error, ctx.now);
      if (exceeded !== null) throw exceeded;
      if (isApprovalSpent(error)) throw new Refusal(approvalErrors.approval_not_open, { charged: false });
      throw isOfferOpenAlready(error) ? new Refusal(offerErrors.offer_already_open) : error;
    }
    return answer;
  },
});
