import * as z from 'zod';
import { reasonField } from '../kernel/operation/audit-trail.ts';
import { defineOperation } from '../kernel/operation/operation.ts';
import { emptyIndex } from './search.store.ts';
import { countMarked, markAll } from './search-outbox.store.ts';

const output = z.object({
  emptied: z.boolean(),
  waiting: z.int().describe('How many listings will be indexed.'),
});

/** The search database is derived from the listings, so the operator can rebuild it at any time. */
export const rebuildSearchIndex = defineOperation({
  name: 'rebuildSearchIndex',
  summary: 'Rebuild the search index from the listings.',
  description:
    'For the operator. Browsing continues meanwhile. With `empty`, the index is emptied first and fills up again: use it ' +
    'for a lost search database, or after the listings were restored to an earlier state.',
  area: 'Meta',
  auth: 'operator',
  leastRole: 'admin',
  input: z.object({ empty: z.boolean().default(false), reason: reasonField.optional() }),
  output,
  errors: [],
  http: { method: 'post', path: '/admin/search-index/rebuild', status: 202 },
  rate: 'write',
  replay: 'stored',
  audit: ({ reason }) => ({ subject: { type: 'search_index', id: null }, reason }),
  async handle(ctx, { empty }) {
    const { market, search, background, jobs } = ctx.ports;
    // Emptied before the listings are marked: documents that a sweep writes in between must not be deleted after they
    // were recorded as indexed. If the second step fails, call it again.
    if (empty) await search.commit(emptyIndex());
    const answer = { emptied: empty, waiting: await countMarked(market) };
    await ctx.commit(markAll(), answer);
    background.run(jobs.send({ kind: 'outbox' }));
    return answer;
  },
});
