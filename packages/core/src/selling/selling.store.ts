import { sql } from 'drizzle-orm';
import { prepared } from '../db/statement.ts';
import { listings } from '../db/tables/listings.ts';
import type { Database } from '../kernel/ports/database.ts';

interface PendingListing {
  readonly id: string;
  readonly priceCents: number;
  readonly title: string;
}

const pending = prepared<{ sellerId: string; limit: number }>(sql`SELECT id, price_cents AS priceCents, title
  FROM ${listings} WHERE seller_id = ${sql.placeholder('sellerId')} AND status = 'pending'
  ORDER BY created_at, id LIMIT ${sql.placeholder('limit')}`);

/** What waits for the seller's endpoint, oldest first. */
export function listPendingListings(
  db: Database,
  sellerId: string,
  limit: number,
): Promise<PendingListing[]> {
  return db.all<PendingListing>(pending({ sellerId, limit }));
}
