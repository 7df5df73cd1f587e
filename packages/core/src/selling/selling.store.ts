import { and, eq } from 'drizzle-orm';
import { build } from '../db/build.ts';
import { type Params, query } from '../db/query.ts';
import { listings } from '../db/tables/listings.ts';
import type { Database } from '../kernel/ports/database.ts';

type PendingListing = Pick<typeof listings.$inferSelect, 'id' | 'priceCents' | 'title'>;

const pending = query((p: Params<{ sellerId: string; limit: number }>) =>
  build
    .select({ id: listings.id, priceCents: listings.priceCents, title: listings.title })
    .from(listings)
    .where(and(eq(listings.sellerId, p.sellerId), eq(listings.status, 'pending')))
    .orderBy(listings.createdAt, listings.id)
    .limit(p.limit),
);

/** Listings that wait for the seller's endpoint, oldest first. */
export function listPendingListings(
  db: Database,
  sellerId: string,
  limit: number,
): Promise<PendingListing[]> {
  return pending.all(db, { sellerId, limit });
}
