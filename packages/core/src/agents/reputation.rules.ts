import { DAY_MS, type EpochMs, epochOf, type IsoTime } from '../kernel/time.ts';

/** What a seller's reputation is made of. */
export interface SellerRecord {
  readonly deliveredCount: number;
  readonly failedCount: number;
  readonly ratingCount: number;
  readonly ratingSum: number;
  readonly ageDays: number;
}

const PRIOR_RATING = 3.5;
const PRIOR_WEIGHT = 5;

/**
 * A seller's reputation, 0 to 100 with one decimal; the formula is published in docs/protocol.md:
 * 50 × share of deliveries that succeeded (two of each assumed to start with),
 * 30 × mean rating (five of 3.5 assumed), 10 × experience (half at 14 deliveries), 10 × age (full at a year).
 */
export function sellerReputation(seller: SellerRecord): number {
  const reliability = (seller.deliveredCount + 2) / (seller.deliveredCount + seller.failedCount + 4);
  const rating = (seller.ratingSum + PRIOR_WEIGHT * PRIOR_RATING) / (seller.ratingCount + PRIOR_WEIGHT);
  const experience = 1 - 2 ** (-seller.deliveredCount / 14);
  const age = Math.min(1, Math.max(0, seller.ageDays) / 365);
  const score = 50 * reliability + 30 * ((rating - 1) / 4) + 10 * experience + 10 * age;
  return Math.round(score * 10) / 10;
}

/** The same of a seller as it is stored. */
export function reputationAt(
  seller: Omit<SellerRecord, 'ageDays'> & { readonly registeredAt: IsoTime },
  nowMs: EpochMs,
): number {
  return sellerReputation({
    ...seller,
    ageDays: Math.floor((nowMs - epochOf(seller.registeredAt)) / DAY_MS),
  });
}

/** A listing's rating for ranking: the mean of its ratings and five assumed ones at the mean of all. */
export function bayesianRating(ratings: { count: number; sum: number }, meanOfAll: number): number {
  return (ratings.sum + PRIOR_WEIGHT * meanOfAll) / (ratings.count + PRIOR_WEIGHT);
}

/** The mean to one hundredth, 0 where nobody rated. */
export function averageRating({ count, sum }: { count: number; sum: number }): number {
  return count === 0 ? 0 : Math.round((sum / count) * 100) / 100;
}
