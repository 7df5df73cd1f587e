import { z } from 'zod';
import { id } from '../../kernel/id.ts';
import { defineOperation } from '../../kernel/operation/operation.ts';
import { isoTime } from '../../kernel/time.ts';
import { erasureDigest } from './erasure-digest.ts';
import { readAccounts, repeatErasure } from './erasures.store.ts';

/** Each costs a keyed hash: few enough for one request. */
const ACCOUNTS_AT_ONCE = 500;

export const replayErasures = defineOperation({
  name: 'replayErasures',
  summary: 'Erase again who was erased before a backup was restored.',
  description:
    'For the operator. Takes the digests of GET /admin/erasures as they were kept, and looks through accounts page by page: ' +
    'repeat it with `nextAfter` until that is null. Accounts that are found are due at once; the jobs erase them within ' +
    'minutes. Doing it again changes nothing.',
  area: 'Meta',
  auth: 'operator',
  leastRole: 'admin',
  input: z.object({
    digests: z
      .array(z.string().regex(/^[0-9a-f]{64}$/))
      .min(1)
      .max(10_000),
    after: id.optional().describe('`nextAfter` of the call before.'),
  }),
  output: z.object({
    found: z.int().describe('Accounts of this page that are erased again.'),
    nextAfter: z.uuid().nullable().describe('Null: all accounts were looked at.'),
  }),
  errors: [],
  http: { method: 'post', path: '/admin/erasures/replay', status: 200 },
  rate: 'write',
  replay: 'stored',
  audit: () => ({ subject: { type: 'erasures', id: null } }),
  async handle(ctx, { digests, after = '' }) {
    const { ports, now } = ctx;
    const listed = new Set(digests);
    const accounts = await readAccounts(ports.market, after, ACCOUNTS_AT_ONCE);
    const hashed = await Promise.all(
      accounts.map(async (agentId) => ({
        agentId,
        digest: await erasureDigest(agentId),
      })),
    );
    const found = hashed.filter(({ digest }) => listed.has(digest));
    const last = accounts.at(-1) ?? null;
    const answer = { found: found.length, nextAfter: accounts.length < ACCOUNTS_AT_ONCE ? null : last };
    const at = isoTime(now);
    await ctx.commit(
      found.map(({ agentId, digest }) => repeatErasure(agentId, digest, at)),
      answer,
    );
    return answer;
  },
});
