import { and, desc, eq, type Placeholder, type SQL, sql } from 'drizzle-orm';
import { type Params, query } from '../../db/query.ts';
import { purchases } from '../../db/tables/purchases.ts';
import { payments } from '../../db/tables/sales.ts';
import { NEWEST, type Position } from '../../kernel/page-cursor.ts';
import type { Database } from '../../kernel/ports/database.ts';
import { storedStatuses } from '../escrow/sale-notice.rules.ts';
import type { SaleSummary } from '../sale.ts';
import type { SaleStatus } from '../sale-status.rules.ts';
import { joinParts, selectSaleSummary } from '../sales.store.ts';

/** Where a page of sales begins, and how many it has at most. Null: with the newest. */
export interface SalePage {
  readonly after: Position | null;
  readonly limit: number;
}

/** The rows of one stored status that come after a position, of those that are shown with one status or with any. */
interface Part extends Position {
  readonly shown: SaleStatus | null;
}

/** The same as `shownStatus`. */
const SHOWN_STATUS = sql`CASE WHEN ${purchases.status} = 'held' AND ${payments.reserveUntil} IS NOT NULL
  AND ${payments.dueAt} IS ${payments.reserveUntil} THEN 'releasing' ELSE ${purchases.status} END`;

/**
 * For a query of purchases and payments: positions are compared as pairs. The indexes of lists by status have the first
 * condition as their own.
 */
export function isInPart(
  p: {
    readonly [Name in keyof Part]: Placeholder<Name, Part[Name]>;
  },
): SQL {
  return sql`${purchases.createdAt} > '' AND ${purchases.createdAt} <= ${p.createdAt}
    AND (${purchases.createdAt}, ${purchases.id}) < (${p.createdAt}, ${p.id})
    AND (${p.shown} IS NULL OR ${SHOWN_STATUS} = ${p.shown})`;
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
  read: (part: Part & { readonly status: SaleStatus; readonly limit: number }) => Promise<Row[]>,
): Promise<Row[]> {
  const stored = shown === null ? statuses : storedStatuses(shown);
  const position = after ?? NEWEST;
  const parts = await Promise.all(stored.map((status) => read({ ...position, status, shown, limit })));
  return parts.flat().sort(byNewest).slice(0, limit);
}

function byNewest(one: Position, other: Position): number {
  const [a, b] = [`${one.createdAt} ${one.id}`, `${other.createdAt} ${other.id}`];
  if (a === b) return 0;
  return a < b ? 1 : -1;
}

const ofBuyer = query((p: Params<Part & { buyerId: string; limit: number }>) =>
  selectSaleSummary()
    .where(and(eq(purchases.buyerId, p.buyerId), isInPart(p)))
    .orderBy(...NEWEST_FIRST)
    .limit(p.limit),
);

const ofBuyerByStatus = query((p: Params<Part & { buyerId: string; status: SaleStatus; limit: number }>) =>
  selectSaleSummary()
    .where(and(eq(purchases.buyerId, p.buyerId), eq(purchases.status, p.status), isInPart(p)))
    .orderBy(...NEWEST_FIRST)
    .limit(p.limit),
);

const ofRequest = query((p: Params<Part & { buyerId: string; digest: string; limit: number }>) =>
  selectSaleSummary()
    .where(and(eq(purchases.buyerId, p.buyerId), eq(purchases.idempotencyDigest, p.digest), isInPart(p)))
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
  const part = { ...(page.after ?? NEWEST), shown, buyerId, limit };
  if (digest !== null) return (await ofRequest.all(market, { ...part, digest })).map(joinParts);
  if (shown === null) return (await ofBuyer.all(market, part)).map(joinParts);
  return readByStatus([], shown, page, async (of) =>
    (await ofBuyerByStatus.all(market, { ...of, buyerId })).map(joinParts),
  );
}
