import { and, desc, eq, type Placeholder, type SQL, sql } from 'drizzle-orm';
import { type Params, query } from '../../db/query.ts';
import { purchases } from '../../db/tables/purchases.ts';
import { NEWEST, type Position } from '../../kernel/page-cursor.ts';
import type { Database } from '../../kernel/ports/database.ts';
import { type StoredStatus, storedStatuses } from '../escrow/sale-notice.rules.ts';
import type { SaleSummary } from '../sale.ts';
import type { SaleStatus } from '../sale-status.rules.ts';
import { joinParts, selectSaleSummary } from '../sales.store.ts';

/** Where a page of sales begins, and how many it has at most. Null: with the newest. */
export interface SalePage {
  readonly after: Position | null;
  readonly limit: number;
}

/** The same as `shownStatus`. */
const SHOWN_STATUS = sql`CASE WHEN ${purchases.status} = 'held' AND ${purchases.inReserve} THEN 'releasing'
  ELSE ${purchases.status} END`;

export function isShownAs(shown: Placeholder<'shown', SaleStatus | null>): SQL {
  return sql`(${shown} IS NULL OR ${SHOWN_STATUS} = ${shown})`;
}

type Placeholders<Values> = {
  readonly [Name in keyof Values & string]: Placeholder<Name, Values[Name]>;
};

/** After a position, compared as a pair. The indexes of lists by status have the first condition as their own. */
export function isAfter(p: Placeholders<Position>): SQL {
  return sql`${purchases.createdAt} > '' AND ${purchases.createdAt} <= ${p.createdAt}
    AND (${purchases.createdAt}, ${purchases.id}) < (${p.createdAt}, ${p.id})`;
}

/** The rows of one stored status that come after a position. */
export type SalePart = Position & StoredStatus;

export function isInPart(p: Placeholders<SalePart>): SQL | undefined {
  return and(
    eq(purchases.status, p.status),
    sql`${purchases.inReserve} = CAST(${p.inReserve} AS INTEGER)`,
    isAfter(p),
  );
}

/** Newest first. */
export const NEWEST_FIRST = [desc(purchases.createdAt), desc(purchases.id)] as const;

/**
 * One page of the sales that are shown with a status, null: with any of `statuses`. Each stored status is read by itself
 * from where the page begins, so that what has another one costs nothing.
 */
export async function readByStatus<Row extends Position>(
  statuses: readonly SaleStatus[],
  shown: SaleStatus | null,
  { after, limit }: SalePage,
  read: (part: SalePart & { readonly limit: number }) => Promise<Row[]>,
): Promise<Row[]> {
  const stored = (shown === null ? statuses : [shown]).flatMap(storedStatuses);
  const position = after ?? NEWEST;
  const parts = await Promise.all(stored.map((one) => read({ ...position, ...one, limit })));
  return parts.flat().sort(byNewest).slice(0, limit);
}

function byNewest(one: Position, other: Position): number {
  const [a, b] = [`${one.createdAt} ${one.id}`, `${other.createdAt} ${other.id}`];
  if (a === b) return 0;
  return a < b ? 1 : -1;
}

const ofBuyer = query((p: Params<Position & { buyerId: string; limit: number }>) =>
  selectSaleSummary()
    .where(and(eq(purchases.buyerId, p.buyerId), isAfter(p)))
    .orderBy(...NEWEST_FIRST)
    .limit(p.limit),
);

const ofBuyerByStatus = query((p: Params<SalePart & { buyerId: string; limit: number }>) =>
  selectSaleSummary()
    .where(and(eq(purchases.buyerId, p.buyerId), isInPart(p)))
    .orderBy(...NEWEST_FIRST)
    .limit(p.limit),
);

type OfRequest = Position & { buyerId: string; digest: string; shown: SaleStatus | null; limit: number };

const ofRequest = query((p: Params<OfRequest>) =>
  selectSaleSummary()
    .where(
      and(
        eq(purchases.buyerId, p.buyerId),
        eq(purchases.idempotencyDigest, p.digest),
        isAfter(p),
        isShownAs(p.shown),
      ),
    )
    .orderBy(...NEWEST_FIRST)
    .limit(p.limit),
);

export interface BuyerFilter {
  readonly status: SaleStatus | null;
  /** Of the request that made them; null: of any. */
  readonly idempotencyDigest: string | null;
}

/** What an agent bought and tried to buy, newest first. */
export async function listPurchasesOf(
  market: Database,
  buyerId: string,
  { status: shown, idempotencyDigest: digest }: BuyerFilter,
  page: SalePage,
): Promise<SaleSummary[]> {
  const { limit } = page;
  const part = { ...(page.after ?? NEWEST), buyerId, limit };
  if (digest !== null) return (await ofRequest.all(market, { ...part, digest, shown })).map(joinParts);
  if (shown === null) return (await ofBuyer.all(market, part)).map(joinParts);
  return readByStatus([], shown, page, async (of) =>
    (await ofBuyerByStatus.all(market, { ...of, buyerId })).map(joinParts),
  );
}
