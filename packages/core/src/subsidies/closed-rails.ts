import { z } from 'zod';
import { FEE_SCHEDULES, platformFeeCents, scheduleAt } from '../fees/index.ts';
import type { Ports } from '../kernel/ports/ports.ts';
import { type EpochMs, isoTime } from '../kernel/time.ts';
import { readSpent } from './subsidies.store.ts';
import {
  type Closure,
  COSTLY_RAILS,
  closureOf,
  expenseOfSale,
  type Spent,
  subsidyLimits,
} from './subsidy.rules.ts';

/** A way to pay by which a listing cannot be bought now. */
export interface ClosedRail extends Omit<Closure, 'reason'> {
  readonly rail: string;
  readonly reason: Closure['reason'] | 'unavailable';
}

export const closedRailsField = z
  .array(
    z.object({
      opensAt: z.iso.datetime().nullable(),
      rail: z.string(),
      reason: z.enum(['budget_spent', 'cost_not_borne', 'unavailable']),
    }),
  )
  .describe(
    'Ways to pay that are closed for now: the marketplace bears no more of their cost before `opensAt` (`budget_spent`), ' +
      'never bears as much (`cost_not_borne`), or cannot use them (`unavailable`). Your own budget is looked at when you buy.',
  );

/** What was spent of the budgets by a listing's seller and in all: asked for with the listing, before it is known. */
export function readSpentOn(
  { market, clock }: Pick<Ports, 'market' | 'clock'>,
  listingId: string,
): Promise<Spent> {
  return readSpent(market, listingId, isoTime(clock.now()));
}

export function findClosed(closed: readonly ClosedRail[], name: string): ClosedRail | null {
  return new Map(closed.map((one) => [one.rail, one])).get(name) ?? null;
}

/** The rails that are closed for whoever buys a listing, by the rule that refuses them. */
export function closedRailsOf(
  { subsidies: terms }: Pick<Ports, 'subsidies'>,
  { priceCents: amountCents, sellerId }: { readonly priceCents: number; readonly sellerId: string },
  spent: Spent,
  now: EpochMs,
): ClosedRail[] {
  const feeCents = platformFeeCents(scheduleAt(FEE_SCHEDULES, now).rates, amountCents);
  return COSTLY_RAILS.flatMap((rail) => {
    const expense = expenseOfSale(terms, { rail, amountCents, platformFeeCents: feeCents });
    if (expense === null) return [];
    const limits = subsidyLimits(terms, expense.budget, [sellerId], isoTime(now));
    const closure = closureOf(limits, expense, spent, now);
    return closure === null ? [] : [{ opensAt: closure.opensAt, rail, reason: closure.reason }];
  });
}
