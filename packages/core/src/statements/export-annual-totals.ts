import * as z from 'zod';
import { csvOf } from '../kernel/csv.ts';
import { id } from '../kernel/id.ts';
import { defineOperation, FileAnswer } from '../kernel/operation/operation.ts';
import { textFile } from '../kernel/operation/text-file.ts';
import { recordsEnded } from '../ledger/index.ts';
import { readAnnualTotals, type SellerYear } from './read-annual-totals.ts';
import { yearField } from './statements.schema.ts';

const MOST_SELLERS = 500;

/** In this order; further ones would follow them. */
const COLUMNS = [
  'year',
  'seller_id',
  'seller_label',
  'country',
  'tax_country',
  'tax_number',
  'sales',
  'gross_sales_cents',
  'refunds',
  'refund_cents',
  'fee_cents',
  'adjustment_cents',
  'payout_cents',
  'payout_gas_cents',
  'currency',
];

export const exportAnnualTotals = defineOperation({
  name: 'exportAnnualTotals',
  summary: 'What each seller sold, gave back and was paid in a year, as CSV.',
  description:
    'For the operator: the same as listAnnualTotals for a program. A file holds 500 sellers; `after`, the last `seller_id` of the file ' +
    'before, gives the next, and one without sellers is the end. The columns stay as they are and may only get further ones after them.',
  area: 'Selling',
  auth: 'operator',
  leastRole: 'viewer',
  input: z.object({ year: yearField, after: id.optional() }),
  output: z.instanceof(FileAnswer),
  file: { mediaTypes: ['text/csv'] },
  errors: [recordsEnded],
  http: { method: 'get', path: '/admin/annual-totals/file', status: 200 },
  rate: 'read',
  audit: ({ year }) => ({ subject: { type: 'annual_totals', id: String(year) } }),
  async handle({ ports: { market } }, { year, after = '' }) {
    const { sellers } = await readAnnualTotals(market, year, { after, limit: MOST_SELLERS });
    const text = csvOf(
      COLUMNS,
      sellers.map((seller) => rowOf(year, seller)),
    );
    return textFile(text, { contentType: 'text/csv', filename: `annual-totals-${year}.csv` });
  },
});

function rowOf(year: number, { totals, ...seller }: SellerYear) {
  return [
    year,
    seller.sellerId,
    seller.sellerLabel,
    seller.country,
    seller.taxCountry,
    seller.taxNumber,
    totals.sales,
    totals.grossSalesCents,
    totals.refunds,
    totals.refundCents,
    totals.feeCents,
    totals.adjustmentCents,
    totals.payoutCents,
    totals.payoutGasCents,
    'USD',
  ];
}
