import * as z from 'zod';
import { defineOperation } from '../kernel/operation/operation.ts';
import { isSettled, monthOf, monthsBack } from '../ledger/index.ts';
import { findFirstEntry } from './statements.store.ts';

export const listStatements = defineOperation({
  name: 'listStatements',
  summary: 'The months that you have a statement of, newest first.',
  description: 'From the month of your first paid sale to this one, which is not final.',
  area: 'Selling',
  auth: 'seller',
  scope: 'read',
  input: z.object({}),
  output: z.object({
    statements: z.array(z.object({ isFinal: z.boolean(), month: z.string() })),
  }),
  errors: [],
  http: { method: 'get', path: '/sell/statements', status: 200 },
  rate: 'read',
  async handle({ ports: { market }, caller, now }) {
    const first = await findFirstEntry(market, caller.agentId);
    const months = first === null ? [] : monthsBack(monthOf(first), now);
    return { statements: months.map((month) => ({ isFinal: isSettled(month, now), month })) };
  },
});
