import { and, eq, isNotNull, isNull, lt, or, sql } from 'drizzle-orm';
import { lineageOf } from '../../budgets/index.ts';
import { asBoolean, build, isOneOf } from '../../db/build.ts';
import { insertInto } from '../../db/insert-into.ts';
import { type Params, query, write } from '../../db/query.ts';
import { agentKeys } from '../../db/tables/agent-keys.ts';
import { agents } from '../../db/tables/agents.ts';
import type { KeyLookup } from '../../kernel/operation/operation.ts';
import type { Database, Statement } from '../../kernel/ports/database.ts';
import { type EpochMs, HOUR_MS, type IsoTime, isoTime } from '../../kernel/time.ts';
import { isSeller } from '../agents.store.ts';

export type NewKey = typeof agentKeys.$inferInsert;

/**
 * The scope of an agent's Idempotency-Keys. One that registered before keys had a table of their own keeps the hash of
 * its first key: under another scope, a request that is repeated across the deployment would act twice.
 */
export const IDEMPOTENCY_SCOPE = sql<string>`COALESCE(${agents.apiKeyHash}, ${agents.id})`;

const byHash = query((p: Params<{ hash: string }>) =>
  build
    .select({
      agentId: agents.id,
      isSeller,
      isSmokeTest: agents.isSmokeTest,
      isSuspended: asBoolean(isNotNull(agents.suspendedAt)),
      erasesAt: agents.erasesAt,
      keyId: agentKeys.id,
      scopes: agentKeys.scopes,
      policies: lineageOf(agentKeys.policyId),
      expiresAt: agentKeys.expiresAt,
      revokedAt: agentKeys.revokedAt,
      lastUsedAt: agentKeys.lastUsedAt,
      idempotencyScope: IDEMPOTENCY_SCOPE,
    })
    .from(agentKeys)
    .innerJoin(agents, eq(agents.id, agentKeys.agentId))
    .where(eq(agentKeys.keyHash, p.hash)),
);

/**
 * The key with this SHA-256, and whether its use is to be recorded. It is read anew for every request, so a revoked key
 * ends with the request that revokes it.
 */
export async function findByKeyHash(
  market: Database,
  hash: string,
  now: EpochMs,
): Promise<KeyLookup & { readonly isUseDue?: boolean }> {
  const row = await byHash.first(market, { hash });
  if (row === null) return { kind: 'unknown' };
  const { expiresAt, revokedAt, lastUsedAt, ...caller } = row;
  if (revokedAt !== null) return { kind: 'revoked' };
  if (expiresAt !== null && expiresAt <= isoTime(now)) return { kind: 'expired' };
  return { kind: 'valid', caller, isUseDue: lastUsedAt === null || lastUsedAt < isoTime(now - HOUR_MS) };
}

const markUsed = write((p: Params<{ ids: readonly string[]; at: IsoTime; before: IsoTime }>) =>
  build
    .update(agentKeys)
    .set({ lastUsedAt: p.at })
    .where(
      and(isOneOf(agentKeys.id, p.ids), or(isNull(agentKeys.lastUsedAt), lt(agentKeys.lastUsedAt, p.before))),
    ),
);

/** Records that keys were used. One that was recorded in the last hour stays as it is. */
export function recordKeyUses(keyIds: readonly string[], now: EpochMs): Statement {
  return markUsed({ ids: keyIds, at: isoTime(now), before: isoTime(now - HOUR_MS) });
}

export function insertKey(key: NewKey): Statement {
  return insertInto(agentKeys, key);
}
