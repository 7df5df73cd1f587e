import { eq, sql } from 'drizzle-orm';
import { build } from '../../db/build.ts';
import { insertWhere } from '../../db/insert-from.ts';
import { type Params, query, write } from '../../db/query.ts';
import { type EndpointRequestEntry, endpointRequests } from '../../db/tables/delivery.ts';
import type { Database, Statement } from '../../kernel/ports/database.ts';
import type { IsoTime } from '../../kernel/time.ts';
import type { Verdict } from '../delivery.rules.ts';
import { hasEndpoint } from '../endpoints.store.ts';

/** So many are kept of each seller. */
const KEPT = 20;

/** A buyer's request that a seller was asked for: nothing of what was asked or answered. */
export interface EndpointRequest {
  /** When its verdict was there. */
  readonly at: IsoTime;
  /** From asking to the verdict. Null: not known. */
  readonly latencyMs: number | null;
  readonly listingId: string;
  /** 0: the first delivery of a purchase. */
  readonly redelivery: number;
  readonly verdict: Verdict;
}

// The endpoint goes with an erased account: what is under way then leaves no row behind.
const note = write((p: Params<{ sellerId: string; entry: string }>) => {
  const { requests } = endpointRequests;
  const kept = sql`CASE WHEN json_array_length(${requests}) < ${KEPT} THEN ${requests}
      ELSE json_remove(${requests}, '$[0]') END`;
  return insertWhere(
    endpointRequests,
    { sellerId: p.sellerId, requests: sql`json_array(json(${p.entry}))` },
    hasEndpoint(p.sellerId),
  ).onConflictDoUpdate({
    target: endpointRequests.sellerId,
    set: { requests: sql`json_insert(${kept}, '$[#]', json(${p.entry}))` },
  });
});

/** Commit it with what records the request's outcome: it takes the place of the oldest. */
export function noteEndpointRequest(
  sellerId: string,
  { at, listingId, verdict, latencyMs, redelivery }: EndpointRequest,
): Statement {
  const entry: EndpointRequestEntry = [at, listingId, verdict, latencyMs, redelivery];
  return note({ sellerId, entry: JSON.stringify(entry) });
}

export const deleteEndpointRequests = write((p: Params<{ sellerId: string }>) =>
  build.delete(endpointRequests).where(eq(endpointRequests.sellerId, p.sellerId)),
);

const ofSeller = query((p: Params<{ sellerId: string }>) =>
  build
    .select({ requests: endpointRequests.requests })
    .from(endpointRequests)
    .where(eq(endpointRequests.sellerId, p.sellerId)),
);

/** The last requests of a seller's endpoint, newest first. */
export async function readEndpointRequests(market: Database, sellerId: string): Promise<EndpointRequest[]> {
  const row = await ofSeller.first(market, { sellerId });
  return (row?.requests ?? [])
    .map(([at, listingId, verdict, latencyMs, redelivery]) => ({
      at,
      latencyMs,
      listingId,
      redelivery,
      verdict: verdict as Verdict,
    }))
    .reverse();
}
