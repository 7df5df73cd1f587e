import { sql } from 'drizzle-orm';
import { insertInto, prepared } from '../db/statement.ts';
import { deliveryEndpoints } from '../db/tables/delivery.ts';
import { type Database, DatabaseError, type Statement } from '../kernel/ports/database.ts';
import type { IsoTime } from '../kernel/time.ts';
import type { CallbackType } from './delivery.rules.ts';
import { endpointKey } from './endpoint-key.rules.ts';

/** A seller's endpoint that has proven to listen; unverified ones are not kept. */
export interface VerifiedEndpoint {
  readonly sellerId: string;
  readonly callbackUrl: string;
  readonly callbackType: CallbackType;
  readonly verifiedAt: IsoTime;
}

const bySeller = prepared<{ sellerId: string }>(sql`SELECT seller_id AS sellerId, callback_url AS callbackUrl,
  callback_type AS callbackType, verified_at AS verifiedAt
  FROM ${deliveryEndpoints} WHERE seller_id = ${sql.placeholder('sellerId')}`);

export function getEndpoint(db: Database, sellerId: string): Promise<VerifiedEndpoint | null> {
  return db.first<VerifiedEndpoint>(bySeller({ sellerId }));
}

const byKey = prepared<{
  key: string;
  sellerId: string;
}>(sql`SELECT seller_id AS sellerId FROM ${deliveryEndpoints}
  WHERE callback_key = ${sql.placeholder('key')} AND seller_id <> ${sql.placeholder('sellerId')}`);

/** Whether another seller has verified this endpoint. */
export async function isEndpointTaken(
  db: Database,
  { sellerId, ...endpoint }: Pick<VerifiedEndpoint, 'sellerId' | 'callbackUrl' | 'callbackType'>,
): Promise<boolean> {
  const key = endpointKey(endpoint);
  return key !== null && (await db.first(byKey({ key, sellerId }))) !== null;
}

/** Whether saving an endpoint failed because another seller was faster to verify it. */
export function isEndpointConflict(error: unknown): boolean {
  return error instanceof DatabaseError && error.constraint.includes('callback_key');
}

/**
 * A seller has one endpoint: a newly verified one takes the place of the last. An endpoint has one seller: the
 * transaction aborts where another has it.
 */
export function saveVerifiedEndpoint(endpoint: VerifiedEndpoint): Statement {
  return insertInto(
    deliveryEndpoints,
    { ...endpoint, callbackKey: endpointKey(endpoint) },
    sql`ON CONFLICT (seller_id) DO UPDATE SET callback_url = excluded.callback_url,
      callback_type = excluded.callback_type, callback_key = excluded.callback_key, verified_at = excluded.verified_at`,
  );
}
