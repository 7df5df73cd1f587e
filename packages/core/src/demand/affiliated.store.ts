import { desc, eq, getTableColumns, sql } from 'drizzle-orm';
import { build } from '../db/build.ts';
import { isConflict, isConflictIn, isGuard } from '../db/constraint.ts';
import { guardOneChange } from '../db/guard.ts';
import { insertInto } from '../db/insert-into.ts';
import { type Params, query, write } from '../db/query.ts';
import { affiliatedMerchants, affiliatedReceipts } from '../db/tables/statistics.ts';
import { NEWEST, type Position } from '../kernel/page-cursor.ts';
import type { Database, Statement } from '../kernel/ports/database.ts';

export type RecordedReceipt = Readonly<typeof affiliatedReceipts.$inferSelect>;

const receiptById = query((p: Params<{ id: string }>) =>
  build
    .select(getTableColumns(affiliatedReceipts))
    .from(affiliatedReceipts)
    .where(eq(affiliatedReceipts.id, p.id)),
);

const newestReceipts = query((p: Params<{ createdAt: string; id: string; limit: number }>) =>
  build
    .select(getTableColumns(affiliatedReceipts))
    .from(affiliatedReceipts)
    .where(sql`(${affiliatedReceipts.createdAt}, ${affiliatedReceipts.id}) < (${p.createdAt}, ${p.id})`)
    .orderBy(desc(affiliatedReceipts.createdAt), desc(affiliatedReceipts.id))
    .limit(p.limit),
);

const { createdAt: _createdAt, ...merchantColumns } = getTableColumns(affiliatedMerchants);
const merchants = query(() =>
  build.select(merchantColumns).from(affiliatedMerchants).orderBy(affiliatedMerchants.id),
);

/** `receipts` and `grossCents` are of its paid live receipts. */
export type AffiliatedMerchant = Readonly<Omit<typeof affiliatedMerchants.$inferSelect, 'createdAt'>>;

export function findAffiliatedReceipt(market: Database, id: string): Promise<RecordedReceipt | null> {
  return receiptById.first(market, { id });
}

/** Newest first. */
export function readAffiliatedReceipts(
  market: Database,
  after: Position | null,
  limit: number,
): Promise<RecordedReceipt[]> {
  return newestReceipts.all(market, { ...(after ?? NEWEST), limit });
}

/** All of them: the operator knows its related businesses by name. */
export function readAffiliatedMerchants(market: Database): Promise<AffiliatedMerchant[]> {
  return merchants.all(market);
}

const MERCHANT_SAME = 'affiliated_merchant_same';

const insertMerchant = write(
  (p: Params<Pick<RecordedReceipt, 'merchantId' | 'merchantName' | 'merchantSiteOrigin' | 'createdAt'>>) =>
    build
      .insert(affiliatedMerchants)
      .values({
        id: p.merchantId,
        name: p.merchantName,
        siteOrigin: p.merchantSiteOrigin,
        createdAt: p.createdAt,
      })
      .onConflictDoUpdate({
        target: affiliatedMerchants.id,
        set: { name: sql`excluded.name` },
        setWhere: sql`${affiliatedMerchants.name} = excluded.name AND ${affiliatedMerchants.siteOrigin} = excluded.site_origin`,
      }),
);

/** Records a receipt, and its merchant with the first one. */
export function insertAffiliatedReceipt(receipt: RecordedReceipt): Statement[] {
  return [
    insertMerchant(receipt),
    // A merchant keeps the name it was recorded with: totals are grouped by it.
    guardOneChange(MERCHANT_SAME),
    insertInto(affiliatedReceipts, receipt),
  ];
}

/** The merchant is recorded with another name or site, or the name is another merchant's. */
export const isOtherMerchant = (error: unknown): boolean =>
  isGuard(error, MERCHANT_SAME) || isConflict(error, affiliatedMerchants.name);

/** A receipt with this id was recorded before. */
export const isRecordedBefore = (error: unknown): boolean => isConflictIn(error, affiliatedReceipts);
