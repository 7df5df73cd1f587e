import { averageRating } from '../agents/reputation.rules.ts';
import { type FeeBand, type FeeSchedule, feeBand } from '../fees/fee-schedule.rules.ts';
import type { IsoTime } from '../kernel/time.ts';

/** What of a purchase decides whether it may be rated. */
export interface RateablePurchase {
  readonly status: string;
  readonly amountCents: number;
}

/** The buyer has paid, has the data, and was not refunded. */
const PAID_STATUSES: readonly string[] = ['held', 'releasing', 'released'];

export function wasPaid({ status, amountCents }: RateablePurchase): boolean {
  return amountCents > 0 && PAID_STATUSES.includes(status);
}

/** The statement of a rating's attestation. It does not say whose rating it is. */
export type RatingStatement = {
  /** The size of the sale by the bands of the fee schedule. The exact price would help to identify the buyer. */
  readonly amountBand: FeeBand;
  /** sha256 over the comment's UTF-8 bytes. */
  readonly commentDigest: string | null;
  readonly listingId: string;
  /** sha256 over `<salt>.<purchaseId>`. Only the holder of the salt can match it to a purchase. */
  readonly purchaseDigest: string;
  readonly ratedAt: IsoTime;
  readonly rating: number;
  /** The purchase was refunded since: the rating is kept, and does not count. */
  readonly refunded?: true;
  /** An operator removed the rating: it is kept without its comment, and does not count. */
  readonly removed?: true;
  readonly sellerId: string;
  /** When `refunded` or `removed` last came or went; undefined: neither ever did since the buyer rated. */
  readonly statusAt?: IsoTime;
  readonly type: 'rating_attestation';
};

export function saltedPurchase(salt: string, purchaseId: string): string {
  return `${salt}.${purchaseId}`;
}

/** The band of a sale under the schedule it was settled by. */
export function amountBand(schedules: readonly FeeSchedule[], version: number, amountCents: number): FeeBand {
  const schedule = schedules.find((one) => one.version === version);
  if (!schedule) throw new Error(`There is no fee schedule ${version}.`);
  return feeBand(schedule.rates, amountCents);
}

/** The mean to one hundredth, as listings show it. */
export function averageOf(ratings: { readonly count: number; readonly sum: number }): number {
  return averageRating(ratings);
}
