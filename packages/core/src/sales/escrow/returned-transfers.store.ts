import { and, eq, sql } from 'drizzle-orm';
import { build } from '../../db/build.ts';
import { isConflictIn } from '../../db/constraint.ts';
import { insertInto } from '../../db/insert-into.ts';
import { type Params, query } from '../../db/query.ts';
import { processorEntries } from '../../db/tables/ledger.ts';
import { purchases } from '../../db/tables/purchases.ts';
import { claimRecoveries, payments, returnedTransfers, transfers } from '../../db/tables/sales.ts';
import type { Database, Statement } from '../../kernel/ports/database.ts';

export type ReturnedTransfer = Readonly<typeof returnedTransfers.$inferSelect>;

/** What we took back ourselves is borne for a bank. */
const RECOVERED_CENTS = sql`COALESCE((SELECT SUM(cents) FROM ${claimRecoveries}
  WHERE ${claimRecoveries.transferId} = ${transfers.transferId} AND refused_code IS NULL), 0)`;

/** Paid out, and all of it was taken back since: reversals are few, and each has an index entry. */
const reversed = query((p: Params<{ limit: number }>) =>
  build
    .select({ purchaseId: transfers.purchaseId })
    .from(processorEntries)
    .innerJoin(transfers, eq(transfers.transferId, processorEntries.transferId))
    .innerJoin(payments, eq(payments.purchaseId, transfers.purchaseId))
    .innerJoin(purchases, eq(purchases.id, transfers.purchaseId))
    .where(
      and(
        eq(processorEntries.kind, sql.raw("'transfer_reversal'")),
        eq(processorEntries.currency, 'usd'),
        eq(purchases.status, 'released'),
      ),
    )
    .groupBy(transfers.purchaseId)
    .having(
      sql`SUM(${processorEntries.amountCents}) - MAX(${RECOVERED_CENTS}) >= MAX(${payments.transferredCents} - MIN(0, ${payments.withheldCents}))`,
    )
    .limit(p.limit),
);

/** Sales whose whole transfer was taken back from the seller. */
export async function listReversedSales(db: Database, limit: number): Promise<string[]> {
  return (await reversed.all(db, { limit })).map(({ purchaseId }) => purchaseId);
}

export const insertReturnedTransfer = (transfer: ReturnedTransfer): Statement =>
  insertInto(returnedTransfers, transfer);

/** Another job was faster. */
export const isReturnedBefore = (error: unknown): boolean => isConflictIn(error, returnedTransfers);
