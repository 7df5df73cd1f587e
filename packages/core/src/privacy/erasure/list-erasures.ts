import * as z from 'zod';
import { defineOperation } from '../../kernel/operation/operation.ts';
import { blockerView } from './erasure.schema.ts';
import { readErasures, readPostponed } from './erasures.store.ts';
import { readErasureTerms } from './read-erasure-terms.ts';

const LIMIT = 1000;
/** What each waits for is looked up. */
const POSTPONED_LIMIT = 20;

export const listErasures = defineOperation({
  name: 'listErasures',
  summary: 'The accounts that were erased, as digests of their ids, newest first.',
  description:
    'For the operator. Kept apart from backups: after one is restored, POST /admin/erasures/replay erases again who was ' +
    'erased since. `before` is the `erasedAt` of the last one of the page before. `postponed`: accounts whose erasure waits for ' +
    'something that has to end first, 20 at most.',
  area: 'Meta',
  auth: 'operator',
  leastRole: 'viewer',
  input: z.object({ before: z.iso.datetime().max(30).optional() }),
  output: z.object({
    erasures: z.array(z.object({ digest: z.string(), erasedAt: z.iso.datetime() })),
    postponed: z.array(
      z.object({
        agentId: z.uuid(),
        blockers: z.array(blockerView),
        nextTryAt: z.iso.datetime(),
        postponements: z.int(),
        requestedAt: z.iso.datetime(),
      }),
    ),
  }),
  errors: [],
  http: { method: 'get', path: '/admin/erasures', status: 200 },
  rate: 'read',
  async handle({ ports }, { before = '~' }) {
    const [rows, waiting] = await Promise.all([
      readErasures(ports.market, before, LIMIT),
      readPostponed(ports.market, POSTPONED_LIMIT),
    ]);
    const postponed = await Promise.all(
      waiting.map(async ({ agentId, dueAt, givesUpBalance, postponements, requestedAt }) => {
        const { blockers } = await readErasureTerms(ports, agentId, { givesUpBalance });
        return { agentId, blockers: [...blockers], nextTryAt: dueAt, postponements, requestedAt };
      }),
    );
    return {
      erasures: rows.map(({ digest, erasedAt }) => ({ digest, erasedAt: erasedAt ?? '' })),
      postponed,
    };
  },
});
