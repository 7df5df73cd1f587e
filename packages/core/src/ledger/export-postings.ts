import * as z from 'zod';
import { Refusal } from '../kernel/errors.ts';
import { defineOperation, FileAnswer } from '../kernel/operation/operation.ts';
import { textFile } from '../kernel/operation/text-file.ts';
import { isMonth } from './period.rules.ts';
import { periodErrors } from './periods.errors.ts';
import { afterEntry, monthField } from './periods.schema.ts';
import { readMonthBounds } from './periods.store.ts';
import { postingsBeancount, postingsCsv } from './postings-file.rules.ts';
import { listEntries, type PostedEntry } from './postings-file.store.ts';
import { requireHeld } from './require-held.ts';

const MOST_ENTRIES = 5000;

/** For the operator: the ledger for an accounting program. */
export const exportPostings = defineOperation({
  name: 'exportPostings',
  summary: 'The postings of a month as CSV, or as text for beancount.',
  description:
    'For the operator. A file holds whole postings, about 5,000 entries of them; `after`, the last entry of the file before, gives the next. ' +
    'A file without entries is the end.',
  area: 'Purchasing',
  auth: 'operator',
  leastRole: 'viewer',
  input: z.object({
    month: monthField,
    format: z.enum(['csv', 'beancount']).default('csv'),
    after: afterEntry.describe('The last `entry_id` of the file before.'),
  }),
  output: z.instanceof(FileAnswer),
  file: { mediaTypes: ['text/csv', 'text/plain'] },
  errors: [periodErrors.period_not_found, periodErrors.records_ended],
  http: { method: 'get', path: '/admin/periods/{month}/postings', status: 200 },
  rate: 'read',
  async handle({ ports: { market } }, { month, format, after }) {
    if (!isMonth(month)) throw new Refusal(periodErrors.period_not_found);
    await requireHeld(market, month);
    const bounds = await readMonthBounds(market, month);
    const afterEntryId = Math.max(after, bounds.afterEntryId);
    const entries = wholePostings(await listEntries(market, { ...bounds, afterEntryId }, MOST_ENTRIES));
    const text = format === 'csv' ? postingsCsv(entries) : postingsBeancount(entries);
    const [contentType, ending] = format === 'csv' ? ['text/csv', 'csv'] : ['text/plain', 'beancount'];
    return textFile(text, { contentType, filename: `postings-${month}-${afterEntryId}.${ending}` });
  },
});

/** A full file may end within a posting: that one begins the next file. */
function wholePostings(entries: readonly PostedEntry[]): readonly PostedEntry[] {
  if (entries.length < MOST_ENTRIES) return entries;
  const last = entries.at(-1)?.postingId;
  return entries.filter(({ postingId }) => postingId !== last);
}
