import type { SubsidyBudget, SubsidyTerms } from '../kernel/ports/subsidy-terms.ts';
import { DAY_MS, dayOf, type EpochMs, epochOf, type IsoTime, isoTime, SECOND_MS } from '../kernel/time.ts';

/** What applies where the deployment does not say otherwise. */
export const DEFAULT_SUBSIDIES: SubsidyTerms = {
  chargeBps: 290,
  chargeCents: 30,
  payoutBps: 25,
  payoutCents: 0,
  settlementCents: 1,
  // The fee schedule offers high tickets on every way to pay, and their fee is below what a card costs.
  borneFromCents: 5_000_000,
  partyDayCents: 3000,
  partyMonthCents: 30_000,
  dayCents: 50_000,
  monthCents: 500_000,
  buyerShareBps: 2500,
  // Four and forty of the largest top-ups.
  topUps: { partyDayCents: 6000, partyMonthCents: 60_000, dayCents: 100_000, monthCents: 1_000_000 },
  usdc: { partyDayCents: 10_000, partyMonthCents: 100_000, dayCents: 100_000, monthCents: 1_000_000 },
};

const BPS = 10_000;

/** What is borne together. */
type BudgetName = 'card' | 'wallet' | 'usdc' | 'top_up';

interface RailCost {
  /** Ways to pay that cost the same share one. */
  readonly budget: BudgetName;
  /** Who is known to pay before the payment, as its budgets know them. */
  readonly payers: (asker: Asker) => readonly string[];
  /** The most that a sale of this price costs the platform, its payout included. */
  readonly worstCents: (terms: SubsidyTerms, amountCents: number) => number;
}

/** A key that may buy, and the card that is saved with it. */
export interface Asker {
  readonly buyerId: string | null;
  readonly instrument: string | null;
}

const byKey = ({ buyerId }: Asker): readonly string[] => payersOf({ buyerId, instrument: null });

/** By the name of the rail. */
const RAIL_COSTS: Readonly<Record<string, RailCost>> = {
  checkout: { budget: 'card', payers: byKey, worstCents: cardCostCents },
  card: { budget: 'card', payers: payersOf, worstCents: cardCostCents },
  // What the credits cost was borne when they were bought.
  wallet: { budget: 'wallet', payers: byKey, worstCents: payoutCostCents },
  x402: {
    budget: 'usdc',
    // An account on chain pays, whoever asks.
    payers: () => [],
    worstCents: (terms, amountCents) => terms.settlementCents + payoutCostCents(terms, amountCents),
  },
};

/** Every rail that costs something. */
export const COSTLY_RAILS: readonly string[] = Object.keys(RAIL_COSTS);

export const BUDGETS_OF_RAILS: readonly BudgetName[] = [
  ...new Set(Object.values(RAIL_COSTS).map(({ budget }) => budget)),
];

/** The most that a sale costs the platform whose buyer pays it by card, its payout included. */
export function cardCostCents(terms: SubsidyTerms, amountCents: number): number {
  return chargeCostCents(terms, amountCents) + payoutCostCents(terms, amountCents);
}

function chargeCostCents({ chargeBps, chargeCents }: SubsidyTerms, amountCents: number): number {
  return costCents(chargeBps, chargeCents, amountCents);
}

function payoutCostCents({ payoutBps, payoutCents }: SubsidyTerms, amountCents: number): number {
  return costCents(payoutBps, payoutCents, amountCents);
}

function costCents(bps: number, fixedCents: number, amountCents: number): number {
  return Math.round((amountCents * bps) / BPS) + fixedCents;
}

/** What the platform bears of one payment, and the budget that it is borne from. */
export interface Expense {
  readonly budget: BudgetName;
  readonly cents: number;
}

/** What a sale's payment costs beyond the platform's fee. Null: the fee covers it, or it is borne without a budget. */
export function expenseOfSale(
  terms: SubsidyTerms,
  {
    rail,
    amountCents,
    platformFeeCents,
  }: { readonly rail: string; readonly amountCents: number; readonly platformFeeCents: number },
): Expense | null {
  const cost = RAIL_COSTS[rail];
  if (cost === undefined || amountCents === 0 || amountCents >= terms.borneFromCents) return null;
  const cents = cost.worstCents(terms, amountCents) - platformFeeCents;
  return cents > 0 ? { budget: cost.budget, cents } : null;
}

/** Null: it costs nothing in this deployment. */
export function expenseOfTopUp(terms: SubsidyTerms, amountCents: number): Expense | null {
  const cents = chargeCostCents(terms, amountCents);
  return cents > 0 ? { budget: 'top_up', cents } : null;
}

/** What of a budget may be spent in the day or month `time`, with what is spent now. */
export interface SubsidyLimit {
  readonly scope: string;
  readonly time: string;
  readonly limitCents: number;
  readonly period: SubsidyPeriod;
}

export type SubsidyPeriod = 'day' | 'month';

/** The days and months whose totals limit what is spent now. */
export const timesOf = (at: IsoTime): readonly [day: string, month: string] => [dayOf(at), at.slice(0, 7)];

/** Who sells, if anybody, and who pays: keys, cards, accounts on chain. */
export interface Parties {
  readonly sellerId: string | null;
  readonly payers: readonly string[];
}

/** A payer's key, and its card or account, which is the same payer whoever uses it. */
export function payersOf({ buyerId, instrument }: Asker): readonly string[] {
  return [buyerId, instrument && `instrument:${instrument}`].filter((payer) => payer !== null);
}

export function payersFor(rail: string, asker: Asker): readonly string[] {
  return RAIL_COSTS[rail]?.payers(asker) ?? [];
}

/**
 * The limits that an expense of these parties must fit in. A payer has only a share of what is borne for one seller, so
 * that nobody alone closes a seller's rail for others; one sale fits in it all the same. Months come first: whoever has
 * spent both waits for the later.
 */
export function subsidyLimits(
  terms: SubsidyTerms,
  { budget, cents }: Expense,
  parties: Parties,
  at: IsoTime,
): SubsidyLimit[] {
  const { partyDayCents, partyMonthCents, dayCents, monthCents } = budgetOf(terms, budget);
  const [day, month] = timesOf(at);
  const limits = (period: SubsidyPeriod, time: string, inAll: number, ofParty: number): SubsidyLimit[] => {
    const share = Math.max(Math.floor((ofParty * terms.buyerShareBps) / BPS), cents);
    return [
      { scope: budget, time, limitCents: inAll, period },
      ...partyScopes(budget, parties).map((scope) => ({ scope, time, limitCents: ofParty, period })),
      ...pairScopes(budget, parties).map((scope) => ({ scope, time, limitCents: share, period })),
    ];
  };
  return [
    ...limits('month', month, monthCents, partyMonthCents),
    ...limits('day', day, dayCents, partyDayCents),
  ];
}

export function partyScopes(budget: BudgetName, { sellerId, payers }: Parties): string[] {
  return [...(sellerId === null ? [] : [sellerId]), ...payers].map((id) => `${budget}:${id}`);
}

/** Of each payer's purchases from one seller. */
function pairScopes(budget: BudgetName, { sellerId, payers }: Parties): string[] {
  return sellerId === null ? [] : payers.map((payer) => `${budget}:${sellerId}/${payer}`);
}

/** Everything that an expense is counted in. */
export function scopesOf(budget: BudgetName, parties: Parties): string[] {
  return [budget, ...partyScopes(budget, parties), ...pairScopes(budget, parties)];
}

function budgetOf(terms: SubsidyTerms, budget: BudgetName): SubsidyBudget {
  if (budget === 'top_up') return terms.topUps;
  return budget === 'usdc' ? terms.usdc : terms;
}

/** What was spent, by scope and by day or month. */
export type Spent = ReadonlyMap<string, number>;

export const spentKey = (scope: string, time: string): string => `${scope} ${time}`;

/** Why nothing can be paid in a way, and until when; `opensAt` is null where no wait helps. */
export interface Closure {
  readonly reason: 'budget_spent' | 'cost_not_borne';
  readonly opensAt: IsoTime | null;
}

/** Whether an expense finds no room in its limits; null: it does, as far as is known what was spent. */
export function closureOf(
  limits: readonly SubsidyLimit[],
  { cents }: Expense,
  spent: Spent,
  now: EpochMs,
): Closure | null {
  if (limits.some(({ limitCents }) => cents > limitCents)) return { reason: 'cost_not_borne', opensAt: null };
  const full = limits.find(
    ({ scope, time, limitCents }) => (spent.get(spentKey(scope, time)) ?? 0) + cents > limitCents,
  );
  return full ? { reason: 'budget_spent', opensAt: renewedAt(full.period, now) } : null;
}

/** When a budget that is spent begins anew: at midnight UTC, or with the next month. */
export function renewedAt(period: SubsidyPeriod, now: EpochMs): IsoTime {
  const [day, month] = timesOf(isoTime(now));
  if (period === 'day') return isoTime(epochOf(`${day}T00:00:00.000Z`) + DAY_MS);
  // No month is longer.
  const [, next] = timesOf(isoTime(epochOf(`${month}-01T00:00:00.000Z`) + 31 * DAY_MS));
  return `${next}-01T00:00:00.000Z`;
}

export function secondsUntil(at: IsoTime, now: EpochMs): number {
  return Math.ceil((epochOf(at) - now) / SECOND_MS);
}
