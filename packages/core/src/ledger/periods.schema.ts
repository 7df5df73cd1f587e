import { z } from 'zod';
import type { LedgerPeriod } from './periods.store.ts';

/** `2026-11`, in UTC. */
export const monthField = z.string().regex(/^20\d\d-(0[1-9]|1[0-2])$/, 'A month, as 2026-11.');

export const periodView = z.object({
  balances: z
    .record(z.string(), z.int())
    .nullable()
    .describe('Cents at the end of the month by kind of account. Null until it is closed.'),
  closedAt: z.iso.datetime().nullable(),
  closingNote: z.string().nullable(),
  endedAt: z.iso.datetime(),
  month: z.string(),
});

export function viewPeriod(period: LedgerPeriod): z.output<typeof periodView> {
  const { balances, closedAt, closingNote, endedAt, month } = period;
  const sorted =
    balances && Object.fromEntries(Object.entries(balances).sort(([a], [b]) => (a < b ? -1 : 1)));
  return { balances: sorted, closedAt, closingNote, endedAt, month };
}
