import { sql } from 'drizzle-orm';
import { guardOneChange } from '../db/guard.ts';
import { prepared, statement } from '../db/statement.ts';
import { listings } from '../db/tables/listings.ts';
import { purchases } from '../db/tables/purchases.ts';
import { ratings } from '../db/tables/ratings.ts';
import { type Database, DatabaseError, type Statement } from '../kernel/ports/database.ts';
import type { IsoTime } from '../kernel/time.ts';
import type { SignedStatement } from '../provenance/index.ts';
import type { RateablePurchase, RatingStatement } from './rating.rules.ts';

export type RatingAttestation = SignedStatement<RatingStatement>;

/** A purchase with what its buyer said of it before. */
export interface PurchaseToRate extends RateablePurchase {
  readonly listingId: string;
  readonly sellerId: string;
  readonly buyerId: string | null;
  readonly feeScheduleVersion: number;
  readonly previous: { readonly salt: string; readonly createdAt: IsoTime } | null;
}

export interface NewRating {
  readonly purchaseId: string;
  readonly listingId: string;
  readonly buyerId: string;
  readonly rating: number;
  readonly comment: string | null;
  readonly salt: string;
  readonly attestation: RatingAttestation;
  readonly at: IsoTime;
}

export interface PublicRating {
  readonly attestation: RatingAttestation;
  readonly comment: string | null;
  readonly createdAt: IsoTime;
  readonly rating: number;
  readonly updatedAt: IsoTime;
}

const toRate = prepared<{ purchaseId: string }>(sql`SELECT ${purchases.listingId} AS listingId,
  ${purchases.sellerId} AS sellerId, ${purchases.buyerId} AS buyerId, status, amount_cents AS amountCents,
  fee_schedule_version AS feeScheduleVersion, salt, ${ratings.createdAt} AS ratedAt
  FROM ${purchases} LEFT JOIN ${ratings} ON purchase_id = ${purchases.id}
  WHERE ${purchases.id} = ${sql.placeholder('purchaseId')}`);

const counts = prepared<{ listingId: string }>(sql`SELECT rating_count AS count, rating_sum AS sum
  FROM ${listings} WHERE id = ${sql.placeholder('listingId')}`);

const page = prepared<{ listingId: string; limit: number; offset: number }>(sql`SELECT attestation, comment,
  created_at AS createdAt, rating, updated_at AS updatedAt FROM ${ratings}
  WHERE listing_id = ${sql.placeholder('listingId')} ORDER BY created_at DESC, purchase_id
  LIMIT ${sql.placeholder('limit')} OFFSET ${sql.placeholder('offset')}`);

export async function findPurchaseToRate(
  market: Database,
  purchaseId: string,
): Promise<PurchaseToRate | null> {
  const row = await market.first<
    Omit<PurchaseToRate, 'previous'> & { salt: string | null; ratedAt: IsoTime | null }
  >(toRate({ purchaseId }));
  if (!row) return null;
  const { salt, ratedAt, ...purchase } = row;
  return { ...purchase, previous: salt === null || ratedAt === null ? null : { salt, createdAt: ratedAt } };
}

const PURCHASE_PAID = 'purchase_paid';

/**
 * Keeps a rating, in place of an earlier one of the same purchase; the counts of listing and seller follow
 * by trigger. Aborts unless the purchase is the buyer's, of this listing, and still paid for.
 */
export function saveRating(rating: NewRating): Statement[] {
  return [
    statement(sql`INSERT INTO ${ratings} (purchase_id, listing_id, seller_id, buyer_id, rating, comment, salt,
        attestation, created_at, updated_at)
      SELECT id, listing_id, seller_id, buyer_id, CAST(${rating.rating} AS INTEGER), ${rating.comment},
        ${rating.salt}, ${JSON.stringify(rating.attestation)}, ${rating.at}, ${rating.at}
      FROM ${purchases} WHERE id = ${rating.purchaseId} AND listing_id = ${rating.listingId}
        AND buyer_id = ${rating.buyerId} AND amount_cents > 0 AND status IN ('held', 'releasing', 'released')
      ON CONFLICT (purchase_id) DO UPDATE SET rating = excluded.rating, comment = excluded.comment,
        salt = excluded.salt, attestation = excluded.attestation, updated_at = excluded.updated_at`),
    guardOneChange(PURCHASE_PAID),
  ];
}

/** The purchase was refunded since it was read. */
export const isNoLongerPaid = (error: unknown): boolean =>
  error instanceof DatabaseError && error.constraint === `guard ${PURCHASE_PAID}`;

/** One page of a listing's ratings, newest first, with all counted; null if there is no such listing. */
export async function readRatings(
  market: Database,
  listingId: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ count: number; sum: number; ratings: PublicRating[] } | null> {
  const [counted, rows] = await Promise.all([
    market.first<{ count: number; sum: number }>(counts({ listingId })),
    market.all<Omit<PublicRating, 'attestation'> & { attestation: string }>(
      page({ listingId, limit, offset }),
    ),
  ]);
  if (!counted) return null;
  const found = rows.map(({ attestation, ...rating }) => ({
    attestation: JSON.parse(attestation) as RatingAttestation,
    ...rating,
  }));
  return { ...counted, ratings: found };
}
