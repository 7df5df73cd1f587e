import { sql } from 'drizzle-orm';
import { insertInto, prepared } from '../db/statement.ts';
import { deliveryEndpoints } from '../db/tables/delivery.ts';
import type { Database, Statement } from '../kernel/ports.ts';
import type { IsoTime } from '../kernel/time.ts';
import type { CallbackType } from './delivery.rules.ts';

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

/** A seller has one endpoint: a newly verified one takes the place of the last. */
export function saveVerifiedEndpoint(endpoint: VerifiedEndpoint): Statement {
  return insertInto(
    deliveryEndpoints,
    endpoint,
    sql`ON CONFLICT (seller_id) DO UPDATE SET callback_url = excluded.callback_url,
      callback_type = excluded.callback_type, verified_at = excluded.verified_at`,
  );
}
