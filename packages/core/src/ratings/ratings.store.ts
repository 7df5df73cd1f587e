import type { SignedStatement } from '@agent-marketplace/protocol/crypto/sign-statement.ts';
import { and, asc, desc, eq, gt, inArray, isNull, notExists, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import { asBoolean, asInteger, asJson, build, excluded } from '../db/build.ts';
import { isGuard } from '../db/constraint.ts';
import { guardOneChange } from '../db/guard.ts';
import { insertFrom } from '../db/insert-from.ts';
import { type Params, query, write } from '../db/query.ts';
import { listingHistory, listings } from '../db/tables/listings.ts';
import { purchases } from '../db/tables/purchases.ts';
import { ratings } from '../db/tables/ratings.ts';
import { chargebacks } from '../db/tables/sales.ts';
import type { Database, Statement } from '../kernel/ports/database.ts';
import type { IsoTime } from '../kernel/time.ts';
import type { RateablePurchase, RatingStatement } from './rating.rules.ts';

export type RatingAttestation = SignedStatement<RatingStatement>;

/** A purchase with what its buyer said of it before. */
export interface PurchaseToRate extends RateablePurchase {
  readonly listingId: string;
  readonly sellerId: string;
  readonly buyerId: string | null;
  readonly feeScheduleVersion: number;
  readonly previous: {
    readonly id: string | null;
    readonly salt: string;
    readonly createdAt: IsoTime;
  } | null;
  /** An operator removed a rating of the listing by its buyer, of this purchase or of another one. */
  readonly isBarred: boolean;
}

export interface NewRating {
  readonly id: string;
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
  readonly id: string;
  readonly number: number;
  readonly rating: number;
  readonly refunded: boolean;
  readonly removed: boolean;
  readonly updatedAt: IsoTime;
}

const removed = alias(ratings, 'removed');

const hasRemoved = (of: typeof purchases) =>
  sql`EXISTS (SELECT 1 FROM ${ratings} AS removed WHERE ${removed.listingId} = ${of.listingId}
    AND ${removed.buyerId} = ${of.buyerId} AND ${removed.isRemoved} = 1)`;

const toRate = query((p: Params<{ purchaseId: string }>) =>
  build
    .select({
      listingId: purchases.listingId,
      sellerId: purchases.sellerId,
      buyerId: purchases.buyerId,
      status: purchases.status,
      amountCents: purchases.amountCents,
      feeScheduleVersion: purchases.feeScheduleVersion,
      previous: {
        id: ratings.id,
        salt: ratings.salt,
        createdAt: ratings.createdAt,
      },
      isBarred: asBoolean(hasRemoved(purchases)),
    })
    .from(purchases)
    .leftJoin(ratings, eq(ratings.purchaseId, purchases.id))
    .where(eq(purchases.id, p.purchaseId)),
);

const counts = query((p: Params<{ listingId: string }>) =>
  build
    .select({
      count: listings.ratingCount,
      sum: listings.ratingSum,
      notCounted: sql<number>`(SELECT COUNT(*) FROM ${ratings} WHERE ${ratings.listingId} = ${p.listingId}
        AND (${ratings.isRefunded} = 1 OR ${ratings.isRemoved} = 1))`,
    })
    .from(listings)
    .where(eq(listings.id, p.listingId)),
);

/** Of those that count, and only of stars that were given. */
const countsOfStars = query((p: Params<{ listingId: string }>) =>
  build
    .select({ rating: ratings.rating, count: sql<number>`COUNT(*)` })
    .from(ratings)
    .where(
      sql`${ratings.listingId} = ${p.listingId} AND ${ratings.isRefunded} = 0 AND ${ratings.isRemoved} = 0`,
    )
    .groupBy(ratings.rating),
);

const page = query((p: Params<{ listingId: string; limit: number; offset: number }>) =>
  build
    .select({
      attestation: ratings.attestation,
      comment: sql<string | null>`CASE WHEN ${ratings.isRemoved} = 0 THEN ${ratings.comment} END`,
      createdAt: ratings.createdAt,
      id: sql<string>`${ratings.id}`,
      number: sql<number>`${ratings.number}`,
      rating: ratings.rating,
      refunded: ratings.isRefunded,
      removed: ratings.isRemoved,
      updatedAt: ratings.updatedAt,
    })
    .from(ratings)
    .where(eq(ratings.listingId, p.listingId))
    .orderBy(desc(ratings.createdAt), ratings.purchaseId)
    .limit(p.limit)
    .offset(p.offset),
);

export function findPurchaseToRate(market: Database, purchaseId: string): Promise<PurchaseToRate | null> {
  return toRate.first(market, { purchaseId });
}

const PURCHASE_PAID = 'purchase_paid';

const save = write((p: Params<NewRating>) => {
  const lost = build
    .select({ id: chargebacks.disputeId })
    .from(chargebacks)
    .where(and(eq(chargebacks.purchaseId, p.purchaseId), eq(chargebacks.status, 'lost')));
  return insertFrom(
    ratings,
    {
      purchaseId: purchases.id,
      listingId: purchases.listingId,
      sellerId: purchases.sellerId,
      buyerId: sql`${purchases.buyerId}`,
      rating: p.rating,
      comment: p.comment,
      salt: p.salt,
      attestation: p.attestation,
      createdAt: p.at,
      updatedAt: p.at,
      id: p.id,
    },
    (select) =>
      select
        .from(purchases)
        .where(
          and(
            eq(purchases.id, p.purchaseId),
            eq(purchases.listingId, p.listingId),
            eq(purchases.buyerId, p.buyerId),
            gt(purchases.amountCents, 0),
            inArray(purchases.status, ['held', 'releasing', 'released']),
            notExists(lost),
            sql`NOT ${hasRemoved(purchases)}`,
          ),
        ),
  ).onConflictDoUpdate({
    target: ratings.purchaseId,
    set: excluded(ratings, 'rating', 'comment', 'salt', 'attestation', 'updatedAt'),
  });
});

/**
 * Keeps a rating, in place of an earlier one of the same purchase; triggers update the counts of listing and
 * seller. Aborts unless the purchase is the buyer's, of this listing, and still paid for, and where a rating of
 * the listing by this buyer was removed.
 */
export function saveRating(rating: NewRating): Statement[] {
  return [save(rating), guardOneChange(PURCHASE_PAID)];
}

/** The purchase was refunded after it was read, or a bank took back what was paid for it. */
export function isNoLongerPaid(error: unknown): boolean {
  return isGuard(error, PURCHASE_PAID);
}

interface RatingsRead {
  /** Of those that count. */
  readonly count: number;
  readonly sum: number;
  readonly notCounted: number;
  /** Of those that count, by their stars; stars that nobody gave are left out. */
  readonly byStars: readonly { readonly rating: number; readonly count: number }[];
  readonly ratings: PublicRating[];
}

/** One page of a listing's ratings, newest first, with the counts of all; null if there is no such listing. */
export async function readRatings(
  market: Database,
  listingId: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<RatingsRead | null> {
  const [counted, byStars, rows] = await Promise.all([
    counts.first(market, { listingId }),
    countsOfStars.all(market, { listingId }),
    page.all(market, { listingId, limit, offset }),
  ]);
  if (!counted) return null;
  const found = rows.map(({ attestation, ...rating }) => ({
    attestation: attestation as RatingAttestation,
    ...rating,
  }));
  return { ...counted, byStars, ratings: found };
}

export interface RatingToAttest {
  readonly purchaseId: string;
  readonly attestation: RatingAttestation;
  readonly isRefunded: boolean;
  readonly isRemoved: boolean;
}

/** As the index `ratings_to_attest` has it. */
const isToAttest = sql`(${ratings.isRefunded} <> (${ratings.attestation} ->> '$.statement.refunded' IS NOT NULL)
  OR ${ratings.isRemoved} <> (${ratings.attestation} ->> '$.statement.removed' IS NOT NULL))`;

const toAttest = query((p: Params<{ limit: number }>) =>
  build
    .select({
      purchaseId: ratings.purchaseId,
      attestation: ratings.attestation,
      isRefunded: ratings.isRefunded,
      isRemoved: ratings.isRemoved,
    })
    .from(ratings)
    .where(isToAttest)
    .limit(p.limit),
);

/** Ratings whose attestations do not say yet that they were refunded or removed, or still say it. */
export async function readToAttest(market: Database, limit: number): Promise<RatingToAttest[]> {
  const rows = await toAttest.all(market, { limit });
  return rows.map(({ attestation, ...one }) => ({ ...one, attestation: attestation as RatingAttestation }));
}

type Attested = Pick<RatingToAttest, 'purchaseId' | 'attestation'>;

const setAttestations = write((p: Params<{ attested: readonly Attested[] }>) =>
  build
    .update(ratings)
    .set({ attestation: sql`json(made.value -> 'attestation')` })
    .from(sql`json_each(${asJson(p.attested)}) AS made`)
    .where(sql`${ratings.purchaseId} = made.value ->> 'purchaseId' AND ${isToAttest}`),
);

export function saveAttestations(attested: readonly Attested[]): Statement {
  return setAttestations({ attested });
}

/** With the digest of the first entry of the listing's history. */
const toNumber = query((p: Params<{ limit: number }>) =>
  build
    .select({
      purchaseId: ratings.purchaseId,
      number: sql<number>`${ratings.number}`,
      listing: sql<string>`${listingHistory.entry} ->> '$.digest'`,
    })
    .from(ratings)
    .innerJoin(
      listingHistory,
      and(eq(listingHistory.listingId, ratings.listingId), eq(listingHistory.version, sql`1`)),
    )
    .where(isNull(ratings.numbering))
    .orderBy(asc(ratings.createdAt))
    .limit(p.limit),
);

/** Ratings whose numbers nobody signed yet, the oldest first. */
export const readToNumber = (market: Database, limit: number) => toNumber.all(market, { limit });

interface Numbered {
  readonly purchaseId: string;
  readonly numbering: SignedStatement<{ readonly type: 'rating_number' }>;
}

const setNumberings = write((p: Params<{ numbered: readonly Numbered[] }>) =>
  build
    .update(ratings)
    .set({ numbering: sql`json(made.value -> 'numbering')` })
    .from(sql`json_each(${asJson(p.numbered)}) AS made`)
    // Another run may have signed it meanwhile: a number is one leaf.
    .where(sql`${ratings.purchaseId} = made.value ->> 'purchaseId' AND ${ratings.numbering} IS NULL`),
);

export const saveNumberings = (numbered: readonly Numbered[]): Statement => setNumberings({ numbered });

const setRemoved = write((p: Params<{ id: string; isRemoved: number }>) =>
  build
    .update(ratings)
    .set({ isRemoved: asInteger(p.isRemoved) })
    .where(eq(ratings.id, p.id)),
);

/** Removes a rating from everything that it counts in, or puts it back; triggers update the counts. */
export function setRatingRemoved(id: string, isRemoved: boolean): Statement {
  return setRemoved({ id, isRemoved: Number(isRemoved) });
}
