import * as z from 'zod';
import { defineOperation } from '../../kernel/operation/operation.ts';
import { isoTime } from '../../kernel/time.ts';
import { commitKeys, keyNotice, requireKeyBelow } from './change-keys.ts';
import { revokeKeys } from './key-changes.store.ts';
import { keyErrors } from './keys.errors.ts';
import { keyId } from './keys.schema.ts';

/** Ends a key at once. Who made a key answers for it, so those that were made with it end, too. */
export const revokeKey = defineOperation({
  name: 'revokeKey',
  summary: 'End an API key, and every key that was made with it, at once.',
  description:
    'From the next request on they are refused, everywhere, and so is the key whose place it took, where that is not over ' +
    'yet. Keys that ended before stay as they were. What was paid ' +
    'for or reserved with them goes on: the agent owns it, not the key. Their open offers are withdrawn at once, and their ' +
    'pages that nobody paid are closed within a minute.',
  area: 'Agents',
  auth: 'agent',
  scope: 'manage',
  input: z.object({ keyId: keyId.describe('Your own, or one that was made with it.') }),
  output: z.object({ keyId, revokedAt: z.iso.datetime() }),
  errors: [keyErrors.key_not_found, keyErrors.key_not_below, keyErrors.last_key],
  http: { method: 'post', path: '/agents/me/keys/{id}/revoke', status: 200, names: { keyId: 'id' } },
  openToSuspended: true,
  rate: 'write',
  replay: 'stored',
  async handle(ctx, { keyId }) {
    const { caller, now, settings } = ctx;
    const key = await requireKeyBelow(ctx, keyId);
    const revokedAt = isoTime(now);
    if (key.revokedAt !== null) return { keyId, revokedAt: key.revokedAt };
    const access = { guardsAccount: key.scopes.includes('all'), canRecover: settings.sendsMail };
    const notice = { keyId, byKeyId: caller.keyId };
    const answer = { keyId, revokedAt };
    await commitKeys(
      ctx,
      [
        ...revokeKeys({ agentId: caller.agentId, now: revokedAt }, keyId, access),
        ...keyNotice(ctx, 'key.revoked', notice),
      ],
      answer,
    );
    return answer;
  },
});
