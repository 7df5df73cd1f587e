import { z } from 'zod';
import { defineOperation } from '../kernel/operation/operation.ts';
import { pageFields } from '../kernel/page-fields.ts';
import { monthField } from '../ledger/index.ts';
import { readStatement } from './read-statement.ts';
import { feeInvoice, statementLine, statementTotals } from './statements.schema.ts';

export const getStatement = defineOperation({
  name: 'getStatement',
  summary: 'Your statement of a month: sales, refunds, fees and payouts, each with its number.',
  description:
    'Months are in UTC. Every figure comes from the ledger. An hour after its month ended a statement is final: what is ' +
    'corrected later is a line of a later month. `limit` and `offset` page the lines, oldest first; totals are of the whole month.',
  area: 'Selling',
  auth: 'seller',
  input: z.object({ month: monthField, ...pageFields }),
  output: z.object({
    closingBalanceCents: z.int().describe('What lay in escrow for you at the end.'),
    currency: z.literal('usd'),
    feeInvoice,
    isFinal: z.boolean(),
    limit: z.int(),
    lines: z.array(statementLine),
    month: z.string(),
    offset: z.int(),
    openingBalanceCents: z.int(),
    sellerLabel: z.string(),
    total: z.int().describe('Lines.'),
    totals: z.object(statementTotals),
  }),
  errors: [],
  http: { method: 'get', path: '/sell/statements/{month}', status: 200 },
  rate: 'read',
  async handle({ ports: { market }, caller, now }, { month, limit, offset }) {
    const statement = await readStatement(market, caller.agentId, { month, now }, { limit, offset });
    return {
      closingBalanceCents: statement.closingBalanceCents,
      currency: 'usd' as const,
      feeInvoice: statement.feeInvoice,
      isFinal: statement.isFinal,
      limit,
      lines: [...statement.lines],
      month,
      offset,
      openingBalanceCents: statement.openingBalanceCents,
      sellerLabel: statement.sellerLabel,
      total: statement.totalLines,
      totals: statement.totals,
    };
  },
});
