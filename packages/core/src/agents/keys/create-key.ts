import { sha256Hex } from '@agent-marketplace/protocol/crypto/digest.ts';
import * as z from 'zod';
import {
  boundKeyErrors,
  insertPolicy,
  mergeLimits,
  NO_LIMITS,
  policyInput,
  requireSensible,
} from '../../budgets/index.ts';
import { commonErrors, Refusal } from '../../kernel/errors.ts';
import { defineOperation, type OperationContext } from '../../kernel/operation/operation.ts';
import type { Statement } from '../../kernel/ports/database.ts';
import { epochOf, isoTime } from '../../kernel/time.ts';
import { apiKeyFrom } from '../api-key.rules.ts';
import { commitKeys, keyNotice, requireKeyBelow, viewKey } from './change-keys.ts';
import { addKey, type StoredKey } from './key-changes.store.ts';
import { canonicalScopes, findWidening, type KeyLimits } from './key-limits.rules.ts';
import { keyErrors } from './keys.errors.ts';
import { keyLabel, keyScopes, newKeyView } from './keys.schema.ts';

/** Another API key of the agent, for less than the one that makes it, or as much. */
export const createKey = defineOperation({
  name: 'createKey',
  summary: 'Make another API key of your agent, for what you say.',
  description:
    'It may do no more than the key that you call with, lives no longer, and ends with it. It has no allowance of its own: ' +
    'what bounds what your key spends bounds it as well. Its text is in this answer only. Your callbackUrl and your ' +
    'e-mail address are told.',
  area: 'Agents',
  auth: 'agent',
  scope: 'manage',
  input: z.object({
    label: keyLabel,
    scopes: keyScopes,
    expiresAt: z.iso
      .datetime()
      .max(40)
      .optional()
      .describe('When it ends. Left out: with the key that you call with.'),
    policy: policyInput
      .optional()
      .describe(
        'What it may spend, from its first moment on; below the policy of your key, if that has one.',
      ),
  }),
  output: newKeyView,
  errors: [
    keyErrors.key_would_widen,
    keyErrors.key_limit_reached,
    keyErrors.key_changed,
    boundKeyErrors.policy_too_deep,
  ],
  http: { method: 'post', path: '/agents/me/keys', status: 201 },
  rate: 'write',
  replay: 'refused',
  async handle(ctx, { label, scopes, expiresAt, policy }) {
    const parent = await requireKeyBelow(ctx, ctx.caller.keyId);
    const wish = { scopes: canonicalScopes(scopes), expiresAt: expiryOf(ctx, expiresAt, parent) };
    const widening = findWidening(parent, wish);
    if (widening !== null)
      throw new Refusal(keyErrors.key_would_widen, {
        fields: [{ path: widening, message: 'More than the key that you call with has.' }],
      });
    // The policy of the key that makes it bounds this one too: a new key is no new allowance.
    const mint = { label, ...wish, parentKeyId: parent.id, policyId: parent.policyId };
    if (policy === undefined) return mintKey(ctx, mint, []);
    const limits = mergeLimits(NO_LIMITS, policy);
    await requireSensible(ctx.ports.market, limits, ctx.caller.policies, 'policy.');
    const [policyId, at] = [ctx.ports.ids.uuid(), isoTime(ctx.now)];
    const row = { id: policyId, agentId: ctx.caller.agentId, parentId: parent.policyId };
    const bound = insertPolicy({ ...limits, ...row, createdAt: at, changedAt: at });
    return mintKey(ctx, { ...mint, policyId }, [bound]);
  },
});

function expiryOf({ now }: OperationContext, wish: string | undefined, parent: KeyLimits): string | null {
  if (wish === undefined) return parent.expiresAt;
  const expiresAt = isoTime(epochOf(wish));
  if (expiresAt > isoTime(now)) return expiresAt;
  throw new Refusal(commonErrors.validation_failed, {
    fields: [{ path: 'expiresAt', message: 'It lies in the past.' }],
  });
}

type Mint = Pick<StoredKey, 'label' | 'scopes' | 'expiresAt' | 'parentKeyId' | 'policyId'>;

async function mintKey(ctx: OperationContext<'agent'>, mint: Mint, first: readonly Statement[]) {
  const { ports, caller, now } = ctx;
  const apiKey = apiKeyFrom(ports.ids.randomBytes(32));
  const key: StoredKey = {
    id: ports.ids.uuid(),
    agentId: caller.agentId,
    replacesKeyId: null,
    createdAt: isoTime(now),
    revokedAt: null,
    lastUsedAt: null,
    ...mint,
  };
  const { id: keyId, scopes, expiresAt } = key;
  const data = { keyId, scopes: [...scopes], expiresAt, byKeyId: caller.keyId };
  await commitKeys(
    ctx,
    [
      ...first,
      ...addKey({ ...key, keyHash: await sha256Hex(apiKey) }),
      ...keyNotice(ctx, 'key.created', data),
    ],
    null,
  );
  return { apiKey, key: viewKey(key, now) };
}
