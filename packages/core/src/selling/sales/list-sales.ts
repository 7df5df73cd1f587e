import * as z from 'zod';
import { defineOperation } from '../../kernel/operation/operation.ts';
import { pageOf, positionOf } from '../../kernel/page-cursor.ts';
import { cursorFields } from '../../kernel/page-fields.ts';
import { recentSale, soldStatus } from '../dashboard.schema.ts';
import { listSalesOf } from '../dashboard.store.ts';
import { viewSale } from './view-sale.ts';

export const listSales = defineOperation({
  name: 'listSales',
  summary: 'Your sales, newest first.',
  description:
    'Sales that were paid, and free ones; what ended without a payment is none. The buyer is named by its pseudonym. ' +
    '`nextCursor` is the `cursor` of the next page; sales made meanwhile come before the first page.',
  area: 'Selling',
  auth: 'seller',
  scope: 'read',
  input: z.object({
    status: soldStatus.optional().describe('Only sales with this status.'),
    only: z
      .enum(['disputed'])
      .optional()
      .describe('`disputed`: only sales that a buyer or a bank disputes, or did.'),
    ...cursorFields,
  }),
  output: z.object({
    limit: z.int(),
    nextCursor: z.string().nullable().describe('Null on the last page.'),
    sales: z.array(recentSale),
  }),
  errors: [],
  http: { method: 'get', path: '/sales', status: 200 },
  rate: 'read',
  async handle({ ports: { market }, caller }, { status, only, cursor, limit }) {
    const page = { after: positionOf(cursor), limit: limit + 1 };
    const { rows, nextCursor } = pageOf(
      await listSalesOf(
        market,
        caller.agentId,
        { status: status ?? null, isDisputed: only === 'disputed' },
        page,
      ),
      limit,
    );
    return { limit, nextCursor, sales: rows.map(viewSale) };
  },
});
