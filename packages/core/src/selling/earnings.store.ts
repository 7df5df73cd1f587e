import { sql } from 'drizzle-orm';
import { prepared } from '../db/statement.ts';
import { ledgerEntries, ledgerPostings } from '../db/tables/ledger.ts';
import { listings } from '../db/tables/listings.ts';
import { purchases } from '../db/tables/purchases.ts';
import { saleTotals } from '../db/tables/ratings.ts';
import type { Database } from '../kernel/ports/database.ts';
import type { IsoTime } from '../kernel/time.ts';
import { escrowAccount } from '../ledger/index.ts';

/** What paid sales come to. What the seller gets is net of fees. */
export interface Earnings {
  readonly availableCents: number;
  readonly grossCents: number;
  readonly pendingCents: number;
  readonly platformFeeCents: number;
  readonly salesCount: number;
}

export interface ListingEarnings extends Earnings {
  readonly listingId: string;
  readonly priceCents: number;
  readonly status: 'pending' | 'active' | 'inactive';
  readonly title: string;
}

/** A sale whose share has left for the seller. */
export interface ReleasedPayout {
  readonly amountCents: number;
  readonly listingId: string;
  readonly purchaseId: string;
  readonly releasedAt: IsoTime;
}

/** Kept by trigger as sales change, so the cost is by listings that sold, not by sales. */
const SUMS = sql`
  TOTAL(CASE status_of_sales WHEN 'released' THEN gross_cents - fee_cents END) AS availableCents,
  TOTAL(gross_cents) AS grossCents,
  TOTAL(CASE WHEN status_of_sales <> 'released' THEN gross_cents - fee_cents END) AS pendingCents,
  TOTAL(fee_cents) AS platformFeeCents, TOTAL(sales) AS salesCount`;

const totals = prepared<{ sellerId: string }>(sql`SELECT ${SUMS}, COUNT(DISTINCT listing_id) AS listings
  FROM (SELECT listing_id, status AS status_of_sales, sales, gross_cents, fee_cents FROM ${saleTotals}
    WHERE seller_id = ${sql.placeholder('sellerId')} AND sales > 0)`);

const byListing = prepared<{ sellerId: string; limit: number; offset: number }>(sql`SELECT ${SUMS},
    listing_id AS listingId, price_cents AS priceCents, status, title
  FROM (SELECT listing_id, status AS status_of_sales, sales, gross_cents, fee_cents FROM ${saleTotals}
    WHERE seller_id = ${sql.placeholder('sellerId')} AND sales > 0)
  JOIN ${listings} ON ${listings.id} = listing_id GROUP BY listing_id
  ORDER BY grossCents DESC, listing_id LIMIT ${sql.placeholder('limit')} OFFSET ${sql.placeholder('offset')}`);

const released = prepared<{ account: string; limit: number }>(sql`SELECT -e.amount_cents AS amountCents,
    ${purchases.listingId} AS listingId, p.reference AS purchaseId, p.created_at AS releasedAt
  FROM ${ledgerEntries} e JOIN ${ledgerPostings} p ON p.id = e.posting_id
    JOIN ${purchases} ON ${purchases.id} = p.reference
  WHERE e.account = ${sql.placeholder('account')} AND p.kind = 'payout'
  ORDER BY e.id DESC LIMIT ${sql.placeholder('limit')}`);

export async function readEarnings(
  market: Database,
  sellerId: string,
): Promise<{ earnings: Earnings; listings: number }> {
  const row = await market.first<Earnings & { listings: number }>(totals({ sellerId }));
  if (!row) throw new Error('A sum is always there.');
  const { listings: count, ...earnings } = row;
  return { earnings, listings: count };
}

/** What earned most comes first. */
export function listEarnings(
  market: Database,
  sellerId: string,
  page: { limit: number; offset: number },
): Promise<ListingEarnings[]> {
  return market.all<ListingEarnings>(byListing({ sellerId, ...page }));
}

/** From the ledger, the last released first. */
export function listReleasedPayouts(
  market: Database,
  sellerId: string,
  limit: number,
): Promise<ReleasedPayout[]> {
  return market.all<ReleasedPayout>(released({ account: escrowAccount(sellerId), limit }));
}
