import { sql } from 'drizzle-orm';
import { canonicalJson } from '../kernel/json/canonical-json.ts';
import type { Json } from '../kernel/json/json.ts';
import type { ClaimResult, IdempotencyClaim, IdempotencyRecords } from '../kernel/operation/idempotency.ts';
import type { Database } from '../kernel/ports/database.ts';
import { DAY_MS, type EpochMs, isoTime, MINUTE_MS } from '../kernel/time.ts';
import { guardOneChange } from './guard.ts';
import { statement } from './statement.ts';
import { idempotencyKeys } from './tables/idempotency.ts';

/** Longer than the slowest operation: a delivery may take 30 s. */
const CLAIM_MS = MINUTE_MS;
const KEPT_MS = DAY_MS;

interface Row {
  token: string;
  requestDigest: string;
  outcome: string | null;
}

/** Idempotency keys in the market database, so that an outcome commits with what it describes. */
export function createIdempotencyRecords(db: Database): IdempotencyRecords {
  return {
    async claim({ scope, key, requestDigest, token }, now): Promise<ClaimResult> {
      const [, rows] = await db.commit([
        // A free, expired or abandoned key becomes ours; a live one stays as it is.
        statement(sql`INSERT INTO ${idempotencyKeys}
          (scope, key, request_digest, token, outcome, claimed_until, expires_at)
          VALUES (${scope}, ${key}, ${requestDigest}, ${token}, NULL, ${isoTime(now + CLAIM_MS)}, ${isoTime(now + KEPT_MS)})
          ON CONFLICT (scope, key) DO UPDATE SET request_digest = excluded.request_digest,
            token = excluded.token, outcome = NULL, claimed_until = excluded.claimed_until,
            expires_at = excluded.expires_at
          WHERE expires_at <= ${isoTime(now)}
            OR (outcome IS NULL AND claimed_until <= ${isoTime(now)} AND request_digest = excluded.request_digest)`),
        statement(sql`SELECT token, request_digest AS requestDigest, outcome FROM ${idempotencyKeys}
          WHERE scope = ${scope} AND key = ${key}`),
      ]);
      const row = rows?.[0] as Row;
      if (row.token === token) return { kind: 'claimed', claim: { scope, key, token } };
      if (row.requestDigest !== requestDigest) return { kind: 'other_request' };
      if (row.outcome === null) return { kind: 'in_flight' };
      return { kind: 'done', outcome: JSON.parse(row.outcome) as Json };
    },

    completion: ({ scope, key, token }: IdempotencyClaim, outcome: object | null, now: EpochMs) => [
      statement(sql`UPDATE ${idempotencyKeys}
        SET outcome = ${canonicalJson(outcome)}, expires_at = ${isoTime(now + KEPT_MS)}
        WHERE scope = ${scope} AND key = ${key} AND token = ${token}`),
      guardOneChange('idempotency_claim_held'),
    ],

    async release({ scope, key, token }) {
      await db.commit([
        statement(sql`DELETE FROM ${idempotencyKeys}
          WHERE scope = ${scope} AND key = ${key} AND token = ${token} AND outcome IS NULL`),
      ]);
    },
  };
}

/** Forgets the keys whose day is over. */
export async function deleteExpiredIdempotencyKeys(db: Database, now: EpochMs): Promise<void> {
  await db.commit([statement(sql`DELETE FROM ${idempotencyKeys} WHERE expires_at <= ${isoTime(now)}`)]);
}
