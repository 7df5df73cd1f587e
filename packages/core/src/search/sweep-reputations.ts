import { reputationAt } from '../agents/index.ts';
import type { Ports } from '../kernel/ports/ports.ts';
import { hasMovedAStep } from './reputation-step.rules.ts';
import {
  markListings,
  readNextSellers,
  readUnmarkedListings,
  saveReputations,
  saveSweepPosition,
} from './reputation-sweep.store.ts';

type SweepPorts = Pick<Ports, 'market' | 'clock'>;

/** How many sellers one run looks at, and how many listings it marks; the next one, a minute later, goes on. */
const SELLERS_PER_RUN = 1000;
const LISTINGS_PER_RUN = 2000;

/**
 * Lists show a seller's reputation, and sort by it, as of when the listing was written into the search index. Sales,
 * ratings and time move it without touching the listings: where it has moved by a step, they are marked to be written
 * anew. So neither a purchase nor a read pays for it, and a seller with many listings holds up nobody.
 */
export async function sweepReputations(
  ports: SweepPorts,
  limits = { sellers: SELLERS_PER_RUN, listings: LISTINGS_PER_RUN },
): Promise<void> {
  await saveMoved(ports, limits.sellers);
  await markListingsOfMoved(ports, limits.listings);
}

async function saveMoved({ market, clock }: SweepPorts, limit: number): Promise<void> {
  const sellers = await readNextSellers(market, limit);
  const nowMs = clock.now();
  const moved = sellers
    .map((seller) => ({ id: seller.id, indexed: seller.indexed, reputation: reputationAt(seller, nowMs) }))
    .filter(({ indexed, reputation }) => hasMovedAStep(indexed, reputation));
  const last = sellers.length < limit ? null : (sellers.at(-1)?.id ?? null);
  await market.commit([...(moved.length > 0 ? [saveReputations(moved)] : []), saveSweepPosition(last)]);
}

async function markListingsOfMoved({ market }: SweepPorts, limit: number): Promise<void> {
  const rows = await readUnmarkedListings(market, limit);
  if (rows.length === 0) return;
  const ids = rows.flatMap(({ listingId }) => listingId ?? []);
  // Only the last seller can have more than was read.
  const next = rows.length < limit ? undefined : rows.at(-1);
  const progress = [...Map.groupBy(rows, ({ sellerId }) => sellerId)].map(([sellerId, [first]]) => ({
    sellerId,
    from: first?.markedTo ?? 0,
    to: sellerId === next?.sellerId ? next.position : null,
  }));
  await market.commit(markListings(ids, progress));
}
