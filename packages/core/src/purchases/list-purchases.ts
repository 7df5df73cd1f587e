import * as z from 'zod';
import { defineOperation } from '../kernel/operation/operation.ts';
import { pageOf, positionOf } from '../kernel/page-cursor.ts';
import { cursorFields } from '../kernel/page-fields.ts';
import { idempotencyDigestOf, listPurchasesOf, saleStatus } from '../sales/index.ts';
import { purchaseSummary, viewSummary } from './purchases.schema.ts';

export const listPurchases = defineOperation({
  name: 'listPurchases',
  summary: 'Your purchases, newest first.',
  description:
    'What you bought and tried to buy, without content: no seller is asked, and nothing is collected or charged. ' +
    '`idempotencyKey` finds what one request made, also where its answer was lost. `nextCursor` is the `cursor` of the next ' +
    'page; purchases made meanwhile come before the first page.',
  area: 'Purchasing',
  auth: 'agent',
  scope: 'read',
  input: z.object({
    status: saleStatus.optional().describe('Only purchases with this status.'),
    idempotencyKey: z
      .string()
      .min(1)
      .max(255)
      .optional()
      .describe(
        'The Idempotency-Key that your request carried, however long ago. Empty: it reserved and bought nothing, or has not yet.',
      ),
    ...cursorFields,
  }),
  output: z.object({
    limit: z.int(),
    nextCursor: z.string().nullable().describe('Null on the last page.'),
    purchases: z.array(purchaseSummary),
  }),
  errors: [],
  http: { method: 'get', path: '/purchases', status: 200 },
  rate: 'read',
  async handle({ ports: { market }, caller }, { status = null, idempotencyKey = null, cursor, limit }) {
    const idempotencyDigest = await idempotencyDigestOf(caller.agentId, idempotencyKey);
    const page = { after: positionOf(cursor), limit: limit + 1 };
    const found = await listPurchasesOf(market, caller.agentId, { status, idempotencyDigest }, page);
    const { rows, nextCursor } = pageOf(found, limit);
    return { limit, nextCursor, purchases: rows.map(viewSummary) };
  },
});
