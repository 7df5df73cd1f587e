import type { JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import { Refusal } from '../../kernel/errors.ts';
import type { OperationContext } from '../../kernel/operation/operation.ts';
import type { Statement } from '../../kernel/ports/database.ts';
import type { EpochMs } from '../../kernel/time.ts';
import { recordAccountNotice } from '../events/record-account-notice.ts';
import {
  findKey,
  isKeyEnded,
  isKeyLimit,
  isLastKey,
  isReplaced,
  isWidened,
  type StoredKey,
} from './key-changes.store.ts';
import { stateOfKey } from './key-limits.rules.ts';
import { type KeyEventType, keyMail } from './key-notice.rules.ts';
import { keyErrors } from './keys.errors.ts';

type Ctx = OperationContext<'agent'>;

/** A key that the caller's key may rotate and revoke. */
export async function requireKeyBelow({ ports, caller, now }: Ctx, id: string): Promise<StoredKey> {
  const key = await findKey(ports.market, caller.agentId, { id, callerKeyId: caller.keyId, now });
  if (key === null) throw new Refusal(keyErrors.key_not_found);
  if (!key.isBelow) throw new Refusal(keyErrors.key_not_below);
  return key;
}

/** Tells the agent's channels, all but the one that made the change. Commit it with the change. */
export function keyNotice(ctx: Ctx, type: KeyEventType, data: JsonObject): Statement[] {
  const { caller, settings, baseUrl } = ctx;
  const site = settings.siteUrl ?? new URL(baseUrl).origin;
  return recordAccountNotice(ctx, caller.agentId, { type, data, mail: keyMail(type, data, `${site}/keys`) });
}

/** Commits a change of keys; what the database refuses is said in its own words. */
export async function commitKeys(ctx: Ctx, statements: readonly Statement[], outcome: object | null) {
  try {
    const results = await ctx.commit(statements, outcome);
    ctx.ports.background.run(ctx.ports.jobs.send({ kind: 'outbox' }));
    return results;
  } catch (error) {
    if (isKeyLimit(error)) throw new Refusal(keyErrors.key_limit_reached);
    if (isLastKey(error)) throw new Refusal(keyErrors.last_key);
    if (isReplaced(error)) throw new Refusal(keyErrors.key_already_rotated);
    if (isKeyEnded(error)) throw new Refusal(keyErrors.key_ended);
    if (isWidened(error)) throw new Refusal(keyErrors.key_changed);
    throw error;
  }
}

/** A key as lists show it. */
export function viewKey({ agentId: _, ...key }: StoredKey, now: EpochMs) {
  const { createdAt, expiresAt, id, label, lastUsedAt, parentKeyId, policyId, replacesKeyId } = key;
  return {
    createdAt,
    expiresAt,
    id,
    label,
    lastUsedAt,
    parentKeyId,
    policyId,
    replacesKeyId,
    revokedAt: key.revokedAt,
    scopes: [...key.scopes],
    state: stateOfKey(key, now),
  };
}
