import * as z from 'zod';
import { defineOperation, FileAnswer } from '../kernel/operation/operation.ts';
import { textFile } from '../kernel/operation/text-file.ts';
import { afterEntry, monthField, recordsEnded } from '../ledger/index.ts';
import { readStatement } from './read-statement.ts';
import { statementCsv, statementHtml } from './statement-file.rules.ts';
import { statementErrors } from './statements.errors.ts';

const MOST_LINES = 2000;

export const getStatementFile = defineOperation({
  name: 'getStatementFile',
  summary: 'Your statement of a month as a file: CSV for a program, HTML to print.',
  description:
    'The same lines as in the statement, at most 2,000: `after`, the digits of the last number in the file before, gives the next, ' +
    'and one without lines is the end. The columns of the CSV stay as they are and ' +
    'may only get further ones after them.',
  area: 'Selling',
  auth: 'seller',
  scope: 'read',
  input: z.object({
    month: monthField,
    format: z.enum(['csv', 'html']).default('csv'),
    after: afterEntry,
  }),
  output: z.instanceof(FileAnswer),
  file: { mediaTypes: ['text/csv', 'text/html'] },
  errors: [statementErrors.statement_not_found, recordsEnded],
  http: { method: 'get', path: '/sell/statements/{month}/file', status: 200 },
  rate: 'read',
  async handle({ ports: { market }, caller, now }, { month, format, after }) {
    const page = { after, limit: MOST_LINES };
    const statement = await readStatement(market, caller.agentId, { month, now }, page);
    const text = format === 'csv' ? statementCsv(statement) : statementHtml(statement);
    const filename = `statement-${month}-${statement.seller.sellerLabel}-${after}.${format}`;
    return textFile(text, { contentType: `text/${format}`, filename });
  },
});
