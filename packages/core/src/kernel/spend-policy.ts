import type { IsoTime } from './time.ts';

/** The ways to pay for what is priced, as interfaces name them. */
export const PAYMENT_RAILS = ['checkout', 'card', 'wallet', 'x402'] as const;
export type PaymentRail = (typeof PAYMENT_RAILS)[number];

/** The periods over which a key's spending is limited: days, weeks from Monday and months in UTC, and for good. */
export type SpendPeriod = 'day' | 'week' | 'month' | 'total';

/** What one key may spend; null: without limit. The limits of the policies above it hold as well. */
export interface SpendPolicy {
  readonly id: string;
  readonly perPurchaseCents: number | null;
  readonly perDayCents: number | null;
  readonly perWeekCents: number | null;
  readonly perMonthCents: number | null;
  readonly totalCents: number | null;
  /** A purchase that costs more waits for a person's approval. */
  readonly approvalAboveCents: number | null;
  /** Ids of sellers; null: any. */
  readonly sellers: readonly string[] | null;
  /** Slugs of verticals; null: any. */
  readonly verticals: readonly string[] | null;
  /** Names of rails; null: any. */
  readonly rails: readonly string[] | null;
  readonly changedAt: IsoTime;
}
