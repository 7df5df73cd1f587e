import { sql } from 'drizzle-orm';
import { guardOneChange } from '../db/guard.ts';
import { insertInto, prepared, statement } from '../db/statement.ts';
import { sellers } from '../db/tables/agents.ts';
import { listings } from '../db/tables/listings.ts';
import { purchases } from '../db/tables/purchases.ts';
import type { JsonObject } from '../kernel/json.ts';
import type { Database, Statement } from '../kernel/ports.ts';
import type { Purchase, PurchaseReceipt } from './purchase.ts';

type PurchaseRow = typeof purchases.$inferSelect;

const byId = prepared<{
  id: string;
}>(sql`SELECT id, listing_id AS listingId, seller_id AS sellerId, buyer_id AS buyerId,
  status, rail, amount_cents AS amountCents, platform_fee_cents AS platformFeeCents,
  fee_schedule_version AS feeScheduleVersion, listing_version AS listingVersion, query, email,
  content_digest AS contentDigest, delivered_at AS deliveredAt, receipt, created_at AS createdAt
  FROM ${purchases} WHERE id = ${sql.placeholder('id')}`);

export async function findPurchase(market: Database, id: string): Promise<Purchase | null> {
  const row = await market.first<PurchaseRow>(byId({ id }));
  if (!row) return null;
  return {
    ...row,
    query: row.query === null ? null : (JSON.parse(row.query) as JsonObject),
    receipt: row.receipt === null ? null : (JSON.parse(row.receipt) as PurchaseReceipt),
  };
}

/** Of a listing whose price, version or status is no longer what the buyer was shown. */
export const LISTING_STILL_FOR_SALE = 'listing_still_for_sale';

/**
 * Records a delivered purchase and takes its copy, all or nothing: it aborts if the listing was changed or
 * taken off in the meantime, and the table's own checks abort it when no copy is left.
 */
export function recordDelivered(purchase: Purchase): Statement[] {
  const { listingId, listingVersion } = purchase;
  return [
    statement(sql`UPDATE ${listings} SET sold_count = sold_count + 1, purchase_count = purchase_count + 1
      WHERE id = ${listingId} AND status = 'active' AND version = CAST(${listingVersion} AS INTEGER)`),
    guardOneChange(LISTING_STILL_FOR_SALE),
    insertInto(purchases, {
      ...purchase,
      query: purchase.query === null ? null : JSON.stringify(purchase.query),
      receipt: purchase.receipt === null ? null : JSON.stringify(purchase.receipt),
    }),
  ];
}

/** Counts a delivery, or a failed one, towards the seller's reputation. */
export function countDelivery(sellerId: string, outcome: 'delivered' | 'failed'): Statement {
  const column = sql.identifier(outcome === 'delivered' ? 'delivered_count' : 'failed_count');
  return statement(sql`UPDATE ${sellers} SET ${column} = ${column} + 1 WHERE agent_id = ${sellerId}`);
}
