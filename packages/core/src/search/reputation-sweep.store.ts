import { and, eq, gt, isNotNull, ne, sql } from 'drizzle-orm';
import { SELLER_RECORD, type SellerRecord } from '../agents/index.ts';
import { asJson, build, excluded, isOneOf } from '../db/build.ts';
import { insertFrom } from '../db/insert-from.ts';
import { type Params, query, write } from '../db/query.ts';
import { sellers } from '../db/tables/agents.ts';
import { indexedReputations, listings, reputationSweep, searchOutbox } from '../db/tables/listings.ts';
import type { Database, Statement } from '../kernel/ports/database.ts';
import type { IsoTime } from '../kernel/time.ts';

export interface SweptSeller extends Omit<SellerRecord, 'ageDays'> {
  readonly id: string;
  readonly registeredAt: IsoTime;
  /** The reputation that the search index shows; null if the seller was never indexed. */
  readonly indexed: number | null;
}

const nextSellers = query((p: Params<{ limit: number }>) => {
  const position = build.select({ sweptTo: reputationSweep.lookedTo }).from(reputationSweep);
  return build
    .select({
      id: sellers.agentId,
      ...SELLER_RECORD,
      registeredAt: sellers.registeredAt,
      indexed: indexedReputations.reputation,
    })
    .from(sellers)
    .leftJoin(indexedReputations, eq(indexedReputations.sellerId, sellers.agentId))
    .where(gt(sellers.agentId, sql`${position}`))
    .orderBy(sellers.agentId)
    .limit(p.limit);
});

/** The sellers after the last run's position. */
export function readNextSellers(market: Database, limit: number): Promise<SweptSeller[]> {
  return nextSellers.all(market, { limit });
}

const setPosition = write((p: Params<{ sellerId: string }>) =>
  build.update(reputationSweep).set({ lookedTo: p.sellerId }).where(ne(reputationSweep.lookedTo, p.sellerId)),
);

/** The next run continues after this seller; null starts over. Writes nothing where the position is the same. */
export function saveSweepPosition(sellerId: string | null): Statement {
  return setPosition({ sellerId: sellerId ?? '' });
}

interface NewReputation {
  readonly id: string;
  readonly reputation: number;
}

/** The condition keeps the parser from taking ON CONFLICT for a part of a join. */
const upsertReputations = write((p: Params<{ moved: readonly NewReputation[] }>) =>
  insertFrom(
    indexedReputations,
    { sellerId: sql`value ->> 'id'`, reputation: sql`value ->> 'reputation'`, markedTo: 0 },
    (select) => select.from(sql`json_each(${asJson(p.moved)})`).where(sql`true`),
  ).onConflictDoUpdate({
    target: indexedReputations.sellerId,
    set: { ...excluded(indexedReputations, 'reputation'), markedTo: 0 },
  }),
);

/** Records the reputations that the index is to show. The sellers' listings are still to be marked. */
export function saveReputations(moved: readonly NewReputation[]): Statement {
  return upsertReputations({ moved });
}

const restartSeller = write((p: Params<{ sellerId: string }>) =>
  build.update(indexedReputations).set({ markedTo: 0 }).where(eq(indexedReputations.sellerId, p.sellerId)),
);

/** What the documents of a seller's listings show of the seller has changed: they are indexed anew, some each minute. */
export function reindexSeller(sellerId: string): Statement {
  return restartSeller({ sellerId });
}

export interface UnmarkedListing {
  readonly sellerId: string;
  /** How far this seller's listings were marked when this was read. */
  readonly markedTo: number;
  /** Null: all listings of the seller are marked. */
  readonly listingId: string | null;
  readonly position: number | null;
}

const rowid = sql<number | null>`${listings}.rowid`;

const unmarkedListings = query((p: Params<{ limit: number }>) =>
  build
    .select({
      sellerId: indexedReputations.sellerId,
      // Not null by the condition below.
      markedTo: sql<number>`${indexedReputations.markedTo}`,
      listingId: listings.id,
      position: rowid,
    })
    .from(indexedReputations)
    .leftJoin(
      listings,
      and(
        eq(listings.sellerId, indexedReputations.sellerId),
        eq(listings.status, 'active'),
        gt(rowid, indexedReputations.markedTo),
      ),
    )
    .where(isNotNull(indexedReputations.markedTo))
    .orderBy(indexedReputations.sellerId, rowid)
    .limit(p.limit),
);

/** Active listings of sellers whose reputation moved, seller by seller, in the order in which they are marked. */
export function readUnmarkedListings(market: Database, limit: number): Promise<UnmarkedListing[]> {
  return unmarkedListings.all(market, { limit });
}

export interface Progress {
  readonly sellerId: string;
  readonly from: number;
  /** Null: all listings of the seller are marked. */
  readonly to: number | null;
}

const raiseMarks = write((p: Params<{ listingIds: readonly string[] }>) =>
  build
    .update(searchOutbox)
    .set({ mark: sql`${searchOutbox.mark} + 1` })
    .where(isOneOf(searchOutbox.listingId, p.listingIds)),
);

const saveProgress = write((p: Params<{ progress: readonly Progress[] }>) =>
  build
    .update(indexedReputations)
    .set({ markedTo: sql`made.value ->> 'to'` })
    .from(sql`json_each(${asJson(p.progress)}) AS made`)
    .where(
      sql`${indexedReputations.sellerId} = made.value ->> 'sellerId'
        AND ${indexedReputations.markedTo} = made.value ->> 'from'`,
    ),
);

/**
 * Makes listings wait for their documents, and records the progress. Where another run started a seller over in the
 * meantime, its progress stays.
 */
export function markListings(listingIds: readonly string[], progress: readonly Progress[]): Statement[] {
  return [raiseMarks({ listingIds }), saveProgress({ progress })];
}
