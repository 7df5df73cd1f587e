import * as z from 'zod';
import { csvOf } from '../kernel/csv.ts';
import { id } from '../kernel/id.ts';
import { defineOperation, FileAnswer } from '../kernel/operation/operation.ts';
import { textFile } from '../kernel/operation/text-file.ts';
import { recordsEnded, requireHeld } from '../ledger/index.ts';
import { gasOfReturn } from '../sales/index.ts';
import { yearField } from './statements.schema.ts';
import { listPaidPurchases } from './statements.store.ts';

const MOST_PURCHASES = 2000;

/** In this order; further ones would follow them. */
const COLUMNS = [
  'purchase_id',
  'ordered_at',
  'paid_at',
  'listing_id',
  'listing_title',
  'seller_label',
  'rail',
  'status',
  'paid_cents',
  'refunded_at',
  'refunded_cents',
  'currency',
  'gas_cents',
];

export const getPurchasesFile = defineOperation({
  name: 'getPurchasesFile',
  summary: 'What you paid for in a year, as CSV.',
  description:
    'The purchases that you ordered in the year, in UTC, and were charged for, with what you got back; amounts in whole cents. A file holds ' +
    '2,000 of them, oldest first: `after`, the last `purchase_id` of the file before, gives the next, and one without purchases is the ' +
    'end. What was paid less what came back is what moved: of a tab it has the gas of sending the rest back, which is in `gas_cents`, too. The columns stay as they are and may only get further ones after them.',
  area: 'Purchasing',
  auth: 'agent',
  scope: 'read',
  input: z.object({ year: yearField, after: id.optional() }),
  output: z.instanceof(FileAnswer),
  file: { mediaTypes: ['text/csv'] },
  errors: [recordsEnded],
  http: { method: 'get', path: '/purchases/file', status: 200 },
  rate: 'read',
  async handle({ ports: { market }, caller }, { year, after = null }) {
    await requireHeld(market, `${year}-12`);
    const page = { after, limit: MOST_PURCHASES };
    const purchases = await listPaidPurchases(market, caller.agentId, year, page);
    const rows = purchases.map(rowOf);
    return textFile(csvOf(COLUMNS, rows), { contentType: 'text/csv', filename: `purchases-${year}.csv` });
  },
});

function rowOf(one: Awaited<ReturnType<typeof listPaidPurchases>>[number]) {
  const { ofPrice, besidePrice } = gasOfReturn({ ...one, purchaseId: one.id });
  return [
    one.id,
    one.createdAt,
    one.capturedAt,
    one.listingId,
    one.listingTitle,
    one.sellerLabel,
    one.rail,
    one.status,
    one.capturedCents + besidePrice,
    one.refundedAt,
    one.refundedCents - ofPrice,
    'USD',
    ofPrice + besidePrice,
  ];
}
