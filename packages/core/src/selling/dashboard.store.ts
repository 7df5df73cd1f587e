import { sql } from 'drizzle-orm';
import { prepared } from '../db/statement.ts';
import { agents, sellers } from '../db/tables/agents.ts';
import { listings } from '../db/tables/listings.ts';
import { purchases } from '../db/tables/purchases.ts';
import { disputes, payments, shipments } from '../db/tables/sales.ts';
import type { Database } from '../kernel/ports/database.ts';
import type { IsoTime } from '../kernel/time.ts';
import { type ChargebackColumns, chargebackColumns, type Decision, type SaleStatus } from '../sales/index.ts';

export interface SellerProfile {
  readonly country: string | null;
  readonly deliveredCount: number;
  readonly displayName: string | null;
  readonly failedCount: number;
  readonly handle: string;
  readonly id: string;
  readonly payouts: 'not_connected' | 'connected';
  readonly ratingCount: number;
  readonly ratingSum: number;
  readonly registeredAt: IsoTime;
  readonly sellerLabel: string;
}

export interface OwnListing {
  readonly createdAt: IsoTime;
  readonly id: string;
  readonly listingType: 'standard' | 'limited' | 'exclusive';
  readonly priceCents: number;
  readonly purchaseCount: number;
  readonly ratingCount: number;
  readonly ratingSum: number;
  readonly soldCount: number;
  readonly status: 'pending' | 'active' | 'inactive';
  readonly title: string;
  readonly version: number;
  readonly viewCount: number;
}

export interface RecentSale extends ChargebackColumns {
  readonly amountCents: number;
  /** The buyer's pseudonym; null if it bought without a key. */
  readonly buyer: string | null;
  readonly createdAt: IsoTime;
  readonly deliveredAt: IsoTime | null;
  readonly disputeDecidedAt: IsoTime | null;
  readonly disputeDecision: Decision | null;
  /** Null where nobody disputed it. */
  readonly disputeOpenedAt: IsoTime | null;
  readonly fulfilment: 'digital' | 'physical' | null;
  readonly holdUntil: IsoTime | null;
  readonly listingId: string;
  readonly platformFeeCents: number;
  readonly purchaseId: string;
  readonly rail: string;
  readonly shipBy: IsoTime | null;
  readonly shippedAt: IsoTime | null;
  readonly status: Extract<SaleStatus, 'held' | 'releasing' | 'released' | 'refunded'>;
  readonly title: string;
}

const profile = prepared<{ sellerId: string }>(sql`SELECT country, delivered_count AS deliveredCount,
    display_name AS displayName, failed_count AS failedCount, handle, id, payouts, rating_count AS ratingCount,
    rating_sum AS ratingSum, registered_at AS registeredAt, seller_label AS sellerLabel
  FROM ${sellers} JOIN ${agents} ON id = agent_id WHERE agent_id = ${sql.placeholder('sellerId')}`);

const ownListings = prepared<{ sellerId: string; limit: number; offset: number }>(sql`SELECT
    created_at AS createdAt, id, listing_type AS listingType, price_cents AS priceCents,
    purchase_count AS purchaseCount, rating_count AS ratingCount, rating_sum AS ratingSum,
    CASE listing_type WHEN 'standard' THEN purchase_count ELSE sold_count END AS soldCount, status, title, version, view_count AS viewCount
  FROM ${listings} WHERE seller_id = ${sql.placeholder('sellerId')} ORDER BY created_at DESC, id DESC
  LIMIT ${sql.placeholder('limit')} OFFSET ${sql.placeholder('offset')}`);

const listingCounts = prepared<{ sellerId: string }>(sql`SELECT
    COUNT(*) FILTER (WHERE status = 'active') AS active, COUNT(*) FILTER (WHERE status = 'inactive') AS inactive,
    COUNT(*) FILTER (WHERE status = 'pending') AS pending
  FROM ${listings} WHERE seller_id = ${sql.placeholder('sellerId')}`);

/** Attempts that came to nothing, and those that may still, are no sales. */
const recentSales = prepared<{ sellerId: string; limit: number }>(sql`SELECT amount_cents AS amountCents,
    buyer_label AS buyer, ${chargebackColumns(sql`${purchases.id}`)}, ${purchases.createdAt} AS createdAt, delivered_at AS deliveredAt,
    ${disputes.decidedAt} AS disputeDecidedAt, ${disputes.decision} AS disputeDecision,
    ${disputes.openedAt} AS disputeOpenedAt, ${payments.fulfilment} AS fulfilment, hold_until AS holdUntil, listing_id AS listingId,
    platform_fee_cents AS platformFeeCents, ${purchases.id} AS purchaseId, rail, ship_by AS shipBy, shipped_at AS shippedAt,
    ${purchases.status} AS status, title
  FROM ${purchases} JOIN ${listings} ON ${listings.id} = listing_id
    LEFT JOIN ${agents} ON ${agents.id} = buyer_id LEFT JOIN ${payments} ON ${payments.purchaseId} = ${purchases.id}
    LEFT JOIN ${shipments} ON ${shipments.purchaseId} = ${purchases.id}
    LEFT JOIN ${disputes} ON ${disputes.purchaseId} = ${purchases.id}
  WHERE ${purchases.sellerId} = ${sql.placeholder('sellerId')}
    AND ${purchases.status} IN ('held', 'releasing', 'released', 'refunded')
  ORDER BY ${purchases.createdAt} DESC, ${purchases.id} DESC LIMIT ${sql.placeholder('limit')}`);

export function readProfile(market: Database, sellerId: string): Promise<SellerProfile | null> {
  return market.first<SellerProfile>(profile({ sellerId }));
}

/** Newest first. */
export function listOwnListings(
  market: Database,
  sellerId: string,
  page: { limit: number; offset: number },
): Promise<OwnListing[]> {
  return market.all<OwnListing>(ownListings({ sellerId, ...page }));
}

export async function countOwnListings(
  market: Database,
  sellerId: string,
): Promise<{ active: number; inactive: number; pending: number }> {
  const row = await market.first<{ active: number; inactive: number; pending: number }>(
    listingCounts({ sellerId }),
  );
  if (!row) throw new Error('A count is always there.');
  return row;
}

/** Newest first. */
export function listRecentSales(market: Database, sellerId: string, limit: number): Promise<RecentSale[]> {
  return market.all<RecentSale>(recentSales({ sellerId, limit }));
}
