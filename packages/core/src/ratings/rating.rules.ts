import { averageRating } from '../agents/reputation.rules.ts';
import { type FeeBand, type FeeSchedule, feeBand } from '../fees/fee-schedule.rules.ts';
import type { IsoTime } from '../kernel/time.ts';

/** What a rating may be given for, as far as that depends on the purchase. */
export interface RateablePurchase {
  readonly status: string;
  readonly amountCents: number;
}

/** In these a buyer has paid, has what was paid for, and was not given the money back. */
const PAID_STATUSES: readonly string[] = ['held', 'releasing', 'released'];

export function wasPaid({ status, amountCents }: RateablePurchase): boolean {
  return amountCents > 0 && PAID_STATUSES.includes(status);
}

/** What a rating's attestation says. It does not say whose rating it is. */
export type RatingStatement = {
  /** How large the sale was, by the bands of the fee schedule: more would help to find the buyer. */
  readonly amountBand: FeeBand;
  /** sha256 over the comment's UTF-8 bytes. */
  readonly commentDigest: string | null;
  readonly listingId: string;
  /** sha256 over `<salt>.<purchaseId>`: one for each purchase, of use only with the salt. */
  readonly purchaseDigest: string;
  readonly ratedAt: IsoTime;
  readonly rating: number;
  readonly sellerId: string;
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
