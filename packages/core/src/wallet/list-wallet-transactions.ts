import * as z from 'zod';
import { defineOperation } from '../kernel/operation/operation.ts';
import { pageFields } from '../kernel/page-fields.ts';
import { withoutNulls } from '../kernel/tools/without-nulls.ts';
import { readTransactions } from './transactions.ts';
import { transaction } from './wallet.schema.ts';

/** Clause: the tool wallet_transactions. */
export const listWalletTransactions = defineOperation({
  name: 'listWalletTransactions',
  summary: 'Every movement of your wallet, newest first.',
  area: 'Purchasing',
  auth: 'agent',
  scope: 'read',
  input: z.object(pageFields),
  output: z.object({
    hasMore: z.boolean(),
    limit: z.int(),
    offset: z.int(),
    transactions: z.array(transaction),
  }),
  errors: [],
  http: { method: 'get', path: '/wallet/transactions', status: 200 },
  mcp: {
    tool: 'wallet_transactions',
    title: 'List wallet transactions',
    description:
      'Every movement of your wallet, newest first, with the balance after it and its purchase or top-up. Free. ' +
      'Next: get_purchase with a purchaseId.',
    answer: {
      lists: [
        {
          member: 'transactions',
          rows: 50,
          row: withoutNulls,
          least: ['amountCents', 'createdAt', 'id'],
          text: ['createdAt', 'kind', 'amountCents', 'balanceCents', 'purchaseId'],
          next: { offset: ({ hasMore }: { readonly hasMore: boolean }) => hasMore },
        },
      ],
    },
    hints: { readOnly: true, destructive: false, idempotent: true },
  },
  rate: 'read',
  async handle({ ports, caller }, { limit, offset }) {
    const rows = await readTransactions(ports.market, caller.agentId, { limit: limit + 1, offset });
    return { hasMore: rows.length > limit, limit, offset, transactions: rows.slice(0, limit) };
  },
});
