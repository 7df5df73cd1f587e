import { and, eq } from 'drizzle-orm';
import { build } from '../db/build.ts';
import { countCalls, uncountCall } from '../db/daily-calls.ts';
import { type Params, query } from '../db/query.ts';
import { listings } from '../db/tables/listings.ts';
import type { Database, Statement } from '../kernel/ports/database.ts';
import type { EpochMs } from '../kernel/time.ts';

type PendingListing = Pick<
  typeof listings.$inferSelect,
  'id' | 'priceCents' | 'priceMicros' | 'meter' | 'title'
>;

const pending = query((p: Params<{ sellerId: string; limit: number }>) =>
  build
    .select({
      id: listings.id,
      priceCents: listings.priceCents,
      priceMicros: listings.priceMicros,
      meter: listings.meter,
      title: listings.title,
    })
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

/** A challenge that an agent has the marketplace send to a URL. */
export interface Probe {
  readonly agentId: string;
  readonly url: string;
}

/** Counts a check before it is made; false: it must not be made today. */
export async function countProbe(market: Database, probe: Probe, now: EpochMs): Promise<boolean> {
  const [isWithin] = await countCalls(market, [{ kind: 'probe', ...probe }], now);
  return isWithin === true;
}

/** Only checks that fail cost a host that was never asked. */
export function uncountProbe(probe: Probe, countedAt: EpochMs): Statement {
  return uncountCall({ kind: 'probe', ...probe }, countedAt);
}
