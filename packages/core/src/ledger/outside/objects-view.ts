import * as z from 'zod';
import type { ObjectComparison } from './compare-objects.ts';
import type { Comparison } from './compared-objects.store.ts';

const rail = z.enum(['card', 'usdc']);

const object = z
  .object({
    currency: z.string(),
    id: z
      .string()
      .describe(
        '`payment:pi_…`, `refund:pi_…` (all refunds of one payment), `dispute:du_…` and the like; on chain `payment:0x…` came, ' +
          'and `transfer:0x…` left, as a payout or a refund.',
      ),
    kind: z.string(),
    ledgerCents: z.int(),
    outsideCents: z.int(),
    rail,
  })
  .meta({ id: 'OutsideObject' });

export const objectsView = z.object({
  counts: z.array(
    z.object({
      comparison: z
        .enum(['differs', 'matched', 'onlyInLedger', 'onlyOutside', 'pending'])
        .describe('`pending`: a refund that both wait for.'),
      count: z.int(),
      currency: z.string(),
      kind: z.string(),
      rail,
    }),
  ),
  differs: z.array(object).describe('Both know it, with other amounts.'),
  nextAfter: z.string().nullable().describe('Where the next page begins. Null: there is none.'),
  onlyInLedger: z.array(object),
  onlyOutside: z.array(object),
  readings: z
    .array(
      z.object({
        isUpToDate: z
          .boolean()
          .describe('False: what is newer is not known yet, and nothing here says it is well.'),
        rail,
        readUntil: z.iso
          .datetime()
          .nullable()
          .describe('Up to when both sides were read. What is newer than five minutes before is left out.'),
      }),
    )
    .describe('How far each rail was read: the card processor, and final blocks of the chain.'),
});

export function viewObjects(compared: ObjectComparison): z.output<typeof objectsView> {
  const { counts, unmatched, nextAfter, readings } = compared;
  const of = (comparisonOf: Comparison) =>
    unmatched
      .filter(({ comparison }) => comparison === comparisonOf)
      .map(({ currency, id, ledgerCents, outsideCents, rail }) => ({
        currency,
        id,
        kind: id.split(':', 1)[0] ?? '',
        ledgerCents,
        outsideCents,
        rail,
      }));
  return {
    counts: counts.map(({ comparison, count, currency, kind, rail }) => ({
      comparison,
      count,
      currency,
      kind,
      rail,
    })),
    differs: of('differs'),
    nextAfter,
    onlyInLedger: of('onlyInLedger'),
    onlyOutside: of('onlyOutside'),
    readings: readings.map(({ isUpToDate, rail, readUntil }) => ({ isUpToDate, rail, readUntil })),
  };
}
