import { sql } from 'drizzle-orm';
import { guardOneChange } from '../db/guard.ts';
import { insertInto, prepared, statement, updateSet } from '../db/statement.ts';
import { offers } from '../db/tables/sales.ts';
import type { JsonObject } from '../kernel/json/json.ts';
import { type Database, DatabaseError, type Statement } from '../kernel/ports/database.ts';
import type { IsoTime } from '../kernel/time.ts';

type Row = typeof offers.$inferSelect;

/** What a buyer would give for an exclusive listing. */
export interface Offer extends Omit<Row, 'query'> {
  readonly query: JsonObject | null;
}

const COLUMNS = sql`id, listing_id AS listingId, seller_id AS sellerId, buyer_id AS buyerId, amount_cents AS amountCents,
  query, status, expires_at AS expiresAt, purchase_id AS purchaseId, decided_at AS decidedAt, created_at AS createdAt,
  listing_fingerprint AS listingFingerprint, listing_version AS listingVersion, withdrawn`;
const byId = prepared<{ id: string }>(
  sql`SELECT ${COLUMNS} FROM ${offers} WHERE id = ${sql.placeholder('id')}`,
);
const live = prepared<{
  sellerId: string;
  now: IsoTime;
  limit: number;
}>(sql`SELECT ${COLUMNS} FROM ${offers}
  WHERE seller_id = ${sql.placeholder('sellerId')} AND status = 'open' AND expires_at > ${sql.placeholder('now')}
  ORDER BY created_at DESC, id DESC LIMIT ${sql.placeholder('limit')}`);

export async function findOffer(market: Database, id: string): Promise<Offer | null> {
  const row = await market.first<Row>(byId({ id }));
  return row && offerOf(row);
}

/** A seller's open offers, newest first: for its dashboard. */
export async function listLiveOffers(
  market: Database,
  sellerId: string,
  now: IsoTime,
  limit = 50,
): Promise<Offer[]> {
  return (await market.all<Row>(live({ sellerId, now, limit }))).map(offerOf);
}

function offerOf(row: Row): Offer {
  return { ...row, query: row.query === null ? null : (JSON.parse(row.query) as JsonObject) };
}

/**
 * One open offer of a buyer on a listing; an expired one makes room, and one that is for the listing as it was before:
 * that one can no longer be accepted.
 */
export function insertOffer(offer: Offer): Statement[] {
  return [
    statement(sql`UPDATE ${offers} SET status = 'declined', decided_at = expires_at
      WHERE listing_id = ${offer.listingId} AND buyer_id = ${offer.buyerId} AND status = 'open'
        AND expires_at <= ${offer.createdAt}`),
    statement(sql`UPDATE ${offers} SET status = 'declined', withdrawn = 1, decided_at = ${offer.createdAt}
      WHERE listing_id = ${offer.listingId} AND buyer_id = ${offer.buyerId} AND status = 'open'
        AND listing_fingerprint <> ${offer.listingFingerprint}`),
    insertInto(offers, { ...offer, query: offer.query === null ? null : JSON.stringify(offer.query) }),
  ];
}

export const isOfferOpenAlready = (error: unknown): boolean =>
  error instanceof DatabaseError && error.constraint === 'offers.listing_id, offers.buyer_id';

export const WITHDRAWN = { status: 'declined', withdrawn: 1 } as const;

/** Decides an open offer, once. */
export function decideOffer(
  id: string,
  decision: { status: 'accepted'; purchaseId: string } | { status: 'declined' } | typeof WITHDRAWN,
  at: IsoTime,
): Statement[] {
  return [
    updateSet(
      offers,
      { ...decision, decidedAt: at },
      sql`id = ${id} AND status = 'open' AND expires_at > ${at}`,
    ),
    guardOneChange('offer_open'),
  ];
}

export const isDecidedOffer = (error: unknown): boolean =>
  error instanceof DatabaseError && error.constraint === 'guard offer_open';
