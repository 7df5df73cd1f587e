import { z } from 'zod';
import type { ObjectComparison } from './compare-objects.ts';
import type { Comparison } from './compared-objects.store.ts';

/** What is compared so far: the card processor's balance. */
const RAIL = 'card';

const object = z.object({
  currency: z.string(),
  id: z
    .string()
    .describe('`payment:pi_…`, `refund:pi_…` (all refunds of one payment), `dispute:du_…` and the like.'),
  kind: z.string(),
  ledgerCents: z.int(),
  outsideCents: z.int(),
  rail: z.literal(RAIL),
});

export const objectsView = z.object({
  counts: z.array(
    z.object({
      comparison: z
        .enum(['differs', 'matched', 'onlyInLedger', 'onlyOutside', 'pending'])
        .describe('`pending`: a refund that both wait for.'),
      count: z.int(),
      currency: z.string(),
      kind: z.string(),
      rail: z.literal(RAIL),
    }),
  ),
  differs: z.array(object).describe('Both know it, with other amounts.'),
  nextAfter: z.string().nullable().describe('Where the next page begins. Null: there is none.'),
  onlyInLedger: z.array(object),
  onlyOutside: z.array(object),
  readUntil: z.iso
    .datetime()
    .nullable()
    .describe(
      "Up to when the processor's entries were read. What is newer than five minutes before is left out.",
    ),
});

export function viewObjects(compared: ObjectComparison): z.output<typeof objectsView> {
  const { counts, unmatched, nextAfter, readUntil } = compared;
  const of = (comparisonOf: Comparison) =>
    unmatched
      .filter(({ comparison }) => comparison === comparisonOf)
      .map(
        ({ currency, id, ledgerCents, outsideCents }) =>
          ({
            currency,
            id,
            kind: id.split(':', 1)[0] ?? '',
            ledgerCents,
            outsideCents,
            rail: RAIL,
          }) as const,
      );
  return {
    counts: counts.map(({ comparison, count, currency, kind }) => ({
      comparison,
      count,
      currency,
      kind,
      rail: RAIL,
    })),
    differs: of('differs'),
    nextAfter,
    onlyInLedger: of('onlyInLedger'),
    onlyOutside: of('onlyOutside'),
    readUntil,
  };
}
