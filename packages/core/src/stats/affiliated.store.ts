import { getTableColumns, sql } from 'drizzle-orm';
import { guardOneChange } from '../db/guard.ts';
import { insertInto, prepared, statement } from '../db/statement.ts';
import { affiliatedMerchants, affiliatedReceipts } from '../db/tables/statistics.ts';
import { type Database, DatabaseError, type Statement } from '../kernel/ports/database.ts';
import type { IsoTime } from '../kernel/time.ts';
import type { RowPosition } from './demand.store.ts';

export type RecordedReceipt = Readonly<typeof affiliatedReceipts.$inferSelect>;

export interface AffiliatedMerchant {
  readonly id: string;
  readonly name: string;
  readonly siteOrigin: string;
  /** Of its paid live receipts. */
  readonly receipts: number;
  readonly grossCents: number;
}

const COLUMNS = sql.join(
  Object.entries(getTableColumns(affiliatedReceipts)).map(
    ([field, column]) => sql`${column} AS ${sql.identifier(field)}`,
  ),
  sql`, `,
);
const byId = prepared<{ id: string }>(
  sql`SELECT ${COLUMNS} FROM ${affiliatedReceipts} WHERE id = ${sql.placeholder('id')}`,
);
const newest = prepared<{ createdAt: string; id: string; limit: number }>(sql`SELECT ${COLUMNS}
  FROM ${affiliatedReceipts}
  WHERE (created_at, id) < (${sql.placeholder('createdAt')}, ${sql.placeholder('id')})
  ORDER BY created_at DESC, id DESC LIMIT ${sql.placeholder('limit')}`);
const merchants = prepared(sql`SELECT id, name, site_origin AS siteOrigin, receipts, gross_cents AS grossCents
  FROM ${affiliatedMerchants} ORDER BY id`);

/** Sorts after every time. */
const FROM_THE_NEWEST: RowPosition = { createdAt: '~', id: '' };

export function findAffiliatedReceipt(market: Database, id: string): Promise<RecordedReceipt | null> {
  return market.first<RecordedReceipt>(byId({ id }));
}

/** Newest first. */
export function readAffiliatedReceipts(
  market: Database,
  after: RowPosition | null,
  limit: number,
): Promise<RecordedReceipt[]> {
  return market.all<RecordedReceipt>(newest({ ...(after ?? FROM_THE_NEWEST), limit }));
}

/** All of them: the operator knows its related businesses by name. */
export function readAffiliatedMerchants(market: Database): Promise<AffiliatedMerchant[]> {
  return market.all<AffiliatedMerchant>(merchants({}));
}

/** Records a receipt, and its merchant with the first one. */
export function insertAffiliatedReceipt(receipt: RecordedReceipt): Statement[] {
  const { merchantId, merchantName, merchantSiteOrigin, createdAt } = receipt;
  return [
    newMerchant(merchantId, merchantName, merchantSiteOrigin, createdAt),
    // A merchant that is known keeps its name: totals are told by it.
    guardOneChange('affiliated_merchant_same'),
    insertInto(affiliatedReceipts, receipt),
  ];
}

function newMerchant(id: string, name: string, siteOrigin: string, createdAt: IsoTime): Statement {
  return statement(sql`INSERT INTO ${affiliatedMerchants} (id, name, site_origin, created_at)
    VALUES (${id}, ${name}, ${siteOrigin}, ${createdAt})
    ON CONFLICT (id) DO UPDATE SET name = excluded.name
      WHERE name = excluded.name AND site_origin = excluded.site_origin`);
}

/** The merchant is known by another name or site, or the name is another merchant's. */
export const isOtherMerchant = (error: unknown): boolean =>
  isConstraint(
    error,
    (name) => name === 'guard affiliated_merchant_same' || name === 'affiliated_merchants.name',
  );

/** A receipt with this id was recorded before. */
export const isRecordedBefore = (error: unknown): boolean =>
  isConstraint(error, (name) => name.startsWith('affiliated_receipts.'));

function isConstraint(error: unknown, fits: (constraint: string) => boolean): boolean {
  return error instanceof DatabaseError && error.kind === 'constraint' && fits(error.constraint);
}
