import { sql } from 'drizzle-orm';
import { prepared, statement } from '../db/statement.ts';
import { sellers } from '../db/tables/agents.ts';
import { indexedReputations, listings, reputationSweep, searchOutbox } from '../db/tables/listings.ts';
import type { Database, Statement } from '../kernel/ports/database.ts';
import type { IsoTime } from '../kernel/time.ts';
import type { SellerRecord } from './reputation.rules.ts';

export interface SellerToLookAt extends Omit<SellerRecord, 'ageDays'> {
  readonly id: string;
  readonly registeredAt: IsoTime;
  /** What the search index was last told of; null if never. */
  readonly indexed: number | null;
}

const nextSellers = prepared<{ limit: number }>(sql`SELECT agent_id AS id, delivered_count AS deliveredCount,
    failed_count AS failedCount, rating_count AS ratingCount, rating_sum AS ratingSum, registered_at AS registeredAt,
    reputation AS indexed
  FROM ${sellers} LEFT JOIN ${indexedReputations} ON seller_id = agent_id
  WHERE agent_id > (SELECT looked_to FROM ${reputationSweep}) ORDER BY agent_id LIMIT ${sql.placeholder('limit')}`);

/** Sellers from where the last run ended. */
export function readNextSellers(market: Database, limit: number): Promise<SellerToLookAt[]> {
  return market.all<SellerToLookAt>(nextSellers({ limit }));
}

/** The next run goes on behind this seller; null: it begins anew. Writes nothing where that is so already. */
export function lookedTo(sellerId: string | null): Statement {
  const at = sellerId ?? '';
  return statement(sql`UPDATE ${reputationSweep} SET looked_to = ${at} WHERE looked_to <> ${at}`);
}

/** Notes what the index is to show from now on; their listings are still to be marked. */
export function noteReputations(
  moved: readonly { readonly id: string; readonly reputation: number }[],
): Statement {
  // The condition keeps the parser from taking ON CONFLICT for a part of a join.
  return statement(sql`INSERT INTO ${indexedReputations} (seller_id, reputation, marked_to)
    SELECT value ->> 'id', value ->> 'reputation', 0 FROM json_each(${JSON.stringify(moved)}) WHERE true
    ON CONFLICT (seller_id) DO UPDATE SET reputation = excluded.reputation, marked_to = 0`);
}

export interface ListingToMark {
  readonly sellerId: string;
  /** How far this seller's listings were marked when this was read. */
  readonly markedTo: number;
  /** Null: the seller has none left. */
  readonly listingId: string | null;
  readonly position: number | null;
}

const listingsToMark = prepared<{
  limit: number;
}>(sql`SELECT unfinished.seller_id AS sellerId, marked_to AS markedTo,
    id AS listingId, ${listings}.rowid AS position
  FROM ${indexedReputations} AS unfinished LEFT JOIN ${listings}
    ON ${listings}.seller_id = unfinished.seller_id AND status = 'active' AND ${listings}.rowid > marked_to
  WHERE marked_to IS NOT NULL ORDER BY unfinished.seller_id, ${listings}.rowid LIMIT ${sql.placeholder('limit')}`);

/** Listings for sale of sellers whose reputation moved, seller by seller, in the order in which they are marked. */
export function readListingsToMark(market: Database, limit: number): Promise<ListingToMark[]> {
  return market.all<ListingToMark>(listingsToMark({ limit }));
}

export interface Progress {
  readonly sellerId: string;
  readonly from: number;
  /** Null: all of its listings are marked. */
  readonly to: number | null;
}

/** Makes listings wait for their documents, and notes how far that is. Where somebody began anew since, it stays so. */
export function markListings(listingIds: readonly string[], progress: readonly Progress[]): Statement[] {
  return [
    statement(sql`UPDATE ${searchOutbox} SET mark = mark + 1
      WHERE listing_id IN (SELECT value FROM json_each(${JSON.stringify(listingIds)}))`),
    statement(sql`UPDATE ${indexedReputations} SET marked_to = made.value ->> 'to'
      FROM json_each(${JSON.stringify(progress)}) AS made
      WHERE seller_id = made.value ->> 'sellerId' AND marked_to = made.value ->> 'from'`),
  ];
}
