import { canonicalJson } from '@agent-marketplace/protocol/json/canonical-json.ts';
import type { Json } from '@agent-marketplace/protocol/json/json.ts';
import { and, eq, isNull, lte, sql } from 'drizzle-orm';
import type { ClaimResult, IdempotencyClaim, IdempotencyRecords } from '../kernel/operation/idempotency.ts';
import type { Database } from '../kernel/ports/database.ts';
import { DAY_MS, type EpochMs, type IsoTime, isoTime, MINUTE_MS } from '../kernel/time.ts';
import { build, excluded } from './build.ts';
import { isGuard } from './constraint.ts';
import { guardOneChange } from './guard.ts';
import { type Params, query, write } from './query.ts';
import { idempotencyKeys } from './tables/idempotency.ts';

/** Longer than the slowest operation: a delivery may take 30 s. */
const CLAIM_MS = MINUTE_MS;
const KEPT_MS = DAY_MS;

interface Claiming extends Omit<typeof idempotencyKeys.$inferSelect, 'outcome'> {
  readonly now: IsoTime;
}

/** A free, expired or abandoned key is claimed; a live one stays as it is. */
const claimKey = write((p: Params<Claiming>) =>
  build
    .insert(idempotencyKeys)
    .values({
      scope: p.scope,
      key: p.key,
      requestDigest: p.requestDigest,
      token: p.token,
      outcome: null,
      claimedUntil: p.claimedUntil,
      expiresAt: p.expiresAt,
    })
    .onConflictDoUpdate({
      target: [idempotencyKeys.scope, idempotencyKeys.key],
      set: {
        ...excluded(idempotencyKeys, 'requestDigest', 'token', 'claimedUntil', 'expiresAt'),
        outcome: null,
      },
      setWhere: sql`${idempotencyKeys.expiresAt} <= ${p.now}
        OR (${idempotencyKeys.outcome} IS NULL AND ${idempotencyKeys.claimedUntil} <= ${p.now}
          AND ${idempotencyKeys.requestDigest} = excluded.request_digest)`,
    }),
);

interface KeyOfCaller {
  readonly scope: string;
  readonly key: string;
}

const isKey = (p: Params<KeyOfCaller>) =>
  and(eq(idempotencyKeys.scope, p.scope), eq(idempotencyKeys.key, p.key));

const byKey = query((p: Params<KeyOfCaller>) =>
  build
    .select({
      token: idempotencyKeys.token,
      requestDigest: idempotencyKeys.requestDigest,
      outcome: idempotencyKeys.outcome,
    })
    .from(idempotencyKeys)
    .where(isKey(p)),
);

const saveOutcome = write((p: Params<IdempotencyClaim & { outcome: string; expiresAt: IsoTime }>) =>
  build
    .update(idempotencyKeys)
    .set({ outcome: p.outcome, expiresAt: p.expiresAt })
    .where(and(isKey(p), eq(idempotencyKeys.token, p.token))),
);

const releaseKey = write((p: Params<IdempotencyClaim>) =>
  build
    .delete(idempotencyKeys)
    .where(and(isKey(p), eq(idempotencyKeys.token, p.token), isNull(idempotencyKeys.outcome))),
);

const deleteExpired = write((p: Params<{ now: IsoTime }>) =>
  build.delete(idempotencyKeys).where(lte(idempotencyKeys.expiresAt, p.now)),
);

const CLAIM_HELD = 'idempotency_claim_held';

/** Whether somebody else took the key over, so that nothing was written. */
export function isClaimLost(error: unknown): boolean {
  return isGuard(error, CLAIM_HELD);
}

/** Idempotency keys in the market database, so that an outcome commits with what it describes. */
export function createIdempotencyRecords(db: Database): IdempotencyRecords {
  return {
    async claim({ scope, key, requestDigest, token }, now): Promise<ClaimResult> {
      const claimedUntil = isoTime(now + CLAIM_MS);
      const expiresAt = isoTime(now + KEPT_MS);
      const [, rows] = await db.commit([
        claimKey({ scope, key, requestDigest, token, claimedUntil, expiresAt, now: isoTime(now) }),
        byKey.statement({ scope, key }),
      ]);
      const [row] = byKey.rows(rows);
      if (!row) throw new Error('The key was written in the same transaction.');
      if (row.token === token) return { kind: 'claimed', claim: { scope, key, token } };
      if (row.requestDigest !== requestDigest) return { kind: 'other_request' };
      if (row.outcome === null) return { kind: 'in_flight' };
      return { kind: 'done', outcome: JSON.parse(row.outcome) as Json };
    },

    completion: (claim, outcome, now) => [
      saveOutcome({ ...claim, outcome: canonicalJson(outcome), expiresAt: isoTime(now + KEPT_MS) }),
      guardOneChange(CLAIM_HELD),
    ],

    async release(claim) {
      await db.commit([releaseKey(claim)]);
    },
  };
}

/** Deletes the keys whose day is over. */
export async function deleteExpiredIdempotencyKeys(db: Database, now: EpochMs): Promise<void> {
  await db.commit([deleteExpired({ now: isoTime(now) })]);
}
