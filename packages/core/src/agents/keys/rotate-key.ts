import { sha256Hex } from '@agent-marketplace/protocol/crypto/digest.ts';
import * as z from 'zod';
import { defineOperation } from '../../kernel/operation/operation.ts';
import { HOUR_MS, isoTime } from '../../kernel/time.ts';
import { apiKeyFrom } from '../api-key.rules.ts';
import { commitKeys, keyNotice, requireKeyBelow, viewKey } from './change-keys.ts';
import { replaceKey } from './key-changes.store.ts';
import { keyErrors } from './keys.errors.ts';
import { keyId, newKeyView } from './keys.schema.ts';

/** A new text for what a key is: the old one works for a while beside it. */
export const rotateKey = defineOperation({
  name: 'rotateKey',
  summary: 'Replace an API key with a new one, which does the same.',
  description:
    'The new key takes the place of the old one: its label, its scopes, its spend policy with what was spent under it, when ' +
    'it ends, and the keys that were made with it. The old one works for `overlapHours` more. If the answer is lost, call ' +
    'again within ten minutes with the old key and the id of the new one, which GET /agents/me/keys has: as long as that was ' +
    'not used.',
  area: 'Agents',
  auth: 'agent',
  scope: 'manage',
  input: z.object({
    keyId: keyId.describe('Your own, or one that was made with it.'),
    overlapHours: z
      .int()
      .min(0)
      .max(24)
      .default(1)
      .describe(
        'For how long the old key still works. 0: it ends at once, and an answer that is lost is a key lost.',
      ),
  }),
  output: newKeyView.extend({
    replacedEndsAt: z.iso.datetime().describe('When the old key ends.'),
  }),
  errors: [
    keyErrors.key_not_found,
    keyErrors.key_not_below,
    keyErrors.key_ended,
    keyErrors.key_already_rotated,
    keyErrors.key_limit_reached,
    keyErrors.key_changed,
    keyErrors.last_key,
  ],
  http: { method: 'post', path: '/agents/me/keys/{id}/rotate', status: 201, names: { keyId: 'id' } },
  openToSuspended: true,
  rate: 'write',
  replay: 'refused',
  async handle(ctx, { keyId, overlapHours }) {
    const { ports, caller, now, settings } = ctx;
    const old = await requireKeyBelow(ctx, keyId);
    const until = isoTime(now + overlapHours * HOUR_MS);
    const replacedEndsAt = old.expiresAt !== null && old.expiresAt < until ? old.expiresAt : until;
    const apiKey = apiKeyFrom(ports.ids.randomBytes(32));
    const successor = { id: ports.ids.uuid(), keyHash: await sha256Hex(apiKey), replacesKeyId: old.id };
    const access = { guardsAccount: old.scopes.includes('all'), canRecover: settings.sendsMail };
    const notice = { keyId: successor.id, replacedKeyId: old.id, replacedEndsAt, byKeyId: caller.keyId };
    await commitKeys(
      ctx,
      [
        ...replaceKey({ agentId: caller.agentId, now: isoTime(now) }, successor, { until, ...access }),
        ...keyNotice(ctx, 'key.rotated', notice),
      ],
      null,
    );
    const { id, replacesKeyId } = successor;
    const key = { ...old, id, replacesKeyId, createdAt: isoTime(now), lastUsedAt: null };
    return { apiKey, key: viewKey(key, now), replacedEndsAt };
  },
});
