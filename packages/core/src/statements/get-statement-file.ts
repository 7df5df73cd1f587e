import { z } from 'zod';
import { sha256Hex } from '../kernel/crypto/digest.ts';
import { defineOperation, FileAnswer } from '../kernel/operation/operation.ts';
import { monthField } from '../ledger/index.ts';
import { readStatement } from './read-statement.ts';
import { statementCsv, statementHtml } from './statement-file.rules.ts';

const LINES_OF_A_PART = 2000;

export const getStatementFile = defineOperation({
  name: 'getStatementFile',
  summary: 'Your statement of a month as a file: CSV for a program, HTML to print.',
  description:
    'The same lines as in the statement, 2,000 in a part; a part without lines is the end. The columns of the CSV stay as they are and ' +
    'may only get further ones after them.',
  area: 'Selling',
  auth: 'seller',
  input: z.object({
    month: monthField,
    format: z.enum(['csv', 'html']).default('csv'),
    part: z.int().min(1).max(100_000).default(1),
  }),
  output: z.instanceof(FileAnswer),
  file: { mediaTypes: ['text/csv', 'text/html'] },
  errors: [],
  http: { method: 'get', path: '/sell/statements/{month}/file', status: 200 },
  rate: 'read',
  async handle({ ports: { market }, caller, now }, { month, format, part }) {
    const page = { limit: LINES_OF_A_PART, offset: (part - 1) * LINES_OF_A_PART };
    const statement = await readStatement(market, caller.agentId, { month, now }, page);
    const text = format === 'csv' ? statementCsv(statement) : statementHtml(statement);
    const bytes = new TextEncoder().encode(text);
    const filename = `statement-${month}-${statement.sellerLabel}-${part}.${format}`;
    const digest = `sha256:${await sha256Hex(bytes)}` as const;
    return new FileAnswer({ digest, contentType: `text/${format}`, filename }, async () => bytes);
  },
});
