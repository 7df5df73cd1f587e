import { Refusal } from '../kernel/errors.ts';
import type { Statement } from '../kernel/ports/database.ts';
import type { Ports } from '../kernel/ports/ports.ts';
import { type EpochMs, isoTime } from '../kernel/time.ts';
import { subsidyErrors } from './subsidies.errors.ts';
import {
  deleteSubsidies,
  deleteTopUpSubsidies,
  insertSubsidy,
  insertTopUpSubsidy,
  requireRoomIn,
  spentPeriod,
} from './subsidies.store.ts';
import {
  type Closure,
  closureOf,
  type Expense,
  expenseOfSale,
  expenseOfTopUp,
  partyScopes,
  renewedAt,
  secondsUntil,
  subsidyLimits,
  timesOf,
} from './subsidy.rules.ts';

export type SubsidyPorts = Pick<Ports, 'subsidies' | 'clock'>;

export interface CostlySale {
  readonly id: string;
  readonly rail: string;
  readonly amountCents: number;
  readonly platformFeeCents: number;
  readonly sellerId: string;
  readonly buyerId: string | null;
}

/** A party of its own: whoever pays with the same card or account shares its budget. */
const partyOf = (instrument: string | null): string | null => instrument && `instrument:${instrument}`;

const isParty = (party: string | null): party is string => party !== null;

function partiesOf({ sellerId, buyerId }: CostlySale, instrument: string | null): string[] {
  return [sellerId, buyerId, partyOf(instrument)].filter(isParty);
}

/**
 * Aborts where the budgets have no room for a sale: what a person would pay is not asked for then. `instrument` tells the
 * payer's card or account from others; null: it is not known.
 */
export function requireSubsidy(
  ports: SubsidyPorts,
  sale: CostlySale,
  instrument: string | null,
): Statement[] {
  return requireRoomFor(ports, expenseOfSale(ports.subsidies, sale), partiesOf(sale, instrument));
}

/** The same, and what the sale costs is spent; written with whatever takes its unit of the listing. */
export function takeSubsidy(ports: SubsidyPorts, sale: CostlySale, instrument: string | null): Statement[] {
  const expense = expenseOfSale(ports.subsidies, sale);
  if (expense === null) return [];
  const spent = spentNow(ports, expense);
  const scopes = [expense.budget, ...partyScopes(expense.budget, partiesOf(sale, instrument))];
  return [
    ...requireSubsidy(ports, sale, instrument),
    ...scopes.map((scope) => insertSubsidy({ purchaseId: sale.id, scope, ...spent })),
  ];
}

/** Nothing was charged: what was counted for it is free again. */
export function giveSubsidyBack({ id, amountCents }: Pick<CostlySale, 'id' | 'amountCents'>): Statement[] {
  return amountCents === 0 ? [] : [deleteSubsidies(id)];
}

export interface CostlyTopUp {
  readonly id: string;
  readonly agentId: string;
  readonly amountCents: number;
}

/**
 * Aborts where no more credits may be bought by card. A page takes room of its opener alone until it is paid, since it
 * costs nothing to open, and nobody knows by which card it will be; a saved card, which is charged at once, takes that of all.
 */
export function takeTopUpSubsidy(
  ports: SubsidyPorts,
  topUp: CostlyTopUp,
  payer: 'page' | { readonly instrument: string | null },
): Statement[] {
  const instrument = payer === 'page' ? null : payer.instrument;
  const parties = [topUp.agentId, partyOf(instrument)].filter(isParty);
  const expense = expenseOfTopUp(ports.subsidies, topUp.amountCents);
  const scopes = payer === 'page' ? partyScopes('top_up', [topUp.agentId]) : scopesOfTopUp(topUp, instrument);
  return [...requireRoomFor(ports, expense, parties), ...insertTopUp(ports, topUp, expense, scopes)];
}

/** It was paid: its cost is spent, whatever room there is. */
export function recordTopUpSubsidy(
  ports: SubsidyPorts,
  topUp: CostlyTopUp,
  instrument: string | null,
): Statement[] {
  const expense = expenseOfTopUp(ports.subsidies, topUp.amountCents);
  return insertTopUp(ports, topUp, expense, scopesOfTopUp(topUp, instrument));
}

export function giveTopUpSubsidyBack(topUpId: string): Statement {
  return deleteTopUpSubsidies(topUpId);
}

function scopesOfTopUp({ agentId }: CostlyTopUp, instrument: string | null): string[] {
  return ['top_up', ...partyScopes('top_up', [agentId, partyOf(instrument)].filter(isParty))];
}

function insertTopUp(
  ports: SubsidyPorts,
  { id: topUpId }: CostlyTopUp,
  expense: Expense | null,
  scopes: readonly string[],
): Statement[] {
  if (expense === null) return [];
  const spent = spentNow(ports, expense);
  return scopes.map((scope) => insertTopUpSubsidy({ topUpId, scope, ...spent }));
}

function spentNow({ clock }: SubsidyPorts, { cents }: Expense) {
  const [day] = timesOf(isoTime(clock.now()));
  return { day, cents };
}

function requireRoomFor(
  { subsidies: terms, clock }: SubsidyPorts,
  expense: Expense | null,
  parties: readonly string[],
): Statement[] {
  if (expense === null) return [];
  const now = clock.now();
  const limits = subsidyLimits(terms, expense.budget, parties, isoTime(now));
  const closure = closureOf(limits, expense, new Map(), now);
  if (closure !== null) throw refusalOf(closure, now);
  return limits.map((limit) => requireRoomIn(limit, expense.cents));
}

/** Why a payment is not taken, where its cost is the reason; null: it is not. */
export function subsidyRefusal(error: unknown, now: EpochMs): Refusal | null {
  if (error instanceof Refusal && isClosure(error)) return error;
  const period = spentPeriod(error);
  return period && refusalOf({ opensAt: renewedAt(period, now) }, now);
}

/** Whether a refusal says that a way to pay is closed by its cost: another one may be open. */
export function isClosure({ definition }: Refusal): boolean {
  return definition === subsidyErrors.cost_not_borne || definition === subsidyErrors.subsidy_spent;
}

export function refusalOf({ opensAt }: Pick<Closure, 'opensAt'>, now: EpochMs): Refusal {
  if (opensAt === null) return new Refusal(subsidyErrors.cost_not_borne, { charged: false });
  return new Refusal(subsidyErrors.subsidy_spent, {
    charged: false,
    retryAfterSeconds: secondsUntil(opensAt, now),
    detail: `It opens again at ${opensAt}.`,
  });
}
