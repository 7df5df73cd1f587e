import * as z from 'zod';
import { defineOperation, FileAnswer } from '../kernel/operation/operation.ts';
import { textFile } from '../kernel/operation/text-file.ts';
import { afterEntry, recordsEnded } from '../ledger/index.ts';
import { readYearBounds } from './read-statement.ts';
import { lineOfEntry } from './statement.rules.ts';
import { statementCsv } from './statement-file.rules.ts';
import { yearField } from './statements.schema.ts';
import { listStatementEntries } from './statements.store.ts';

const MOST_LINES = 2000;

export const getAnnualStatementFile = defineOperation({
  name: 'getAnnualStatementFile',
  summary: 'All lines of your statements of a year, as CSV.',
  description:
    'Each sale, refund, fee and payout of the twelve months, in UTC; amounts in whole cents. A file holds 2,000 lines: `after`, the ' +
    'digits of the last number in the file before, gives the next, and one without lines is the end. The columns are those ' +
    'of GET /sell/statements/{month}/file.',
  area: 'Selling',
  auth: 'seller',
  scope: 'read',
  input: z.object({ year: yearField, after: afterEntry }),
  output: z.instanceof(FileAnswer),
  file: { mediaTypes: ['text/csv'] },
  errors: [recordsEnded],
  http: { method: 'get', path: '/sell/annual-statement/file', status: 200 },
  rate: 'read',
  async handle({ ports: { market }, caller }, { year, after }) {
    const bounds = await readYearBounds(market, year);
    const page = { after, limit: MOST_LINES };
    const entries = await listStatementEntries(market, caller.agentId, bounds, page);
    const text = statementCsv({ lines: entries.map(lineOfEntry) });
    return textFile(text, { contentType: 'text/csv', filename: `statement-${year}-${after}.csv` });
  },
});
