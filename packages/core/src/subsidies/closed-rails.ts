import * as z from 'zod';
import { FEE_SCHEDULES, platformFeeCents, scheduleAt } from '../fees/index.ts';
import type { Ports } from '../kernel/ports/ports.ts';
import { type EpochMs, isoTime } from '../kernel/time.ts';
import { readSpent, readSpentBy } from './subsidies.store.ts';
import {
  type Asker,
  type Closure,
  COSTLY_RAILS,
  closureOf,
  expenseOfSale,
  payersFor,
  type Spent,
  subsidyLimits,
} from './subsidy.rules.ts';

/** A way to pay by which a listing cannot be bought now. */
export interface ClosedRail extends Omit<Closure, 'reason'> {
  readonly rail: string;
  readonly reason: (typeof REASONS)[number];
}

const REASONS = [
  'budget_spent',
  'cost_not_borne',
  'price_too_large',
  'price_too_small',
  'unavailable',
] as const;

export const closedRailsField = z
  .array(
    z
      .object({
        opensAt: z.iso.datetime().nullable(),
        rail: z.string(),
        reason: z.enum(REASONS),
      })
      .meta({ id: 'ClosedRail' }),
  )
  .describe(
    'Ways to pay that are closed for this price or for now: they take no amount so small or so large (`price_too_small`, ' +
      '`price_too_large`); the marketplace bears no more of their cost before `opensAt` (`budget_spent`), never as much ' +
      '(`cost_not_borne`), or cannot use them (`unavailable`). With your key: for you and your saved card.',
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

/** What is sold. */
interface Offered {
  readonly priceCents: number;
  readonly sellerId: string;
}

const NOBODY: Asker = { buyerId: null, instrument: null };

/** The rails whose cost closes them for whoever buys a listing, by the rule that refuses them. */
export function closedByCost(
  ports: Pick<Ports, 'subsidies'>,
  sold: Offered,
  spent: Spent,
  now: EpochMs,
): ClosedRail[] {
  return closedFor(ports, sold, { asker: NOBODY, spent }, now);
}

/** The same for one key: its own budgets and those of the card that it has saved are among them. */
export async function closedByCostFor(
  ports: Pick<Ports, 'market' | 'subsidies'>,
  sold: Offered,
  { buyerId, readSpent }: { readonly buyerId: string | null; readonly readSpent: () => Promise<Spent> },
  now: EpochMs,
): Promise<ClosedRail[]> {
  if (expensesOf(ports, sold, now).length === 0) return [];
  // Both travel in one batch.
  const [spent, own] = await Promise.all([
    readSpent(),
    buyerId === null ? null : readSpentBy(ports.market, { buyerId, sellerId: sold.sellerId }, isoTime(now)),
  ]);
  if (own === null) return closedByCost(ports, sold, spent, now);
  const asker = { buyerId, instrument: own.instrument };
  return closedFor(ports, sold, { asker, spent: new Map([...spent, ...own.spent]) }, now);
}

function closedFor(
  ports: Pick<Ports, 'subsidies'>,
  sold: Offered,
  { asker, spent }: { readonly asker: Asker; readonly spent: Spent },
  now: EpochMs,
): ClosedRail[] {
  return expensesOf(ports, sold, now).flatMap(({ rail, expense }) => {
    const parties = { sellerId: sold.sellerId, payers: payersFor(rail, asker) };
    const limits = subsidyLimits(ports.subsidies, expense, parties, isoTime(now));
    const closure = closureOf(limits, expense, spent, now);
    return closure === null ? [] : [{ opensAt: closure.opensAt, rail, reason: closure.reason }];
  });
}

/** What each rail costs beyond the fee, where one does. */
function expensesOf(
  { subsidies: terms }: Pick<Ports, 'subsidies'>,
  { priceCents: amountCents }: Offered,
  now: EpochMs,
) {
  const feeCents = platformFeeCents(scheduleAt(FEE_SCHEDULES, now).rates, amountCents);
  return COSTLY_RAILS.flatMap((rail) => {
    const expense = expenseOfSale(terms, { rail, amountCents, platformFeeCents: feeCents });
    return expense === null ? [] : [{ rail, expense }];
  });
}
