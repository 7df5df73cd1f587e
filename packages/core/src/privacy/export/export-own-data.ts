import * as z from 'zod';
import { defineOperation } from '../../kernel/operation/operation.ts';
import { pageLimit } from '../../kernel/page-fields.ts';
import { isoTime } from '../../kernel/time.ts';
import { readHeldRows } from '../held/held-rows.store.ts';

const CURSOR = /^\d{1,3}\.\d{1,9}$/;

function positionOf(cursor: string | undefined) {
  const [part = 0, offset = 0] = (cursor ?? '0.0').split('.').map(Number);
  return { part, offset };
}

/** Everything that is held about the caller, from the map that the retention table is made of. */
export const exportOwnData = defineOperation({
  name: 'exportOwnData',
  summary: 'Everything that is held about you.',
  description:
    'Rows of the tables of docs/held-data.md, as they are: your account, keys without their secrets, purchases, sales, ' +
    'ratings, messages, events, mail, consents, money. What is another person’s in a row is left out, and deliverables ' +
    'are never held. `nextCursor` is the `cursor` of the next page. Needs a key with the scope `all` and no budget.',
  area: 'Agents',
  auth: 'agent',
  // No scope is enough: it shows the owner's address and mail, which a key with limits is not to know.
  scope: [],
  input: z.object({
    cursor: z.string().max(13).regex(CURSOR).optional().describe('`nextCursor` of the page before.'),
    limit: pageLimit(200, 100),
  }),
  output: z.object({
    agentId: z.uuid(),
    exportedAt: z.iso.datetime(),
    limit: z.int(),
    nextCursor: z.string().nullable().describe('Null on the last page.'),
    records: z.array(
      z.object({
        role: z.string().describe('What you are in it: self, buyer, seller, sender, recipient, inquirer.'),
        table: z.string(),
        values: z.record(z.string(), z.union([z.string(), z.number(), z.null()])),
      }),
    ),
  }),
  errors: [],
  http: { method: 'get', path: '/agents/me/export', status: 200 },
  rate: 'read',
  async handle({ ports, caller, now }, { cursor, limit }) {
    const { agentId } = caller;
    const { rows, next } = await readHeldRows(ports.market, agentId, positionOf(cursor), limit);
    return {
      agentId,
      exportedAt: isoTime(now),
      limit,
      nextCursor: next && `${next.part}.${next.offset}`,
      records: rows.map(({ part, row }) => ({ role: part.role, table: part.table, values: row })),
    };
  },
});
