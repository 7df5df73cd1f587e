import * as z from 'zod';
import { id } from '../kernel/id.ts';
import type { SpendPolicy } from '../kernel/spend-policy.ts';
import type { SpendLimits } from './policy.rules.ts';

const price = (what: string) => z.int().min(0).max(1_000_000_000).nullable().optional().describe(what);
const sum = (what: string) => z.int().min(0).max(100_000_000_000).nullable().optional().describe(what);
const areDistinct = (list: readonly string[]) => new Set(list).size === list.length;
const names = (what: string) =>
  z
    .array(z.string().regex(/^[a-z0-9][a-z0-9_-]{0,63}$/))
    .min(1)
    .max(50)
    .refine(areDistinct, 'Name each once.')
    .nullable()
    .optional()
    .describe(what);

/** What a key may spend. A limit that is null or left out of a new policy is none. */
export const policyInput = z.object({
  perPurchaseCents: price('The most that one purchase may cost.'),
  perDayCents: sum('From 00:00 to 00:00 UTC.'),
  perWeekCents: sum('From Monday 00:00 to Monday 00:00 UTC.'),
  perMonthCents: sum('Of a calendar month in UTC.'),
  totalCents: sum('For good.'),
  approvalAboveCents: price('What costs more waits for the approval of a person.'),
  sellers: z
    .array(id)
    .min(1)
    .max(50)
    .refine(areDistinct, 'Name each once.')
    .nullable()
    .optional()
    .describe('Ids of sellers; null: any.'),
  verticals: names('Slugs of verticals; null: any.'),
  rails: names('`wallet`, `card`, `checkout`, `x402`; null: any.'),
});

const cents = z.int().nullable();

export const policyView = z
  .object({
    approvalAboveCents: cents,
    changedAt: z.iso.datetime(),
    perDayCents: cents,
    perMonthCents: cents,
    perPurchaseCents: cents,
    perWeekCents: cents,
    rails: z.array(z.string()).nullable(),
    sellers: z.array(z.string()).nullable(),
    totalCents: cents,
    verticals: z.array(z.string()).nullable(),
  })
  .meta({ id: 'SpendPolicy' });

export function viewPolicy(policy: Omit<SpendPolicy, 'id'>): z.output<typeof policyView> {
  const { approvalAboveCents, changedAt, perDayCents, perMonthCents, perPurchaseCents, perWeekCents } =
    policy;
  const list = (one: readonly string[] | null) => (one === null ? null : [...one]);
  return {
    approvalAboveCents,
    changedAt,
    perDayCents,
    perMonthCents,
    perPurchaseCents,
    perWeekCents,
    rails: list(policy.rails),
    sellers: list(policy.sellers),
    totalCents: policy.totalCents,
    verticals: list(policy.verticals),
  };
}

/** The limits as they will be: what is left out stays as it was. */
export function mergeLimits(current: SpendLimits, sent: z.output<typeof policyInput>): SpendLimits {
  const changes = Object.entries(sent).filter(([, value]) => value !== undefined);
  return { ...current, ...Object.fromEntries(changes) };
}
