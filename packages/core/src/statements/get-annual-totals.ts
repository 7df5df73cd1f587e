import * as z from 'zod';
import { defineOperation } from '../kernel/operation/operation.ts';
import { recordsEnded } from '../ledger/index.ts';
import { readYearBounds } from './read-statement.ts';
import { statementTotals, taxView, viewTax, yearField } from './statements.schema.ts';
import { readStatedSeller, readTotals } from './statements.store.ts';

export const getAnnualTotals = defineOperation({
  name: 'getAnnualTotals',
  summary: 'What your sales of a year come to, for your tax return.',
  description:
    'The sums of the twelve statements, in UTC months. Until the year is over it is what there is so far.',
  area: 'Selling',
  auth: 'seller',
  scope: 'read',
  input: z.object({ year: yearField }),
  output: z.object({
    currency: z.literal('usd'),
    tax: taxView,
    totals: statementTotals,
    year: z.int(),
  }),
  errors: [recordsEnded],
  http: { method: 'get', path: '/sell/annual-totals', status: 200 },
  rate: 'read',
  async handle({ ports: { market }, caller }, { year }) {
    const id = caller.agentId;
    const bounds = await readYearBounds(market, year);
    const [{ totals }, seller] = await Promise.all([
      readTotals(market, id, bounds),
      readStatedSeller(market, id),
    ]);
    return { currency: 'usd' as const, tax: viewTax(seller), totals, year };
  },
});
