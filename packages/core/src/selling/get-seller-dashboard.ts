import * as z from 'zod';
import { listNotifications, refusedShare, reputationAt } from '../agents/index.ts';
import { findEndpoint } from '../delivery/index.ts';
import { commonErrors, Refusal } from '../kernel/errors.ts';
import { defineOperation } from '../kernel/operation/operation.ts';
import { pageFields } from '../kernel/page-fields.ts';
import { type EpochMs, isoTime } from '../kernel/time.ts';
import { listLiveOffers, type Offer } from '../offers/index.ts';
import { findCurrentChanges, findPayoutRoutes } from '../payouts/index.ts';
import { listPayouts, readReserve } from '../sales/index.ts';
import { meanOf } from './dashboard.rules.ts';
import {
  dashboardAnswer,
  earningsFields,
  liveOffer,
  notification,
  ownListing,
  payoutStatus,
  recentSale,
  releasedPayout,
  reserveField,
  sellerProfile,
} from './dashboard.schema.ts';
import {
  countOwnListings,
  listOwnListings,
  listSalesOf,
  type OwnListing,
  readProfile,
  type SellerProfile,
} from './dashboard.store.ts';
import { listReleasedPayouts, readEarnings } from './earnings.store.ts';
import { endpointFields } from './endpoint.schema.ts';
import { viewPayouts } from './payouts/view-payouts.ts';
import { viewSale } from './sales/view-sale.ts';
import { usdcPayout, viewUsdcPayout } from './usdc-payout.schema.ts';

/** Of each list that is not paged (clause: Limits, seller notifications in dashboard). */
const RECENT = 50;

/** Clause: GET /sell/me. */
export const getSellerDashboard = defineOperation({
  name: 'getSellerDashboard',
  summary: 'Your dashboard as a seller.',
  description: `Profile and payouts, endpoint, listings, earnings, and the ${RECENT} most recent sales, released payouts, payouts in USDC, notifications and live offers. \`limit\` and \`offset\` page the listings.`,
  area: 'Selling',
  auth: 'seller',
  scope: 'read',
  input: z.object(pageFields),
  output: z.object({
    earnings: z.object({ ...earningsFields, reserveCents: reserveField }),
    endpoint: z
      .object({
        callbackType: endpointFields.callbackType.unwrap(),
        callbackUrl: z.string(),
        nextProbeAt: z.iso
          .datetime()
          .nullable()
          .describe('While it is silent: when it is sent a challenge again. Null: it is not.'),
        silentSince: z.iso
          .datetime()
          .nullable()
          .describe('It has answered neither a buyer nor a challenge since. Null: it answered last.'),
        unreachableSince: z.iso
          .datetime()
          .nullable()
          .describe('Browsing leaves your listings out since. Null: it shows them.'),
        verified: z.literal(true),
        verifiedAt: z.iso.datetime(),
      })
      .nullable()
      .describe('Null until a delivery endpoint is verified.'),
    limit: z.int(),
    listingCounts: z.object({ active: z.int(), inactive: z.int(), pending: z.int() }),
    listings: z.array(ownListing).describe('Newest first.'),
    notifications: z.array(notification),
    offers: z.array(liveOffer).describe('Live offers for exclusive listings.'),
    offset: z.int(),
    payouts: payoutStatus,
    profile: sellerProfile,
    releasedPayouts: z.array(releasedPayout),
    sales: z.array(recentSale),
    usdcPayouts: z
      .array(usdcPayout)
      .describe('Transfers to a wallet, each for the sales that were due together; the last begun first.'),
  }),
  errors: [],
  http: { method: 'get', path: '/sell/me', status: 200 },
  mcp: {
    tool: 'seller_dashboard',
    title: 'Your dashboard as a seller',
    description:
      'How you stand as a seller: reputation, payouts, endpoint, listings, sales, earnings, notifications, offers. ' +
      'Shows what needs doing: a pending listing, an order to ship, an offer, a failed payout. Free. Needs a ' +
      "seller's key.",
    answer: dashboardAnswer,
    hints: { readOnly: true, destructive: false, idempotent: true },
  },
  rate: 'read',
  async handle({ ports: { market, chain }, caller, now, baseUrl }, page) {
    const id = caller.agentId;
    // Started together, so that all of them are one round trip.
    const [
      profile,
      routes,
      changes,
      endpoint,
      listings,
      listingCounts,
      sales,
      earned,
      reserveCents,
      releasedPayouts,
      notes,
      offers,
      usdcPayouts,
    ] = await Promise.all([
      readProfile(market, id),
      findPayoutRoutes(market, [id], isoTime(now)),
      findCurrentChanges(market, id, now),
      findEndpoint(market, id),
      listOwnListings(market, id, page),
      countOwnListings(market, id),
      listSalesOf(market, id, { status: null, isDisputed: false }, { after: null, limit: RECENT }),
      readEarnings(market, id),
      readReserve(market, id, isoTime(now)),
      listReleasedPayouts(market, id, RECENT),
      listNotifications(market, id, RECENT),
      listLiveOffers(market, id, isoTime(now), RECENT),
      listPayouts(market, id, RECENT),
    ]);
    if (!profile) throw new Refusal(commonErrors.not_a_seller);
    return {
      earnings: { ...earned.earnings, reserveCents },
      endpoint: endpoint && {
        callbackType: endpoint.callbackType,
        callbackUrl: endpoint.callbackUrl,
        nextProbeAt: endpoint.silentSince === null ? null : endpoint.probeAt,
        silentSince: endpoint.silentSince,
        unreachableSince: endpoint.unreachableSince,
        verified: true as const,
        verifiedAt: endpoint.verifiedAt,
      },
      limit: page.limit,
      listingCounts,
      listings: listings.map(viewListing),
      notifications: notes,
      offers: offers.map(viewOffer),
      offset: page.offset,
      payouts: viewPayouts(profile.payouts, routes.get(id) ?? null, changes, { baseUrl, chain, now }),
      profile: viewProfile(profile, now),
      releasedPayouts,
      sales: sales.map(viewSale),
      usdcPayouts: usdcPayouts.map(viewUsdcPayout),
    };
  },
});

function viewProfile(seller: SellerProfile, now: EpochMs) {
  const { country, deliveredCount, displayName, failedCount, handle, id } = seller;
  const { ratingCount, registeredAt, sellerLabel } = seller;
  return {
    country,
    deliveredCount,
    displayName,
    failedCount,
    handle,
    id,
    ratingAvg: meanOf(seller),
    ratingCount,
    refusedShare: refusedShare(seller),
    registeredAt,
    reputation: reputationAt(seller, now),
    sellerLabel,
  };
}

function viewListing({ ratingSum, ...listing }: OwnListing) {
  return { ...listing, ratingAvg: meanOf({ ratingCount: listing.ratingCount, ratingSum }) };
}

function viewOffer({ amountCents, createdAt, expiresAt, id, listingId, query }: Offer) {
  return { amountCents, createdAt, expiresAt, id, listingId, query };
}
