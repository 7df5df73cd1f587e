import * as z from 'zod';
import { defineOperation } from '../kernel/operation/operation.ts';
import { pageFields } from '../kernel/page-fields.ts';
import { afterEntry, monthField, recordsEnded } from '../ledger/index.ts';
import { readStatement } from './read-statement.ts';
import { statementErrors } from './statements.errors.ts';
import { feeInvoice, statementLine, statementTotals, taxView, viewTax } from './statements.schema.ts';

export const getStatement = defineOperation({
  name: 'getStatement',
  summary: 'Your statement of a month: sales, refunds, fees and payouts, each with its number.',
  description:
    'Months are in UTC. Every figure comes from the ledger. An hour after its month ended a statement is final: what is ' +
    'corrected later is a line of a later month. Lines come oldest first: `after` with `nextAfter` gives the next page. Totals are of the whole month.',
  area: 'Selling',
  auth: 'seller',
  scope: 'read',
  input: z.object({ month: monthField, after: afterEntry, limit: pageFields.limit }),
  output: z.object({
    closingBalanceCents: z.int().describe('What lay in escrow for you at the end.'),
    currency: z.literal('usd'),
    feeInvoice,
    isFinal: z.boolean(),
    limit: z.int(),
    lines: z.array(statementLine),
    month: z.string(),
    nextAfter: z.int().nullable(),
    openingBalanceCents: z.int(),
    sellerLabel: z.string(),
    tax: taxView,
    total: z.int().describe('Lines.'),
    totals: statementTotals,
  }),
  errors: [statementErrors.statement_not_found, recordsEnded],
  http: { method: 'get', path: '/sell/statements/{month}', status: 200 },
  rate: 'read',
  async handle({ ports: { market }, caller, now }, { month, after, limit }) {
    const statement = await readStatement(market, caller.agentId, { month, now }, { after, limit });
    return {
      closingBalanceCents: statement.closingBalanceCents,
      currency: 'usd' as const,
      feeInvoice: statement.feeInvoice,
      isFinal: statement.isFinal,
      limit,
      lines: [...statement.lines],
      month,
      nextAfter: statement.nextAfter,
      openingBalanceCents: statement.openingBalanceCents,
      sellerLabel: statement.seller.sellerLabel,
      tax: viewTax(statement.seller),
      total: statement.totalLines,
      totals: statement.totals,
    };
  },
});
