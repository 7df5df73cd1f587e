import type { ReserveTerms } from '../../../kernel/ports/reserve-terms.ts';
import { DAY_MS, type EpochMs, epochOf, type IsoTime, isoTime } from '../../../kernel/time.ts';
import type { Destination } from '../../../payouts/payout-change.rules.ts';

/** What applies where the deployment does not say otherwise. */
export const DEFAULT_RESERVE: ReserveTerms = { limitCents: 50_000, days: 60, growthPercent: 50 };

/** What a seller was paid of sales whose buyers' banks may take the money back. */
export interface PayoutRecord {
  /** Within the days in which banks do so. */
  readonly outstandingCents: number;
  /** Before them. */
  readonly pastCents: number;
  /** What banks disputed of it, at any time. */
  readonly disputedCents: number;
}

/** A sale whose time in escrow is over. */
export interface DueSale {
  readonly netCents: number;
  readonly isRevocable: boolean;
  readonly holdUntil: IsoTime;
  /** Set before, when the sale found no room. */
  readonly reserveUntil: IsoTime | null;
}

/** The first day that still counts as outstanding. */
export function outstandingSince({ days }: ReserveTerms, now: EpochMs): string {
  return isoTime(now - days * DAY_MS).slice(0, 10);
}

/** When what was kept is paid. */
export function reserveEnd({ holdUntil, reserveUntil }: DueSale, { days }: ReserveTerms): IsoTime {
  return reserveUntil ?? isoTime(epochOf(holdUntil) + days * DAY_MS);
}

/**
 * How much may be outstanding; null: any sum. USDC cannot be taken back, so that each seller has a limit there. What was
 * sent to an account at the card processor can be reversed: only new sellers have one.
 */
export function payoutLimitCents(
  { limitCents, growthPercent }: ReserveTerms,
  { pastCents, disputedCents }: PayoutRecord,
  kind: Destination['kind'],
): number | null {
  const provenCents = Math.max(0, pastCents - disputedCents);
  if (kind === 'account' && provenCents > 0 && provenCents >= limitCents) return null;
  return limitCents + Math.floor((provenCents * growthPercent) / 100);
}

export type PayoutDecision =
  /** `limitCents`: what may be outstanding with it, which another clock may use up meanwhile; null: any sum. */
  | { readonly kind: 'pay'; readonly limitCents: number | null }
  | { readonly kind: 'keep'; readonly until: IsoTime };

/**
 * What becomes of sales of one seller that are due together, in this order. A sale is paid as a whole: one that does not
 * fit under the limit is kept until its reserve ends, and smaller ones behind it may still fit.
 */
export function decidePayouts(
  sales: readonly DueSale[],
  seller: { readonly record: PayoutRecord; readonly kind: Destination['kind'] },
  terms: ReserveTerms,
  now: EpochMs,
): PayoutDecision[] {
  const limitCents = payoutLimitCents(terms, seller.record, seller.kind);
  let outstandingCents = seller.record.outstandingCents;
  return sales.map((sale) => {
    const until = reserveEnd(sale, terms);
    if (!sale.isRevocable || epochOf(until) <= now) return { kind: 'pay', limitCents: null };
    if (sale.reserveUntil !== null) return { kind: 'keep', until };
    if (limitCents === null) return { kind: 'pay', limitCents };
    if (outstandingCents + sale.netCents > limitCents) return { kind: 'keep', until };
    outstandingCents += sale.netCents;
    return { kind: 'pay', limitCents };
  });
}
