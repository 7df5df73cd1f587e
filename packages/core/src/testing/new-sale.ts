import { insertInto } from '../db/insert-into.ts';
import { purchases } from '../db/tables/purchases.ts';
import { isoTime } from '../kernel/time.ts';
import type { ListingOnMarket } from './new-listing.ts';
import type { TestMarketplace } from './workers-harness.ts';

const DIGEST = `sha256:${'0'.repeat(64)}`;
const DELIVERED = ['held', 'releasing', 'released'];

/** Puts a purchase straight into the database, as if its money had moved. Returns its id. */
export async function addPurchase(
  market: TestMarketplace,
  listing: ListingOnMarket,
  buyerId: string | null,
  fields: Partial<typeof purchases.$inferInsert> = {},
): Promise<string> {
  const { ids, market: db, clock } = market.newPorts();
  const id = ids.uuid();
  const at = isoTime(clock.now());
  const status = fields.status ?? 'held';
  const row: typeof purchases.$inferInsert = {
    id,
    listingId: listing.id,
    sellerId: listing.seller.id,
    buyerId,
    status,
    rail: 'checkout',
    amountCents: 2500,
    platformFeeCents: 125,
    feeScheduleVersion: 1,
    listingVersion: 1,
    contentDigest: DELIVERED.includes(status) ? DIGEST : null,
    deliveredAt: DELIVERED.includes(status) ? at : null,
    createdAt: at,
    ...fields,
  };
  await db.commit([insertInto(purchases, row)]);
  return id;
}
