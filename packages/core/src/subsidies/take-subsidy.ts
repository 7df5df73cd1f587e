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
  type Parties,
  partyScopes,
  payersOf,
  renewedAt,
  scopesOf,
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

const partiesOf = ({ sellerId, buyerId }: CostlySale, instrument: string | null): Parties => ({
  sellerId,
  payers: payersOf({ buyerId, instrument }),
});

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
  const scopes = scopesOf(expense.budget, partiesOf(sale, instrument));
  return [
    ...requireSubsidy(ports, sale, instrument),
    insertSubsidy({ purchaseId: sale.id, scopes, ...spentNow(ports, expense) }),
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
  const parties = payersOfTopUp(topUp, payer === 'page' ? null : payer.instrument);
  const expense = expenseOfTopUp(ports.subsidies, topUp.amountCents);
  const scopes = payer === 'page' ? partyScopes('top_up', parties) : scopesOf('top_up', parties);
  return [...requireRoomFor(ports, expense, parties), ...insertTopUp(ports, topUp, expense, scopes)];
}

/** It was paid: its cost is spent, whatever room there is. */
export function recordTopUpSubsidy(
  ports: SubsidyPorts,
  topUp: CostlyTopUp,
  instrument: string | null,
): Statement[] {
  const expense = expenseOfTopUp(ports.subsidies, topUp.amountCents);
  return insertTopUp(ports, topUp, expense, scopesOf('top_up', payersOfTopUp(topUp, instrument)));
}

export function giveTopUpSubsidyBack(topUpId: string): Statement {
  return deleteTopUpSubsidies(topUpId);
}

function payersOfTopUp({ agentId }: CostlyTopUp, instrument: string | null): Parties {
  return { sellerId: null, payers: payersOf({ buyerId: agentId, instrument }) };
}

function insertTopUp(
  ports: SubsidyPorts,
  { id: topUpId }: CostlyTopUp,
  expense: Expense | null,
  scopes: readonly string[],
): Statement[] {
  return expense === null ? [] : [insertTopUpSubsidy({ topUpId, scopes, ...spentNow(ports, expense) })];
}

function spentNow({ clock }: SubsidyPorts, { cents }: Expense) {
  const [day] = timesOf(isoTime(clock.now()));
  return { day, cents };
}

function requireRoomFor(
  { subsidies: terms, clock }: SubsidyPorts,
  expense: Expense | null,
  parties: Parties,
): Statement[] {
  if (expense === null) return [];
  const now = clock.now();
  const limits = subsidyLimits(terms, expense, parties, isoTime(now));
  const closure = closureOf(limits, expense, new Map(), now);
  if (closure !== null) throw refusalOf(closure, now);
  return [requireRoomIn(limits, expense.cents)];
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
