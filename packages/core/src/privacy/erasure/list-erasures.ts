import { z } from 'zod';
import { defineOperation } from '../../kernel/operation/operation.ts';
import { readErasures } from './erasures.store.ts';

const LIMIT = 1000;

export const listErasures = defineOperation({
  name: 'listErasures',
  summary: 'The accounts that were erased, as digests of their ids, newest first.',
  description:
    'For the operator. Kept apart from backups: after one is restored, POST /admin/erasures/replay erases again who was ' +
    'erased since. `before` is the `erasedAt` of the last one of the page before.',
  area: 'Meta',
  auth: 'operator',
  leastRole: 'viewer',
  input: z.object({ before: z.iso.datetime().max(30).optional() }),
  output: z.object({ erasures: z.array(z.object({ digest: z.string(), erasedAt: z.iso.datetime() })) }),
  errors: [],
  http: { method: 'get', path: '/admin/erasures', status: 200 },
  rate: 'read',
  async handle({ ports: { market } }, { before = '~' }) {
    const rows = await readErasures(market, before, LIMIT);
    return { erasures: rows.map(({ digest, erasedAt }) => ({ digest, erasedAt: erasedAt ?? '' })) };
  },
});
