import { z } from 'zod';
import { defineOperation } from '../kernel/operation/operation.ts';
import { emptyIndex } from './search.store.ts';
import { countMarked, markAll } from './search-outbox.store.ts';

const output = z.object({
  emptied: z.boolean(),
  waiting: z.int().describe('How many listings are to be written.'),
});

/** For the operator: the search database is derived, and this writes all of it anew. */
export const rebuildSearchIndex = defineOperation({
  name: 'rebuildSearchIndex',
  summary: 'Write the search index anew from the listings.',
  description:
    'For the operator. Browsing goes on meanwhile. With `empty`, what the index holds is thrown away first, and browsing ' +
    'fills up again: that is for a database which was lost, or which knows of changes that the listings were set back behind.',
  area: 'Meta',
  auth: 'operator',
  input: z.object({ empty: z.boolean().default(false) }),
  output,
  errors: [],
  http: { method: 'post', path: '/admin/search-index/rebuild', status: 202 },
  rate: 'write',
  replay: 'stored',
  async handle(ctx, { empty }) {
    const { market, search, background, jobs } = ctx.ports;
    // Emptied before the listings are marked: what a sweep writes in between must not be thrown away as done. If the
    // second step fails, the whole is repeated.
    if (empty) await search.commit(emptyIndex());
    const answer = { emptied: empty, waiting: await countMarked(market) };
    await ctx.commit(markAll(), answer);
    background.run(jobs.send({ kind: 'outbox' }));
    return answer;
  },
});
