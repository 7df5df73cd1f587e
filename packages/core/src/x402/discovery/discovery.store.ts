import type { Json, JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import {
  and,
  count,
  desc,
  eq,
  gt,
  gte,
  inArray,
  isNotNull,
  isNull,
  lt,
  ne,
  notInArray,
  or,
  sql,
} from 'drizzle-orm';
import { build } from '../../db/build.ts';
import { type Params, query } from '../../db/query.ts';
import { deliveryEndpoints } from '../../db/tables/delivery.ts';
import { listings } from '../../db/tables/listings.ts';
import type { Database } from '../../kernel/ports/database.ts';
import type { IsoTime } from '../../kernel/time.ts';

/** A listing as far as it concerns those who would pay for a query. */
export interface Payable {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly verticalSlug: string;
  readonly contextTags: Json | null;
  readonly preview: JsonObject;
  readonly priceCents: number;
  readonly priceMicros: number | null;
  readonly inputSchema: JsonObject | null;
  readonly outputSchema: JsonObject | null;
  readonly exampleQuery: JsonObject | null;
  readonly lastUpdated: IsoTime;
}

/**
 * The condition of the index `listings_payable`, which both statements are answered from. The prices are not in it: they
 * are read from the rows only where a smallest price is set.
 */
const isPayable = ({ minCents }: Params<{ minCents: number }>) =>
  and(
    eq(listings.status, 'active'),
    gt(listings.priceCents, 0),
    isNull(listings.meter),
    ne(listings.verticalSlug, 'personal-health'),
    or(eq(listings.listingType, 'standard'), lt(listings.soldCount, sql`COALESCE(${listings.maxCopies}, 1)`)),
    or(sql`${minCents} <= 1`, gte(listings.priceCents, minCents)),
  );

/** Sellers whose endpoints answer no probe: few, in an index of their own. */
const unreachable = build
  .select({ sellerId: deliveryEndpoints.sellerId })
  .from(deliveryEndpoints)
  .where(isNotNull(deliveryEndpoints.unreachableSince));

const PAYABLE = {
  id: listings.id,
  title: listings.title,
  description: listings.description,
  verticalSlug: listings.verticalSlug,
  contextTags: listings.contextTags,
  preview: listings.preview,
  priceCents: listings.priceCents,
  priceMicros: listings.priceMicros,
  inputSchema: listings.inputSchema,
  outputSchema: listings.outputSchema,
  exampleQuery: listings.exampleQuery,
  lastUpdated: sql<IsoTime>`COALESCE(${listings.lastModified}, ${listings.createdAt})`,
};

const page = query((p: Params<{ limit: number; offset: number; minCents: number }>) =>
  build
    .select(PAYABLE)
    .from(listings)
    .where(and(isPayable(p), notInArray(listings.sellerId, unreachable)))
    .orderBy(desc(listings.createdAt), listings.id)
    .limit(p.limit)
    .offset(p.offset),
);

/** Those that are left out are subtracted: who sells what is not in the index of what can be paid for. */
const countAll = query((p: Params<{ minCents: number }>) => {
  const leftOut = build
    .select({ count: count() })
    .from(listings)
    .where(and(isPayable(p), inArray(listings.sellerId, unreachable)));
  return build
    .select({ total: sql<number>`COUNT(*) - ${leftOut}` })
    .from(listings)
    .where(isPayable(p));
});

/** Newest first, with how many there are in all. */
export async function listPayable(
  market: Database,
  { limit, offset }: { readonly limit: number; readonly offset: number },
  minCents: number,
): Promise<{ readonly payable: Payable[]; readonly total: number }> {
  const [payable, counted] = await Promise.all([
    page.all(market, { limit, offset, minCents }),
    countAll.first(market, { minCents }),
  ]);
  return { payable, total: counted?.total ?? 0 };
}

const named = query((p: Params<{ ids: string; minCents: number }>) =>
  build
    .select(PAYABLE)
    .from(listings)
    .where(
      and(
        sql`${listings.id} IN (SELECT value FROM json_each(${p.ids}))`,
        isPayable(p),
        notInArray(listings.sellerId, unreachable),
      ),
    ),
);

/** Those of these listings that can be paid for, in no order. */
export function findPayable(market: Database, ids: readonly string[], minCents: number): Promise<Payable[]> {
  return named.all(market, { ids: JSON.stringify(ids), minCents });
}
