import { secondsUntilNextDay } from '../../../kernel/operation/daily-quota.ts';
import type { SubsidyTerms } from '../../../kernel/ports/subsidy-terms.ts';
import {
  DAY_MS,
  dayOf,
  type EpochMs,
  epochOf,
  type IsoTime,
  isoTime,
  SECOND_MS,
} from '../../../kernel/time.ts';

/** What applies where the deployment does not say otherwise. */
export const DEFAULT_SUBSIDIES: SubsidyTerms = {
  chargeBps: 290,
  chargeCents: 30,
  payoutBps: 25,
  payoutCents: 0,
  // The fee schedule offers high tickets on every way to pay, and their fee is below what a card costs.
  borneFromCents: 5_000_000,
  partyDayCents: 3000,
  partyMonthCents: 30_000,
  dayCents: 50_000,
  monthCents: 500_000,
};

const BPS = 10_000;

/** The most that a sale costs the platform whose buyer pays it by card, its payout included. */
export function cardCostCents(terms: SubsidyTerms, amountCents: number): number {
  return costCents(terms.chargeBps, terms.chargeCents, amountCents) + payoutCostCents(terms, amountCents);
}

/** The most that the payout of a sale costs, to whole cents. */
export function payoutCostCents({ payoutBps, payoutCents }: SubsidyTerms, amountCents: number): number {
  return costCents(payoutBps, payoutCents, amountCents);
}

function costCents(bps: number, fixedCents: number, amountCents: number): number {
  return Math.round((amountCents * bps) / BPS) + fixedCents;
}

/** What of a budget may be spent: since `since`, with what is spent now. */
export interface SubsidyLimit {
  readonly scope: string;
  readonly since: string;
  readonly limitCents: number;
  readonly period: SubsidyPeriod;
}

export type SubsidyPeriod = 'day' | 'month';

/** The parts that a sale of these parties must fit in, on this day. */
export function subsidyLimits(
  terms: SubsidyTerms,
  budget: string,
  parties: readonly string[],
  at: IsoTime,
): SubsidyLimit[] {
  const limits = (scope: string, dayCents: number, monthCents: number): SubsidyLimit[] => [
    { scope, since: dayOf(at), limitCents: dayCents, period: 'day' },
    { scope, since: firstOfMonth(at), limitCents: monthCents, period: 'month' },
  ];
  return [
    ...limits(budget, terms.dayCents, terms.monthCents),
    ...parties.flatMap((id) => limits(`${budget}:${id}`, terms.partyDayCents, terms.partyMonthCents)),
  ];
}

/** Seconds until a budget that is spent begins anew: at midnight UTC, or with the next month. */
export function secondsUntilRenewed(period: SubsidyPeriod, now: EpochMs): number {
  const at = isoTime(now);
  const month = epochOf(`${firstOfMonth(at)}T00:00:00.000Z`);
  // No month is longer.
  const next = firstOfMonth(isoTime(month + 31 * DAY_MS));
  return period === 'day'
    ? secondsUntilNextDay(now)
    : Math.ceil((epochOf(`${next}T00:00:00.000Z`) - now) / SECOND_MS);
}

function firstOfMonth(at: IsoTime): string {
  return `${at.slice(0, 7)}-01`;
}
