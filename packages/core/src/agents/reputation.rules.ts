import { DAY_MS, type EpochMs, epochOf, type IsoTime } from '../kernel/time.ts';

/** What a seller's reputation is made of. */
export interface SellerRecord {
  /**
   * Each paying buyer's weight, divided between what was delivered to it and what failed, in thousandths as they are
   * stored. See `weighBuyer`.
   */
  readonly deliveredWeight: number;
  readonly failedWeight: number;
  /** The weight of the buyers who rated, and the sum of their mean stars times their weights. */
  readonly ratedWeight: number;
  readonly starsWeight: number;
  readonly ageDays: number;
}

const PRIOR_RATING = 3.5;
const PRIOR_WEIGHT = 5;
/** The weight of one buyer who counts fully. */
export const FULL_WEIGHT = 1000;

/**
 * A seller's reputation, 0 to 100 with one decimal; the formula is published in docs/protocol.md:
 * 50 × share of deliveries that succeeded (two buyers of each assumed to start with),
 * 30 × mean rating (five of 3.5 assumed), 10 × experience (half at 14 buyers), 10 × age (full at a year).
 * It counts buyers by their weight, never events: otherwise one buyer could move it at will.
 */
export function sellerReputation(seller: SellerRecord): number {
  const delivered = seller.deliveredWeight / FULL_WEIGHT;
  const failed = seller.failedWeight / FULL_WEIGHT;
  const reliability = (delivered + 2) / (delivered + failed + 4);
  const rating = bayesianRating(seller, PRIOR_RATING);
  const experience = 1 - 2 ** (-delivered / 14);
  const age = Math.min(1, Math.max(0, seller.ageDays) / 365);
  const score = 50 * reliability + 30 * ((rating - 1) / 4) + 10 * experience + 10 * age;
  return Math.round(score * 10) / 10;
}

/** The reputation of a stored seller at a time. */
export function reputationAt(
  seller: Omit<SellerRecord, 'ageDays'> & { readonly registeredAt: IsoTime },
  nowMs: EpochMs,
): number {
  return sellerReputation({
    ...seller,
    ageDays: Math.floor((nowMs - epochOf(seller.registeredAt)) / DAY_MS),
  });
}

/** The mean of what buyers say, by their weights, and of five assumed buyers who say the mean of all. */
export function bayesianRating(
  { ratedWeight, starsWeight }: Pick<SellerRecord, 'ratedWeight' | 'starsWeight'>,
  meanOfAll: number,
): number {
  return (starsWeight / FULL_WEIGHT + PRIOR_WEIGHT * meanOfAll) / (ratedWeight / FULL_WEIGHT + PRIOR_WEIGHT);
}

/** The share of its paying buyers' queries that a seller refuses, to one hundredth; each buyer counts once a day. */
export function refusedShare(seller: {
  readonly deliveredDays: number;
  readonly failedCount: number;
  readonly refusedDays: number;
}): number {
  const { deliveredDays, failedCount, refusedDays } = seller;
  return averageRating({ count: deliveredDays + failedCount + refusedDays, sum: refusedDays });
}

/** The mean to one hundredth, 0 where nobody rated. */
export function averageRating({ count, sum }: { count: number; sum: number }): number {
  return count === 0 ? 0 : Math.round((sum / count) * 100) / 100;
}
