import { and, eq, exists, getTableColumns, gt, gte, isNotNull, notExists, or, sql } from 'drizzle-orm';
import { SELLER_RECORD } from '../agents/index.ts';
import { asBoolean, asInteger, asJson, build, isOneOf } from '../db/build.ts';
import { isCheck, isGuard } from '../db/constraint.ts';
import { guardOneChange } from '../db/guard.ts';
import { insertInto } from '../db/insert-into.ts';
import { type Params, query, write } from '../db/query.ts';
import { agents, sellers } from '../db/tables/agents.ts';
import { deliveryEndpoints } from '../db/tables/delivery.ts';
import { healthConsents } from '../db/tables/health.ts';
import { listingHistory, listings } from '../db/tables/listings.ts';
import { purchases } from '../db/tables/purchases.ts';
import { listingMeasures } from '../db/tables/statistics.ts';
import type { Database, Statement } from '../kernel/ports/database.ts';
import type { IsoTime } from '../kernel/time.ts';
import type { QualityStatement } from '../quality/index.ts';
import type { HistoryEntry } from './history.rules.ts';
import type { Listing, ListingEndpoint, ListingSeller } from './listing.ts';

export type ListingRow = typeof listings.$inferSelect;

const { sellerId: _sellerId, sellerKind: _sellerKind, ...LISTING_FIELDS } = getTableColumns(listings);

const sellerName = sql<string>`COALESCE(${agents.displayName}, ${agents.sellerLabel})`;
const ENDPOINT_FIELDS = {
  callbackUrl: deliveryEndpoints.callbackUrl,
  callbackType: deliveryEndpoints.callbackType,
  mcpRevision: deliveryEndpoints.mcpRevision,
  unreachableSince: deliveryEndpoints.unreachableSince,
};

/** CROSS fixes the order of the joins: weighing the others would take SQLite longer than the query. */
const withSeller = () =>
  build
    .select({
      listing: LISTING_FIELDS,
      seller: {
        id: listings.sellerId,
        kind: listings.sellerKind,
        name: sellerName,
        registeredAt: sellers.registeredAt,
        deliveredCount: sellers.deliveredCount,
        failedCount: sellers.failedCount,
        ratingCount: sellers.ratingCount,
        ratingSum: sellers.ratingSum,
        deliveredDays: sellers.deliveredDays,
        refusedDays: sellers.refusedDays,
        ...SELLER_RECORD,
        payouts: sellers.payouts,
        claimExpiresAt: sellers.claimExpiresAt,
        isSmokeTest: agents.isSmokeTest,
        isSuspended: asBoolean(isNotNull(agents.suspendedAt)),
        isLeaving: asBoolean(isNotNull(agents.erasesAt)),
      },
      endpoint: ENDPOINT_FIELDS,
      measure: { statement: listingMeasures.statement },
    })
    .from(listings)
    .crossJoin(sellers)
    .crossJoin(agents)
    .leftJoin(deliveryEndpoints, eq(deliveryEndpoints.sellerId, listings.sellerId))
    .leftJoin(listingMeasures, eq(listingMeasures.listingId, listings.id));

const isOfSeller = and(eq(sellers.agentId, listings.sellerId), eq(agents.id, listings.sellerId));

const byId = query((p: Params<{ id: string }>) => withSeller().where(and(eq(listings.id, p.id), isOfSeller)));

const byPurchase = query((p: Params<{ purchaseId: string }>) =>
  // The joins begin with the listings, so that a join would look through all of them.
  withSeller().where(
    and(
      eq(
        listings.id,
        sql`(SELECT ${purchases.listingId} FROM ${purchases} WHERE ${purchases.id} = ${p.purchaseId})`,
      ),
      isOfSeller,
    ),
  ),
);

const byIds = query((p: Params<{ ids: readonly string[] }>) =>
  withSeller().where(and(isOneOf(listings.id, p.ids), isOfSeller)),
);

const idsAmong = query((p: Params<{ ids: readonly string[] }>) =>
  build.select({ id: listings.id }).from(listings).where(isOneOf(listings.id, p.ids)),
);

const historyOf = query((p: Params<{ id: string; from: number; limit: number }>) =>
  build
    .select({ entry: listingHistory.entry })
    .from(listingHistory)
    .where(and(eq(listingHistory.listingId, p.id), gte(listingHistory.version, p.from)))
    .orderBy(listingHistory.version)
    .limit(p.limit),
);

const standingOf = query((p: Params<{ agentId: string; now: IsoTime }>) =>
  build
    .select({
      seller: {
        id: agents.id,
        kind: sql<'third_party'>`'third_party'`,
        name: sellerName,
        registeredAt: sql<IsoTime>`COALESCE(${sellers.registeredAt}, ${p.now})`,
        deliveredCount: sql<number>`COALESCE(${sellers.deliveredCount}, 0)`,
        failedCount: sql<number>`COALESCE(${sellers.failedCount}, 0)`,
        ratingCount: sql<number>`COALESCE(${sellers.ratingCount}, 0)`,
        ratingSum: sql<number>`COALESCE(${sellers.ratingSum}, 0)`,
        deliveredDays: sql<number>`COALESCE(${sellers.deliveredDays}, 0)`,
        refusedDays: sql<number>`COALESCE(${sellers.refusedDays}, 0)`,
        deliveredWeight: sql<number>`COALESCE(${sellers.deliveredWeight}, 0)`,
        failedWeight: sql<number>`COALESCE(${sellers.failedWeight}, 0)`,
        ratedWeight: sql<number>`COALESCE(${sellers.ratedWeight}, 0)`,
        starsWeight: sql<number>`COALESCE(${sellers.starsWeight}, 0)`,
        payouts: sql<ListingSeller['payouts']>`COALESCE(${sellers.payouts}, 'not_connected')`,
        claimExpiresAt: sql<IsoTime | null>`${sellers.claimExpiresAt}`,
        isSmokeTest: agents.isSmokeTest,
        isSuspended: asBoolean(isNotNull(agents.suspendedAt)),
        isLeaving: asBoolean(isNotNull(agents.erasesAt)),
      },
      isSeller: asBoolean(sql`${sellers.agentId} IS NOT NULL`),
      endpoint: ENDPOINT_FIELDS,
    })
    .from(agents)
    .leftJoin(sellers, eq(sellers.agentId, agents.id))
    .leftJoin(deliveryEndpoints, eq(deliveryEndpoints.sellerId, agents.id))
    .where(eq(agents.id, p.agentId)),
);

const signerOf = query((p: Params<{ id: string }>) =>
  build
    .select({ name: healthConsents.signerLegalName })
    .from(healthConsents)
    .where(eq(healthConsents.listingId, p.id)),
);

/** How an agent stands as a seller. `isSeller` is false for an agent that has never listed anything. */
export async function findStanding(
  market: Database,
  agentId: string,
  now: IsoTime,
): Promise<{ seller: ListingSeller; isSeller: boolean }> {
  const row = await standingOf.first(market, { agentId, now });
  if (!row) throw new Error('The caller has no row of its own.');
  return { seller: { ...row.seller, endpoint: row.endpoint }, isSeller: row.isSeller };
}

export async function findListing(market: Database, id: string): Promise<Listing | null> {
  const row = await byId.first(market, { id });
  return row && listingOf(row);
}

/** The listing as it is now, whatever it was when it was bought. */
export async function findPurchasedListing(market: Database, purchaseId: string): Promise<Listing | null> {
  const row = await byPurchase.first(market, { purchaseId });
  return row && listingOf(row);
}

export async function findListings(market: Database, ids: readonly string[]): Promise<Listing[]> {
  return (await byIds.all(market, { ids })).map(listingOf);
}

/** Those of `ids` that are a listing's. What they hold is not read. */
export async function findListingIds(market: Database, ids: readonly string[]): Promise<Set<string>> {
  return new Set((await idsAmong.all(market, { ids })).map(({ id }) => id));
}

interface ListingWithSeller {
  readonly listing: Omit<Listing, 'seller' | 'quality'>;
  readonly seller: Omit<ListingSeller, 'endpoint'>;
  readonly endpoint: ListingEndpoint | null;
  readonly measure: { readonly statement: object } | null;
}

function listingOf({ listing, seller, endpoint, measure }: ListingWithSeller): Listing {
  const quality = (measure?.statement ?? null) as QualityStatement | null;
  return { ...listing, seller: { ...seller, endpoint }, quality };
}

/** Who signed for a listing of personal health data; null if nobody did, or the consent was erased. */
export async function findSignerName(market: Database, id: string): Promise<string | null> {
  return (await signerOf.first(market, { id }))?.name ?? null;
}

const declaredNotPersonal = query((p: Params<{ id: string }>) =>
  build
    .select({ version: listingHistory.version })
    .from(listingHistory)
    .where(
      and(
        eq(listingHistory.listingId, p.id),
        sql`json_extract(${listingHistory.entry}, '$.changes.notPersonalHealth.to') = 1`,
      ),
    )
    .limit(1),
);

/** Whether its seller ever declared, in its history, that it is about no single person's health. */
export async function isDeclaredNotPersonal(market: Database, id: string): Promise<boolean> {
  return (await declaredNotPersonal.first(market, { id })) !== null;
}

/** Of the versions from `from` on; all of them by default. */
export async function readHistory(
  market: Database,
  id: string,
  { from, limit }: { readonly from: number; readonly limit: number } = { from: 1, limit: -1 },
): Promise<HistoryEntry[]> {
  const rows = await historyOf.all(market, { id, from, limit });
  return rows.map(({ entry }) => entry as HistoryEntry);
}

/** A listing's row with the history entry that explains it: always together. */
export function insertListing(row: ListingRow, entry: HistoryEntry): Statement[] {
  return [insertInto(listings, row), insertEntry(row.id, entry)];
}

const LISTING_UNCHANGED = 'listing_unchanged';

/** What a change of a listing writes. */
export type ListingChange = Pick<
  ListingRow,
  | 'title'
  | 'description'
  | 'preview'
  | 'priceCents'
  | 'priceMicros'
  | 'meter'
  | 'redelivery'
  | 'status'
  | 'fingerprint'
  | 'textDigest'
  | 'version'
  | 'historyDigest'
  | 'lastModified'
>;

interface Before {
  readonly id: string;
  readonly statusBefore: ListingRow['status'];
  readonly versionBefore: number;
}

const update = write((p: Params<ListingChange & Before>) =>
  build
    .update(listings)
    .set({
      title: p.title,
      description: p.description,
      preview: p.preview,
      priceCents: p.priceCents,
      priceMicros: p.priceMicros,
      meter: p.meter,
      redelivery: p.redelivery,
      status: p.status,
      fingerprint: p.fingerprint,
      textDigest: p.textDigest,
      version: p.version,
      historyDigest: p.historyDigest,
      lastModified: p.lastModified,
    })
    .where(
      and(
        eq(listings.id, p.id),
        eq(listings.status, p.statusBefore),
        eq(listings.version, asInteger(p.versionBefore)),
      ),
    ),
);

/** Changes a listing if it still is as it was read. Aborts the transaction if it was changed since. */
export function updateListingRow(
  { id, version, status }: Pick<Listing, 'id' | 'version' | 'status'>,
  change: ListingChange,
  entry: HistoryEntry,
): Statement[] {
  return [
    update({ ...change, id, statusBefore: status, versionBefore: version }),
    guardOneChange(LISTING_UNCHANGED),
    insertEntry(id, entry),
  ];
}

const active = query((p: Params<{ sellerId: string; limit: number }>) =>
  build
    .select({ id: listings.id })
    .from(listings)
    .where(and(eq(listings.sellerId, p.sellerId), eq(listings.status, 'active')))
    .limit(p.limit),
);

export async function readActiveListings(
  market: Database,
  sellerId: string,
  limit: number,
): Promise<string[]> {
  return (await active.all(market, { sellerId, limit })).map(({ id }) => id);
}

export function isListingChanged(error: unknown): boolean {
  return isGuard(error, LISTING_UNCHANGED);
}

/** An operator rejected what its seller declared. */
export function isListingBlocked(error: unknown): boolean {
  return isGuard(error, 'listing_not_blocked');
}

/** A personal health listing needs a verified consent unless it is inactive. */
export function isConsentMissing(error: unknown): boolean {
  return isCheck(error, 'health_listing');
}

function insertEntry(listingId: string, entry: HistoryEntry): Statement {
  return insertInto(listingHistory, { listingId, version: entry.version, entry });
}

/** `recordActivation` of the agents slice repeats this condition. */
const activatePending = write((p: Params<{ sellerId: string }>) => {
  const endpoint = build
    .select({ sellerId: deliveryEndpoints.sellerId })
    .from(deliveryEndpoints)
    .where(eq(deliveryEndpoints.sellerId, p.sellerId));
  const suspended = build
    .select({ id: agents.id })
    .from(agents)
    .where(and(eq(agents.id, p.sellerId), isNotNull(agents.suspendedAt)));
  const payouts = build
    .select({ payouts: sellers.payouts })
    .from(sellers)
    .where(eq(sellers.agentId, p.sellerId));
  return build
    .update(listings)
    .set({ status: 'active' })
    .where(
      and(
        eq(listings.sellerId, p.sellerId),
        eq(listings.status, 'pending'),
        exists(endpoint),
        notExists(suspended),
        or(eq(listings.priceCents, 0), sql`${payouts} = 'connected'`),
      ),
    )
    .returning({ id: listings.id });
});

/**
 * Activates a seller's pending listings if its endpoint is verified: the free ones, and the priced ones if
 * payouts are connected. Returns their ids.
 */
export function activatePendingListings(sellerId: string): Statement {
  return activatePending({ sellerId });
}

const pauseActive = write((p: Params<{ sellerIds: readonly string[] }>) =>
  build
    .update(listings)
    .set({ status: 'pending' })
    .where(and(isOneOf(listings.sellerId, p.sellerIds), eq(listings.status, 'active')))
    .returning({ id: listings.id }),
);

/** Live listings of sellers that lost their endpoint wait for another. Returns their ids. */
export function pauseListings(sellerIds: readonly string[]): Statement {
  return pauseActive({ sellerIds });
}

const pausePriced = write((p: Params<{ sellerId: string }>) => {
  const cannotBePaid = build
    .select({ id: sellers.agentId })
    .from(sellers)
    .where(and(eq(sellers.agentId, p.sellerId), eq(sellers.payouts, 'not_connected')));
  return build
    .update(listings)
    .set({ status: 'pending' })
    .where(
      and(
        eq(listings.sellerId, p.sellerId),
        eq(listings.status, 'active'),
        gt(listings.priceCents, 0),
        exists(cannotBePaid),
      ),
    )
    .returning({ id: listings.id });
});

/** Live listings with a price wait until their seller can be paid again, if it cannot be. Returns their ids. */
export function pauseUnpayable(sellerId: string): Statement {
  return pausePriced({ sellerId });
}

const addCounts = write((p: Params<{ views: readonly { id: string; count: number }[] }>) =>
  build
    .update(listings)
    .set({ viewCount: sql`${listings.viewCount} + counted.count` })
    .from(
      sql`(SELECT value ->> 'id' AS id, value ->> 'count' AS count FROM json_each(${asJson(p.views)})) AS counted`,
    )
    .where(sql`${listings.id} = counted.id`),
);

/** Adds views that were counted off the requests' path. */
export function addViews(views: ReadonlyMap<string, number>): Statement {
  return addCounts({ views: [...views].map(([id, count]) => ({ id, count })) });
}

const clearVerified = write((p: Params<{ ids: readonly string[] }>) => {
  const erased = build
    .select({ listingId: healthConsents.listingId })
    .from(healthConsents)
    .where(and(isNotNull(healthConsents.erasedAt), isOneOf(healthConsents.listingId, p.ids)));
  return build.update(listings).set({ healthConsentVerified: false }).where(sql`${listings.id} IN ${erased}`);
});

/** Takes the mark of a verified consent off those of the listings whose consent was erased. */
export function clearConsentMarks(ids: readonly string[]): Statement {
  return clearVerified({ ids });
}

const deleteOfSeller = write((p: Params<{ sellerId: string }>) =>
  build.delete(listings).where(eq(listings.sellerId, p.sellerId)),
);

/** Deletes all listings of a seller. Purchases refer to them: those go first. */
export function deleteListings(sellerId: string): Statement {
  return deleteOfSeller({ sellerId });
}
