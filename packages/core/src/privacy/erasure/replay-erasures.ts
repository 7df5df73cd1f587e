import * as z from 'zod';
import { Refusal } from '../../kernel/errors.ts';
import { id } from '../../kernel/id.ts';
import { defineOperation } from '../../kernel/operation/operation.ts';
import type { ErasureList } from '../../kernel/ports/attachment-store.ts';
import { isoTime } from '../../kernel/time.ts';
import { erasureErrors } from './erasure.errors.ts';
import { erasureDigest } from './erasure-digest.ts';
import { readAccounts, repeatErasure } from './erasures.store.ts';

/** Each costs a keyed hash: few enough for one request. */
const ACCOUNTS_AT_ONCE = 500;

export const replayErasures = defineOperation({
  name: 'replayErasures',
  summary: 'Erase again who was erased before a backup was restored.',
  description:
    'For the operator. Compares accounts, page by page, with the list of erasures that the jobs keep in the object store, or with ' +
    '`digests` of GET /admin/erasures as they were kept elsewhere: ' +
    'repeat it with `nextAfter` until that is null. Accounts that are found are due at once; the jobs erase them within ' +
    'minutes. Doing it again changes nothing.',
  area: 'Meta',
  auth: 'operator',
  leastRole: 'admin',
  input: z.object({
    digests: z
      .array(z.string().regex(/^[0-9a-f]{64}$/))
      .min(1)
      .max(10_000)
      .optional()
      .describe('Instead of the list in the object store.'),
    after: id.optional().describe('`nextAfter` of the call before.'),
  }),
  output: z.object({
    found: z.int().describe('Accounts of this page that are erased again.'),
    nextAfter: z.uuid().nullable().describe('Null: all accounts were looked at.'),
  }),
  errors: [erasureErrors.erasure_list_unavailable],
  http: { method: 'post', path: '/admin/erasures/replay', status: 200 },
  rate: 'write',
  replay: 'stored',
  audit: () => ({ subject: { type: 'erasures', id: null } }),
  async handle(ctx, { digests, after = '' }) {
    const { ports, now } = ctx;
    const listed = digests ? new Set(digests) : await readList(ports.erasureList);
    if (listed === null) throw new Refusal(erasureErrors.erasure_list_unavailable);
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

/** Null: there is none, or it cannot be read. */
async function readList(list: ErasureList | null): Promise<ReadonlySet<string> | null> {
  const digests = new Set<string>();
  if (list === null) return null;
  for (let after = ''; ; ) {
    const page = await list.list(after);
    if (page === null) return null;
    for (const digest of page) digests.add(digest);
    const last = page.at(-1);
    if (last === undefined) return digests;
    after = last;
  }
}
