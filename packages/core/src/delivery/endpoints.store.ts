import { and, eq, ne } from 'drizzle-orm';
import { build, excluded } from '../db/build.ts';
import { isConflict } from '../db/constraint.ts';
import { type Params, query, toStatement } from '../db/query.ts';
import { deliveryEndpoints } from '../db/tables/delivery.ts';
import type { Database, Statement } from '../kernel/ports/database.ts';
import { endpointKey } from './endpoint-key.rules.ts';

/** A seller's endpoint that has proven to listen; unverified ones are not kept. */
export type VerifiedEndpoint = Readonly<
  Pick<typeof deliveryEndpoints.$inferSelect, 'sellerId' | 'callbackUrl' | 'callbackType' | 'verifiedAt'>
>;

const bySeller = query((p: Params<{ sellerId: string }>) =>
  build
    .select({
      sellerId: deliveryEndpoints.sellerId,
      callbackUrl: deliveryEndpoints.callbackUrl,
      callbackType: deliveryEndpoints.callbackType,
      verifiedAt: deliveryEndpoints.verifiedAt,
    })
    .from(deliveryEndpoints)
    .where(eq(deliveryEndpoints.sellerId, p.sellerId)),
);

const ofOtherSeller = query((p: Params<{ key: string; sellerId: string }>) =>
  build
    .select({ sellerId: deliveryEndpoints.sellerId })
    .from(deliveryEndpoints)
    .where(and(eq(deliveryEndpoints.callbackKey, p.key), ne(deliveryEndpoints.sellerId, p.sellerId))),
);

export function findEndpoint(db: Database, sellerId: string): Promise<VerifiedEndpoint | null> {
  return bySeller.first(db, { sellerId });
}

/** Whether another seller has verified this endpoint. */
export async function isEndpointTaken(
  db: Database,
  { sellerId, ...endpoint }: Pick<VerifiedEndpoint, 'sellerId' | 'callbackUrl' | 'callbackType'>,
): Promise<boolean> {
  const key = endpointKey(endpoint);
  return key !== null && (await ofOtherSeller.first(db, { key, sellerId })) !== null;
}

/** Whether saving an endpoint failed because another seller verified it first. */
export function isEndpointConflict(error: unknown): boolean {
  return isConflict(error, deliveryEndpoints.callbackKey);
}

/**
 * A seller has one endpoint: a newly verified one replaces the last. An endpoint has one seller: the transaction
 * aborts where another seller has it.
 */
export function saveVerifiedEndpoint(endpoint: VerifiedEndpoint): Statement {
  return toStatement(
    build
      .insert(deliveryEndpoints)
      .values({ ...endpoint, callbackKey: endpointKey(endpoint) })
      .onConflictDoUpdate({
        target: deliveryEndpoints.sellerId,
        set: excluded(deliveryEndpoints, 'callbackUrl', 'callbackType', 'callbackKey', 'verifiedAt'),
      }),
  );
}
