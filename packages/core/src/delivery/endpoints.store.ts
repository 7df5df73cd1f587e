import { and, asc, eq, exists, ne, notExists, or, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { build, excluded, isOneOf } from '../db/build.ts';
import { isGuard } from '../db/constraint.ts';
import { guardOneChange } from '../db/guard.ts';
import { insertFrom, insertWhere } from '../db/insert-from.ts';
import { type Params, query, write } from '../db/query.ts';
import { deliveryEndpoints } from '../db/tables/delivery.ts';
import { guards } from '../db/tables/idempotency.ts';
import type { Database, Statement } from '../kernel/ports/database.ts';
import { endpointKey } from './endpoint-key.rules.ts';
import { afterAnswer } from './probes/probes.rules.ts';

type EndpointRow = typeof deliveryEndpoints.$inferSelect;

/** A seller's endpoint that has proven to listen; unverified ones are not kept. */
export type VerifiedEndpoint = Readonly<
  Pick<EndpointRow, 'sellerId' | 'callbackUrl' | 'callbackType' | 'verifiedAt'>
>;

/** With what is known of whether it answers. */
export type EndpointStanding = VerifiedEndpoint &
  Readonly<Pick<EndpointRow, 'probeAt' | 'silentSince' | 'unreachableSince'>>;

/** As a condition: the seller has one. It goes with an erased account. */
export const hasEndpoint = (sellerId: SQLWrapper): SQL =>
  exists(
    build
      .select({ sellerId: deliveryEndpoints.sellerId })
      .from(deliveryEndpoints)
      .where(eq(deliveryEndpoints.sellerId, sellerId)),
  );

const bySeller = query((p: Params<{ sellerId: string }>) =>
  build
    .select({
      sellerId: deliveryEndpoints.sellerId,
      callbackUrl: deliveryEndpoints.callbackUrl,
      callbackType: deliveryEndpoints.callbackType,
      verifiedAt: deliveryEndpoints.verifiedAt,
      probeAt: deliveryEndpoints.probeAt,
      silentSince: deliveryEndpoints.silentSince,
      unreachableSince: deliveryEndpoints.unreachableSince,
    })
    .from(deliveryEndpoints)
    .where(eq(deliveryEndpoints.sellerId, p.sellerId)),
);

const ofOtherSellers = query((p: Params<{ key: string; sellerId: string }>) =>
  build
    .select({ sellerId: deliveryEndpoints.sellerId, namesSeller: deliveryEndpoints.namesSeller })
    .from(deliveryEndpoints)
    .where(and(eq(deliveryEndpoints.callbackKey, p.key), ne(deliveryEndpoints.sellerId, p.sellerId))),
);

const firstOnHost = query((p: Params<{ host: string }>) =>
  build
    .select({ sellerId: deliveryEndpoints.sellerId })
    .from(deliveryEndpoints)
    .where(eq(deliveryEndpoints.callbackHost, p.host))
    .orderBy(asc(deliveryEndpoints.verifiedAt), asc(deliveryEndpoints.sellerId))
    .limit(1),
);

export function findEndpoint(db: Database, sellerId: string): Promise<EndpointStanding | null> {
  return bySeller.first(db, { sellerId });
}

type Address = Pick<VerifiedEndpoint, 'sellerId' | 'callbackUrl' | 'callbackType'>;

/** Other sellers whose verified URL is this one but for query, trailing slashes and case. */
export async function findRivals(
  db: Database,
  { sellerId, ...address }: Address,
): Promise<Pick<EndpointRow, 'sellerId' | 'namesSeller'>[]> {
  const key = endpointKey(address);
  return key === null ? [] : ofOtherSellers.all(db, { key: key.url, sellerId });
}

/** The seller whose endpoint on this host was verified first; null where there is none. */
export async function findFirstOnHost(
  db: Database,
  address: Omit<Address, 'sellerId'>,
): Promise<{ readonly sellerId: string; readonly host: string } | null> {
  const key = endpointKey(address);
  const found = key && (await firstOnHost.first(db, { host: key.host }));
  return key && found && { ...found, host: key.host };
}

const ENDPOINT_FREE = 'endpoint_free';
const ENDPOINT_FIRST = 'endpoint_first';

/** Whether another seller verified the URL first. */
export const isEndpointConflict = (error: unknown): boolean => isGuard(error, ENDPOINT_FREE);
/** Whether the seller has another endpoint already, which `requireFirstEndpoint` forbids. */
export const isEndpointSet = (error: unknown): boolean => isGuard(error, ENDPOINT_FIRST);

/** Without a proof that names its seller, the URL must be nobody else's; with it, nobody's who has no such proof. */
const save = write(
  (p: Params<Omit<EndpointRow, 'silentSince' | 'failedProbes' | 'unreachableSince' | 'recoveredAt'>>) => {
    const rival = build
      .select({ sellerId: deliveryEndpoints.sellerId })
      .from(deliveryEndpoints)
      .where(
        and(
          eq(deliveryEndpoints.callbackKey, p.callbackKey),
          ne(deliveryEndpoints.sellerId, p.sellerId),
          or(eq(deliveryEndpoints.namesSeller, false), sql`${p.namesSeller} = 0`),
        ),
      );
    const { sellerId, ...verified } = {
      sellerId: p.sellerId,
      callbackUrl: p.callbackUrl,
      callbackType: p.callbackType,
      callbackKey: p.callbackKey,
      callbackHost: p.callbackHost,
      namesSeller: p.namesSeller,
      mcpRevision: p.mcpRevision,
      verifiedAt: p.verifiedAt,
      probeAt: p.probeAt,
    };
    const recovered = { silentSince: null, failedProbes: 0, unreachableSince: null, recoveredAt: null };
    const fields = Object.keys(verified) as (keyof typeof verified)[];
    return insertWhere(deliveryEndpoints, { sellerId, ...verified }, notExists(rival)).onConflictDoUpdate({
      target: deliveryEndpoints.sellerId,
      set: { ...excluded(deliveryEndpoints, ...fields), ...recovered },
    });
  },
);

/** A seller has one endpoint: a newly verified one replaces the last. Aborts where another seller has the URL. */
export function saveVerifiedEndpoint(
  endpoint: VerifiedEndpoint & Pick<EndpointRow, 'namesSeller' | 'mcpRevision'>,
): Statement[] {
  const key = endpointKey(endpoint);
  const probeAt = afterAnswer(endpoint.verifiedAt);
  return [
    save({ ...endpoint, callbackKey: key?.url ?? null, callbackHost: key?.host ?? null, probeAt }),
    guardOneChange(ENDPOINT_FREE),
  ];
}

const requireFirst = write((p: Params<Address>) =>
  insertFrom(guards, { name: ENDPOINT_FIRST }, (select) =>
    select
      .from(deliveryEndpoints)
      .where(
        and(
          eq(deliveryEndpoints.sellerId, p.sellerId),
          or(
            ne(deliveryEndpoints.callbackUrl, p.callbackUrl),
            ne(deliveryEndpoints.callbackType, p.callbackType),
          ),
        ),
      ),
  ),
);

/** Aborts where the seller has another endpoint than this. */
export function requireFirstEndpoint({ sellerId, callbackUrl, callbackType }: Address): Statement {
  return requireFirst({ sellerId, callbackUrl, callbackType });
}

const remove = write((p: Params<{ sellerIds: readonly string[]; key: string }>) =>
  build
    .delete(deliveryEndpoints)
    .where(
      and(
        isOneOf(deliveryEndpoints.sellerId, p.sellerIds),
        eq(deliveryEndpoints.callbackKey, p.key),
        eq(deliveryEndpoints.namesSeller, false),
      ),
    ),
);

/** Takes a URL from sellers that have no proof which names them. Commit it before the endpoint that displaces them. */
export function displaceEndpoints(sellerIds: readonly string[], address: Address): Statement[] {
  const key = endpointKey(address);
  if (key === null || sellerIds.length === 0) return [];
  return [remove({ sellerIds, key: key.url })];
}
