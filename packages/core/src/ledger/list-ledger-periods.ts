import * as z from 'zod';
import { defineOperation } from '../kernel/operation/operation.ts';
import { monthField, periodView, viewPeriod } from './periods.schema.ts';
import { listPeriods } from './periods.store.ts';

/** For the operator: the months of the ledger that are over. */
export const listLedgerPeriods = defineOperation({
  name: 'listLedgerPeriods',
  summary: 'The months of the ledger that are over, newest first, and which of them are closed.',
  description: 'For the operator. `before` pages: the months before that one.',
  area: 'Purchasing',
  auth: 'operator',
  leastRole: 'viewer',
  input: z.object({
    before: monthField.optional(),
    limit: z.int().min(1).max(100).default(50),
  }),
  output: z.object({ nextBefore: z.string().nullable(), periods: z.array(periodView) }),
  errors: [],
  http: { method: 'get', path: '/admin/periods', status: 200 },
  rate: 'read',
  async handle({ ports: { market } }, { before = '9999-12', limit }) {
    const rows = await listPeriods(market, { before, limit: limit + 1 });
    const periods = rows.slice(0, limit).map(viewPeriod);
    return { nextBefore: rows.length > limit ? (periods.at(-1)?.month ?? null) : null, periods };
  },
});
