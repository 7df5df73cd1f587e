import * as z from 'zod';
import { Refusal } from '../kernel/errors.ts';
import { defineOperation } from '../kernel/operation/operation.ts';
import {
  escrowErrors,
  findSale,
  findTab,
  gasOfReturn,
  pageToken,
  purchaseId,
  requireBuyer,
} from '../sales/index.ts';
import { lineOfEntry } from './statement.rules.ts';
import { listPurchaseEntries } from './statements.store.ts';

export const listPurchaseDocuments = defineOperation({
  name: 'listPurchaseDocuments',
  summary: 'The receipt of your purchase for your books, and the credit notes if it was refunded.',
  description:
    'Each with its number, as in the statement of the seller. There is none until the purchase was charged, and none for a free one. ' +
    'What was delivered is proved by the signed receipt, which is another thing.',
  area: 'Purchasing',
  auth: 'optional',
  scope: 'read',
  input: z.object({ purchaseId, token: pageToken }),
  output: z.object({
    currency: z.literal('usd'),
    documents: z.array(
      z.object({
        amountCents: z.int().describe('What you paid; of a credit note, what you got back.'),
        gasCents: z
          .int()
          .describe(
            'What sending back the rest of a tab cost. Of a credit note it is missing from the amount: the tab was not used. Of a receipt you paid it beside the amount; of several tabs that went back together, one has it.',
          ),
        issuedAt: z.iso.datetime(),
        kind: z.enum(['receipt', 'credit_note']),
        number: z.string(),
      }),
    ),
    listingTitle: z.string().nullable(),
    purchaseId: z.uuid(),
    rail: z.string(),
  }),
  errors: [escrowErrors.purchase_not_found, escrowErrors.not_purchase_owner],
  http: {
    method: 'get',
    path: '/marketplace/purchases/{id}/documents',
    status: 200,
    names: { purchaseId: 'id' },
  },
  rate: 'read',
  prefetch: ({ market }, { purchaseId }) => findSale(market, purchaseId),
  async handle({ ports, caller }, { token }, sale) {
    if (!sale) throw new Refusal(escrowErrors.purchase_not_found);
    await requireBuyer(ports, sale, caller, token);
    const [entries, tab] = await Promise.all([
      listPurchaseEntries(ports.market, sale.id),
      findTab(ports.market, sale.id),
    ]);
    const lines = entries.map(lineOfEntry);
    const { ofPrice, besidePrice } = gasOfReturn(tab);
    return {
      currency: 'usd' as const,
      documents: lines.map(({ grossCents, at, number }) => {
        const kind = grossCents > 0 ? ('receipt' as const) : ('credit_note' as const);
        const amountCents = kind === 'receipt' ? grossCents : -grossCents - ofPrice;
        const gasCents = kind === 'receipt' ? besidePrice : ofPrice;
        return { amountCents, gasCents, issuedAt: at, kind, number };
      }),
      listingTitle: lines[0]?.listingTitle ?? null,
      purchaseId: sale.id,
      rail: sale.rail,
    };
  },
});
