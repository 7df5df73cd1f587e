import * as z from 'zod';
import { id } from '../kernel/id.ts';
import { defineOperation } from '../kernel/operation/operation.ts';
import { recordsEnded } from '../ledger/index.ts';
import { readAnnualTotals } from './read-annual-totals.ts';
import { statementTotals, yearField } from './statements.schema.ts';

/** For the operator: what has to be reported of sellers to tax offices. */
export const listAnnualTotals = defineOperation({
  name: 'listAnnualTotals',
  summary: 'What each seller sold, gave back and was paid in a year.',
  description:
    'For the operator. `after`, the last sellerId of the page before, gives the next page. `country` is what the seller told the card ' +
    'processor, which also keeps its tax number; null for sellers that are paid in USDC alone: of those, `taxCountry` and ' +
    '`taxNumber` are what they told the marketplace, null if nothing.',
  area: 'Selling',
  auth: 'operator',
  leastRole: 'viewer',
  input: z.object({
    year: yearField,
    after: id.optional(),
    limit: z.int().min(1).max(100).default(50),
  }),
  output: z.object({
    nextAfter: z.uuid().nullable(),
    sellers: z.array(
      z.object({
        country: z.string().nullable(),
        sellerId: z.uuid(),
        sellerLabel: z.string(),
        taxCountry: z.string().nullable(),
        taxNumber: z.string().nullable(),
        totals: statementTotals,
      }),
    ),
    year: z.int(),
  }),
  errors: [recordsEnded],
  http: { method: 'get', path: '/admin/annual-totals', status: 200 },
  rate: 'read',
  audit: ({ year }) => ({ subject: { type: 'annual_totals', id: String(year) } }),
  async handle({ ports: { market } }, { year, after = '', limit }) {
    const { sellers, nextAfter } = await readAnnualTotals(market, year, { after, limit });
    return {
      nextAfter,
      sellers: sellers.map(({ country, sellerId, sellerLabel, taxCountry, taxNumber, totals }) => ({
        country,
        sellerId,
        sellerLabel,
        taxCountry,
        taxNumber,
        totals,
      })),
      year,
    };
  },
});
