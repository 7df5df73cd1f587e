import { getTableColumns, sql } from 'drizzle-orm';
import { guardOneChange } from '../db/guard.ts';
import { insertInto, prepared, statement, updateSet } from '../db/statement.ts';
import { agents, sellers } from '../db/tables/agents.ts';
import { deliveryEndpoints } from '../db/tables/delivery.ts';
import { healthConsents } from '../db/tables/health.ts';
import { listingHistory, listings } from '../db/tables/listings.ts';
import type { Json, JsonObject } from '../kernel/json/json.ts';
import type { Database, Statement } from '../kernel/ports/database.ts';
import type { IsoTime } from '../kernel/time.ts';
import type { HistoryEntry } from './history.rules.ts';
import type { Listing, ListingEndpoint, ListingSeller } from './listing.ts';

export type ListingInsert = typeof listings.$inferInsert;
type ListingColumns = typeof listings.$inferSelect;

interface SellerColumns extends Omit<ListingSeller, 'id' | 'name' | 'kind' | 'endpoint' | 'isSmokeTest'> {
  readonly isSmokeTest: number;
  readonly displayName: string | null;
  readonly sellerLabel: string;
  readonly sellerRatingCount: number;
  readonly sellerRatingSum: number;
  readonly callbackUrl: string | null;
  readonly callbackType: ListingEndpoint['callbackType'] | null;
}

export type ListingRow = ListingColumns & Omit<SellerColumns, 'ratingCount' | 'ratingSum'>;

type SellerRow = Omit<SellerColumns, 'ratingCount' | 'ratingSum'> &
  Pick<ListingColumns, 'sellerId' | 'sellerKind'>;
type StandingRow = Omit<SellerRow, 'sellerKind'> & { readonly isSeller: number };

const LISTING_COLUMNS = sql.join(
  Object.entries(getTableColumns(listings)).map(
    ([field, column]) => sql`${column} AS ${sql.identifier(field)}`,
  ),
  sql`, `,
);

const LISTING_WITH_SELLER = sql`${LISTING_COLUMNS}, ${agents.displayName} AS displayName,
  ${agents.sellerLabel} AS sellerLabel, registered_at AS registeredAt, delivered_count AS deliveredCount,
  failed_count AS failedCount, ${sellers.ratingCount} AS sellerRatingCount,
  ${sellers.ratingSum} AS sellerRatingSum, payouts, claim_expires_at AS claimExpiresAt,
  is_smoke_test AS isSmokeTest, ${deliveryEndpoints.callbackUrl} AS callbackUrl, callback_type AS callbackType`;

/** CROSS says that this is the order to join in: weighing the others would take longer than the query. */
const FROM = sql`${listings} CROSS JOIN ${sellers} ON ${sellers.agentId} = ${listings.sellerId}
  CROSS JOIN ${agents} ON ${agents.id} = ${listings.sellerId}
  LEFT JOIN ${deliveryEndpoints} ON ${deliveryEndpoints.sellerId} = ${listings.sellerId}`;

const byId = prepared<{ id: string }>(
  sql`SELECT ${LISTING_WITH_SELLER} FROM ${FROM} WHERE ${listings.id} = ${sql.placeholder('id')}`,
);
const byIds = prepared<{ ids: string }>(sql`SELECT ${LISTING_WITH_SELLER} FROM ${FROM}
  WHERE ${listings.id} IN (SELECT value FROM json_each(${sql.placeholder('ids')}))`);
const historyOf = prepared<{ id: string }>(sql`SELECT entry FROM ${listingHistory}
  WHERE listing_id = ${sql.placeholder('id')} ORDER BY version`);

const standingOf = prepared<{
  agentId: string;
  now: string;
}>(sql`SELECT ${agents.id} AS sellerId, display_name AS displayName,
  seller_label AS sellerLabel, ${sellers.agentId} IS NOT NULL AS isSeller,
  COALESCE(registered_at, ${sql.placeholder('now')}) AS registeredAt, COALESCE(delivered_count, 0) AS deliveredCount,
  COALESCE(failed_count, 0) AS failedCount, COALESCE(rating_count, 0) AS sellerRatingCount,
  COALESCE(rating_sum, 0) AS sellerRatingSum, COALESCE(payouts, 'not_connected') AS payouts,
  claim_expires_at AS claimExpiresAt, is_smoke_test AS isSmokeTest, ${deliveryEndpoints.callbackUrl} AS callbackUrl,
  callback_type AS callbackType
  FROM ${agents} LEFT JOIN ${sellers} ON ${sellers.agentId} = ${agents.id}
  LEFT JOIN ${deliveryEndpoints} ON seller_id = ${agents.id} WHERE ${agents.id} = ${sql.placeholder('agentId')}`);

/** How an agent stands as a seller; `isSeller` is false for one that has never listed anything. */
export async function findStanding(
  market: Database,
  agentId: string,
  now: IsoTime,
): Promise<{ seller: ListingSeller; isSeller: boolean }> {
  const row = await market.first<StandingRow>(standingOf({ agentId, now }));
  if (!row) throw new Error('The caller has no row of its own.');
  return { seller: sellerOf({ ...row, sellerKind: 'third_party' }), isSeller: row.isSeller === 1 };
}

export async function findListing(market: Database, id: string): Promise<Listing | null> {
  const row = await market.first<ListingRow>(byId({ id }));
  return row && listingOf(row);
}

const signerOf = prepared<{ id: string }>(
  sql`SELECT signer_legal_name AS name FROM ${healthConsents} WHERE listing_id = ${sql.placeholder('id')}`,
);

/** Who signed for a listing of personal health data; null if nobody did, or it was erased. */
export async function findSignerName(market: Database, id: string): Promise<string | null> {
  return (await market.first<{ name: string | null }>(signerOf({ id })))?.name ?? null;
}

export async function findListings(market: Database, ids: readonly string[]): Promise<Listing[]> {
  const rows = await market.all<ListingRow>(byIds({ ids: JSON.stringify(ids) }));
  return rows.map(listingOf);
}

export async function readHistory(market: Database, id: string): Promise<HistoryEntry[]> {
  const rows = await market.all<{ entry: string }>(historyOf({ id }));
  return rows.map(({ entry }) => JSON.parse(entry) as HistoryEntry);
}

/** A listing row and the history entry that explains it: always together. */
export function insertListing(row: ListingInsert, entry: HistoryEntry): Statement[] {
  return [insertInto(listings, row), insertEntry(row.id, entry)];
}

/** Guards a change against one made in the meantime. */
export const LISTING_UNCHANGED = 'listing_unchanged';

/** Changes a listing, if it still is as it was when the change was made. */
export function updateListingRow(
  { id, version, status }: Pick<Listing, 'id' | 'version' | 'status'>,
  changes: Partial<ListingInsert>,
  entry: HistoryEntry,
): Statement[] {
  return [
    updateSet(
      listings,
      changes,
      sql`id = ${id} AND status = ${status} AND version = CAST(${version} AS INTEGER)`,
    ),
    guardOneChange(LISTING_UNCHANGED),
    insertEntry(id, entry),
  ];
}

function insertEntry(listingId: string, entry: HistoryEntry): Statement {
  return insertInto(listingHistory, { listingId, version: entry.version, entry: JSON.stringify(entry) });
}

/**
 * Makes a seller's pending listings live if its endpoint is verified: the free ones, and the priced ones if
 * payouts are connected. Returns their ids.
 */
export function activatePendingListings(sellerId: string): Statement {
  return statement(sql`UPDATE ${listings} SET status = 'active'
    WHERE seller_id = ${sellerId} AND status = 'pending'
      AND EXISTS (SELECT 1 FROM ${deliveryEndpoints} WHERE ${deliveryEndpoints.sellerId} = ${sellerId})
      AND (price_cents = 0 OR (SELECT payouts FROM ${sellers} WHERE agent_id = ${sellerId}) = 'connected')
    RETURNING id`);
}

/** Adds views that were counted off the requests' path. */
export function addViews(views: ReadonlyMap<string, number>): Statement {
  const counted = JSON.stringify([...views].map(([id, count]) => ({ id, count })));
  return statement(sql`UPDATE ${listings} SET view_count = view_count + counted.count
    FROM (SELECT value ->> 'id' AS id, value ->> 'count' AS count FROM json_each(${counted})) AS counted
    WHERE ${listings.id} = counted.id`);
}

function listingOf(row: ListingRow): Listing {
  return listingFrom(row, sellerOf(row));
}

/** The listing that a row, with its seller, describes. */
export function listingFrom(row: ListingColumns, seller: ListingSeller): Listing {
  return {
    id: row.id,
    status: row.status,
    verticalSlug: row.verticalSlug,
    title: row.title,
    description: row.description,
    preview: JSON.parse(row.preview) as JsonObject,
    priceCents: row.priceCents,
    pricingType: row.pricingType,
    listingType: row.listingType,
    maxCopies: row.maxCopies,
    fulfilment: row.fulfilment,
    fingerprint: row.fingerprint,
    images: JSON.parse(row.images) as string[],
    inputSchema: parsed(row.inputSchema) as JsonObject | null,
    outputSchema: parsed(row.outputSchema) as JsonObject | null,
    exampleQuery: parsed(row.exampleQuery) as JsonObject | null,
    subcategory: row.subcategory,
    dataDate: row.dataDate,
    dataFormat: row.dataFormat,
    sellerState: row.sellerState,
    demographics: parsed(row.demographics),
    contextTags: parsed(row.contextTags),
    deidentificationLevel: row.deidentificationLevel,
    authorizedUses: parsed(row.authorizedUses),
    dataOrigin: row.dataOrigin,
    collectionMethod: row.collectionMethod,
    sourceAttribution: row.sourceAttribution,
    healthConsentVerified: row.healthConsentVerified === 1,
    isSample: row.isSample === 1,
    soldCount: row.soldCount,
    purchaseCount: row.purchaseCount,
    popularity: row.popularity,
    viewCount: row.viewCount,
    ratingCount: row.ratingCount,
    ratingSum: row.ratingSum,
    version: row.version,
    historyDigest: row.historyDigest,
    lastModified: row.lastModified,
    createdAt: row.createdAt,
    seller,
  };
}

function sellerOf(row: SellerRow): ListingSeller {
  const { callbackUrl, callbackType } = row;
  return {
    id: row.sellerId,
    name: row.displayName ?? row.sellerLabel,
    kind: row.sellerKind,
    registeredAt: row.registeredAt,
    deliveredCount: row.deliveredCount,
    failedCount: row.failedCount,
    ratingCount: row.sellerRatingCount,
    ratingSum: row.sellerRatingSum,
    payouts: row.payouts,
    claimExpiresAt: row.claimExpiresAt,
    isSmokeTest: row.isSmokeTest === 1,
    endpoint: callbackUrl === null || callbackType === null ? null : { callbackUrl, callbackType },
  };
}

function parsed(json: string | null): Json {
  return json === null ? null : (JSON.parse(json) as Json);
}
