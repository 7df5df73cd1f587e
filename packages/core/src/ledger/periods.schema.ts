import * as z from 'zod';
import type { LedgerPeriod } from './periods.store.ts';

/** Of a path, where what is no month is unknown like any other that is not there. */
export const monthField = z.string().max(64).describe('As `2026-11`, in UTC.');

/** Where entries go on: their numbers grow with time. */
export const afterEntry = z.int().min(0).max(1_000_000_000_000_000).default(0);

export const periodView = z
  .object({
    balances: z
      .record(z.string(), z.int())
      .nullable()
      .describe('Cents at the end of the month by kind of account. Null until it is closed.'),
    closedAt: z.iso.datetime().nullable(),
    closingNote: z.string().nullable(),
    endedAt: z.iso.datetime(),
    month: z.string(),
  })
  .meta({ id: 'LedgerPeriod' });

export function viewPeriod(period: LedgerPeriod): z.output<typeof periodView> {
  const { balances, closedAt, closingNote, endedAt, month } = period;
  const sorted =
    balances && Object.fromEntries(Object.entries(balances).sort(([a], [b]) => (a < b ? -1 : 1)));
  return { balances: sorted, closedAt, closingNote, endedAt, month };
}
