import * as z from 'zod';
import { averageRating, refusedShare, refusedShareField } from '../agents/index.ts';
import { verticalBySlug } from '../catalogue/index.ts';
import { Refusal } from '../kernel/errors.ts';
import { defineOperation } from '../kernel/operation/operation.ts';
import { ruleField } from '../kernel/rule-field.ts';
import { qualityStatement } from '../quality/index.ts';
import { closedRailsField, findClosed, readSpentOn } from '../subsidies/index.ts';
import { requireNotBlocked } from './blocks/require-not-blocked.ts';
import type { Listing } from './listing.ts';
import { badgesOf, viewListingDetail } from './listing-view.rules.ts';
import { listingErrors } from './listings.errors.ts';
import { AGENT_NOTICE, listingDetailView, listingId, preview } from './listings.schema.ts';
import { findListing } from './listings.store.ts';
import { closedRailsFor } from './state/closed-rails-for.ts';
import { withClosedX402, x402Obstacle } from './state/x402-offer.rules.ts';
import { readX402Offer } from './state/x402-offer.ts';

/** Clause: GET /marketplace/listings/{id}. */
export const getListing = defineOperation({
  name: 'getListing',
  summary: 'One listing with its preview, its seller and its ratings.',
  area: 'Listings',
  description: 'The preview of a listing that was deactivated is shown to its owner only, who sends its key.',
  auth: 'optional',
  scope: 'read',
  input: z.object({ listingId }),
  output: z.object({
    agent_notice: z.string(),
    blocked: z
      .object({ reason: z.string(), rule: ruleField, since: z.iso.datetime() })
      .optional()
      .describe('For its owner: why an operator took it off the market. Others are answered 410.'),
    closedRails: closedRailsField,
    listing: listingDetailView,
    preview,
    previewHidden: z
      .literal(true)
      .optional()
      .describe('Its owner took the listing off the market, or is suspended.'),
    quality: qualityStatement
      .nullable()
      .describe('A signed statement of `listing.measured`: it verifies by itself.'),
    ratings: z.object({ average: z.number(), count: z.int() }),
    seller: z.object({
      badges: z.array(z.string()),
      deliveredCount: z.int(),
      endpointVerified: z.boolean(),
      failedCount: z.int(),
      id: z.uuid(),
      kind: z.enum(['third_party', 'platform']),
      name: z.string(),
      ratingAvg: z.number(),
      ratingCount: z.int(),
      refusedShare: refusedShareField,
      reputation: z.number(),
      since: z.iso.datetime(),
    }),
    x402Path: z
      .string()
      .nullable()
      .describe(
        'Where a query is paid for in USDC without a key. Null: this listing is not sold over x402, or nothing can be settled there now.',
      ),
  }),
  errors: [listingErrors.listing_not_found, listingErrors.listing_blocked],
  http: { method: 'get', path: '/marketplace/listings/{id}', status: 200, names: { listingId: 'id' } },
  mcp: {
    tool: 'preview_listing',
    title: 'Look at one listing',
    description:
      'One listing in full: description, preview, price, ratings, seller and, if it takes a query, the schema of ' +
      'that. Read it before buying. Free, no key. Next: buy_data with `max_price_cents` set to its priceCents, and ' +
      '`query` if it takes one.',
    answer: {
      text: [
        'listing.id',
        'listing.title',
        'listing.description',
        'listing.priceCents',
        'listing.priceMicros',
        'listing.meter',
        'listing.listingType',
        'listing.fulfilment',
        'listing.queryRequired',
        'listing.exampleQuery',
        'listing.inputSchema',
        'listing.authorizedUses',
        'listing.measured',
        'listing.unreachableSince',
        'preview',
        'ratings',
        'seller.name',
        'seller.reputation',
        'blocked',
      ],
      expendable: [
        'quality',
        'listing.outputSchema',
        'listing.images',
        'listing.pictures',
        'listing.demographics',
        'listing.contextTags',
        'listing.description',
        'preview',
        'listing.authorizedUses',
        'listing.inputSchema',
        'listing.exampleQuery',
      ],
      whole: '/marketplace/listings/{listing.id}',
    },
    hints: { readOnly: true, destructive: false, idempotent: true },
  },
  rate: 'read',
  lag: 'A change of the listing, its being taken off the market, its ratings and counts; one that was just created is found.',
  cache: { freshSeconds: 0, staleIfErrorSeconds: 3600 },
  prefetch: (ports, { listingId }) =>
    Promise.all([findListing(ports.market, listingId), readX402Offer(ports), readSpentOn(ports, listingId)]),
  async handle({ ports, now, caller }, _input, [listing, offer, spent]) {
    if (!listing) throw new Refusal(listingErrors.listing_not_found);
    const vertical = requireVertical(listing);
    const isOwner = listing.seller.id === caller?.agentId;
    if (!isOwner) requireNotBlocked(listing);
    ports.viewTally.add(listing.id);
    const view = viewListingDetail(listing, vertical, now);
    const sold = { priceCents: listing.priceCents, sellerId: listing.seller.id };
    const buyer = { buyerId: caller?.agentId ?? null, readSpent: async () => spent };
    const closed = await closedRailsFor(ports, sold, buyer, now);
    const closedRails = withClosedX402(listing, offer, closed);
    const isSoldOverX402 = x402Obstacle(listing, offer) === null && findClosed(closedRails, 'x402') === null;
    const isHidden = isOffMarket(listing) && !isOwner;
    return {
      agent_notice: AGENT_NOTICE,
      ...viewBlock(listing),
      closedRails: [...closedRails],
      listing: view,
      preview: isHidden ? {} : listing.preview,
      ...(isHidden ? { previewHidden: true as const } : {}),
      quality: listing.quality,
      ratings: {
        average: averageRating({ count: listing.ratingCount, sum: listing.ratingSum }),
        count: listing.ratingCount,
      },
      seller: viewSeller(listing, view.sellerReputation),
      x402Path: isSoldOverX402 ? `/x402/listings/${listing.id}/query` : null,
    };
  },
});

/** To all but its owner: nothing of it is offered. */
function isOffMarket({ status, seller }: Listing): boolean {
  return status === 'inactive' || seller.isSuspended || seller.isLeaving;
}

function viewBlock({ blockedAt: since, blockedReason: reason, blockedRule: rule }: Listing) {
  return since === null || reason === null || rule === null ? {} : { blocked: { reason, rule, since } };
}

function viewSeller(listing: Listing, reputation: number) {
  const { seller } = listing;
  return {
    badges: badgesOf(listing),
    deliveredCount: seller.deliveredCount,
    endpointVerified: seller.kind === 'platform' || seller.endpoint !== null,
    failedCount: seller.failedCount,
    id: seller.id,
    kind: seller.kind,
    name: seller.name,
    ratingAvg: averageRating({ count: seller.ratingCount, sum: seller.ratingSum }),
    ratingCount: seller.ratingCount,
    refusedShare: refusedShare(seller),
    reputation,
    since: seller.registeredAt,
  };
}

/** Verticals are defined in code and never removed: a listing without one is a defect. */
export function requireVertical(listing: Listing) {
  const vertical = verticalBySlug(listing.verticalSlug);
  if (!vertical) throw new Error(`Listing ${listing.id} is in an unknown vertical.`);
  return vertical;
}
