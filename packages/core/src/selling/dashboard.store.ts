import { and, desc, eq, inArray, sql } from 'drizzle-orm';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import { SELLER_RECORD } from '../agents/index.ts';
import { build } from '../db/build.ts';
import { type Params, query } from '../db/query.ts';
import { agents, sellers } from '../db/tables/agents.ts';
import { listings } from '../db/tables/listings.ts';
import { purchases } from '../db/tables/purchases.ts';
import {
  chargebacks,
  disputes,
  gatheredSales,
  operatorHolds,
  paidElsewhere,
  payments,
  shipments,
} from '../db/tables/sales.ts';
import { NEWEST, type Position } from '../kernel/page-cursor.ts';
import type { Database } from '../kernel/ports/database.ts';
import type { IsoTime } from '../kernel/time.ts';
import {
  type ChargebackColumns,
  type Decision,
  isAfter,
  isInPart,
  isShownAs,
  NEWEST_FIRST,
  readByStatus,
  type SalePage,
  type SalePart,
  type SaleStatus,
} from '../sales/index.ts';

export type SellerProfile = Readonly<
  Pick<typeof agents.$inferSelect, 'displayName' | 'handle' | 'id' | 'sellerLabel'> &
    Omit<typeof sellers.$inferSelect, 'agentId' | 'claimExpiresAt'>
>;

type ListingStatus = (typeof listings.$inferSelect)['status'];

export type OwnListing = Readonly<
  Pick<
    typeof listings.$inferSelect,
    | 'createdAt'
    | 'id'
    | 'listingType'
    | 'priceCents'
    | 'priceMicros'
    | 'meter'
    | 'purchaseCount'
    | 'ratingCount'
    | 'ratingSum'
    | 'soldCount'
    | 'status'
    | 'title'
    | 'version'
    | 'viewCount'
  >
>;

/** A paid sale, refunded ones included. */
const SOLD = ['held', 'releasing', 'released', 'refunded'] as const satisfies SaleStatus[];
type SoldStatus = (typeof SOLD)[number];

export interface RecentSale extends ChargebackColumns {
  readonly amountCents: number;
  /** The buyer's pseudonym; null if it bought without a key. */
  readonly buyer: string | null;
  readonly createdAt: IsoTime;
  readonly deliveredAt: IsoTime | null;
  readonly disputeDecideBy: IsoTime | null;
  readonly disputeDecidedAt: IsoTime | null;
  readonly disputeDecidedBy: 'operator' | 'rule' | null;
  readonly disputeDecision: Decision | null;
  /** Null where nobody disputed it. */
  readonly disputeOpenedAt: IsoTime | null;
  readonly fulfilment: 'digital' | 'physical' | null;
  readonly dueAt: IsoTime | null;
  readonly failure: string | null;
  readonly heldAt: IsoTime | null;
  readonly holdUntil: IsoTime | null;
  readonly liftedAt: IsoTime | null;
  readonly reserveUntil: IsoTime | null;
  readonly listingId: string;
  readonly paidElsewhere: 'buyer' | 'seller' | null;
  readonly payoutWaitsUntil: IsoTime | null;
  readonly platformFeeCents: number;
  readonly id: string;
  readonly rail: string;
  readonly shipBy: IsoTime | null;
  readonly shippedAt: IsoTime | null;
  readonly status: SoldStatus;
  readonly title: string;
}

const profile = query((p: Params<{ sellerId: string }>) =>
  build
    .select({
      country: sellers.country,
      deliveredCount: sellers.deliveredCount,
      deliveredDays: sellers.deliveredDays,
      displayName: agents.displayName,
      failedCount: sellers.failedCount,
      handle: agents.handle,
      id: agents.id,
      payouts: sellers.payouts,
      ratingCount: sellers.ratingCount,
      ratingSum: sellers.ratingSum,
      refusedDays: sellers.refusedDays,
      ...SELLER_RECORD,
      registeredAt: sellers.registeredAt,
      sellerLabel: agents.sellerLabel,
    })
    .from(sellers)
    .innerJoin(agents, eq(agents.id, sellers.agentId))
    .where(eq(sellers.agentId, p.sellerId)),
);

const ownListings = query((p: Params<{ sellerId: string; limit: number; offset: number }>) =>
  build
    .select({
      createdAt: listings.createdAt,
      id: listings.id,
      listingType: listings.listingType,
      priceCents: listings.priceCents,
      priceMicros: listings.priceMicros,
      meter: listings.meter,
      purchaseCount: listings.purchaseCount,
      ratingCount: listings.ratingCount,
      ratingSum: listings.ratingSum,
      soldCount: sql<number>`CASE ${listings.listingType} WHEN 'standard'
        THEN ${listings.purchaseCount} ELSE ${listings.soldCount} END`,
      status: listings.status,
      title: listings.title,
      version: listings.version,
      viewCount: listings.viewCount,
    })
    .from(listings)
    .where(eq(listings.sellerId, p.sellerId))
    .orderBy(desc(listings.createdAt), desc(listings.id))
    .limit(p.limit)
    .offset(p.offset),
);

const countOf = (status: ListingStatus) =>
  sql<number>`COUNT(*) FILTER (WHERE ${eq(listings.status, status)})`;

const listingCounts = query((p: Params<{ sellerId: string }>) =>
  build
    .select({ active: countOf('active'), inactive: countOf('inactive'), pending: countOf('pending') })
    .from(listings)
    .where(eq(listings.sellerId, p.sellerId)),
);

/** Of the latest chargeback of a purchase. */
function latestChargeback<Column extends SQLiteColumn>(column: Column) {
  const latest = build
    .select({ value: column })
    .from(chargebacks)
    .where(eq(chargebacks.purchaseId, purchases.id))
    .orderBy(desc(chargebacks.openedAt))
    .limit(1);
  return sql<Column['_']['data'] | null>`${latest}`;
}

const selectSales = () =>
  build
    .select({
      amountCents: purchases.amountCents,
      buyer: agents.buyerLabel,
      chargebackOpenedAt: latestChargeback(chargebacks.openedAt),
      chargebackSettledAt: latestChargeback(chargebacks.settledAt),
      chargebackStatus: latestChargeback(chargebacks.status),
      createdAt: purchases.createdAt,
      deliveredAt: purchases.deliveredAt,
      disputeDecideBy: disputes.decideBy,
      disputeDecidedAt: disputes.decidedAt,
      disputeDecidedBy: disputes.decidedBy,
      disputeDecision: disputes.decision,
      disputeOpenedAt: disputes.openedAt,
      fulfilment: payments.fulfilment,
      dueAt: payments.dueAt,
      failure: payments.failure,
      heldAt: operatorHolds.heldAt,
      holdUntil: payments.holdUntil,
      liftedAt: operatorHolds.liftedAt,
      reserveUntil: payments.reserveUntil,
      listingId: purchases.listingId,
      paidElsewhere: paidElsewhere.party,
      payoutWaitsUntil: gatheredSales.waitsUntil,
      platformFeeCents: purchases.platformFeeCents,
      id: purchases.id,
      rail: purchases.rail,
      shipBy: shipments.shipBy,
      shippedAt: shipments.shippedAt,
      status: sql<SoldStatus>`${purchases.status}`,
      title: listings.title,
    })
    .from(purchases)
    .innerJoin(listings, eq(listings.id, purchases.listingId))
    .leftJoin(agents, eq(agents.id, purchases.buyerId))
    .leftJoin(payments, eq(payments.purchaseId, purchases.id))
    .leftJoin(shipments, eq(shipments.purchaseId, purchases.id))
    .leftJoin(gatheredSales, eq(gatheredSales.purchaseId, purchases.id))
    .leftJoin(disputes, eq(disputes.purchaseId, purchases.id))
    .leftJoin(operatorHolds, eq(operatorHolds.purchaseId, purchases.id))
    .leftJoin(paidElsewhere, eq(paidElsewhere.purchaseId, purchases.id));

/** Failed attempts are no sales, and neither are those under way. */
const salesByStatus = query((p: Params<SalePart & { sellerId: string; limit: number }>) =>
  selectSales()
    .where(and(eq(purchases.sellerId, p.sellerId), isInPart(p)))
    .orderBy(...NEWEST_FIRST)
    .limit(p.limit),
);

type DisputedPart = Position & { sellerId: string; shown: SoldStatus | null; limit: number };

/** By an index that has no others. */
const disputedSales = query((p: Params<DisputedPart>) =>
  selectSales()
    .where(
      and(
        eq(purchases.sellerId, p.sellerId),
        sql`${purchases.isDisputed} = 1`,
        inArray(purchases.status, [...SOLD]),
        isAfter(p),
        isShownAs(p.shown),
      ),
    )
    .orderBy(...NEWEST_FIRST)
    .limit(p.limit),
);

export function readProfile(market: Database, sellerId: string): Promise<SellerProfile | null> {
  return profile.first(market, { sellerId });
}

/** Newest first. */
export function listOwnListings(
  market: Database,
  sellerId: string,
  page: { limit: number; offset: number },
): Promise<OwnListing[]> {
  return ownListings.all(market, { sellerId, ...page });
}

export async function countOwnListings(
  market: Database,
  sellerId: string,
): Promise<{ active: number; inactive: number; pending: number }> {
  const row = await listingCounts.first(market, { sellerId });
  if (!row) throw new Error('A count is always there.');
  return row;
}

interface SellerFilter {
  /** Those that are shown with it; null: all. */
  readonly status: SoldStatus | null;
  /** Only those that a buyer or a bank disputes, or did. */
  readonly isDisputed: boolean;
}

/** Newest first. */
export function listSalesOf(
  market: Database,
  sellerId: string,
  { status, isDisputed }: SellerFilter,
  page: SalePage,
): Promise<RecentSale[]> {
  if (isDisputed) {
    const { after, limit } = page;
    return disputedSales.all(market, { ...(after ?? NEWEST), sellerId, shown: status, limit });
  }
  return readByStatus(SOLD, status, page, (part) => salesByStatus.all(market, { ...part, sellerId }));
}
