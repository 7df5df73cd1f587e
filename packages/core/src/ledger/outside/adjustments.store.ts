import { and, eq, getTableColumns } from 'drizzle-orm';
import { build } from '../../db/build.ts';
import { isConflictIn } from '../../db/constraint.ts';
import { insertInto } from '../../db/insert-into.ts';
import { type Params, query } from '../../db/query.ts';
import { ledgerAdjustments } from '../../db/tables/ledger.ts';
import type { Database, Statement } from '../../kernel/ports/database.ts';

export type Adjustment = Readonly<typeof ledgerAdjustments.$inferSelect>;

const ofReference = query((p: Params<{ reference: string; account: string; counterAccount: string }>) =>
  build
    .select(getTableColumns(ledgerAdjustments))
    .from(ledgerAdjustments)
    .where(
      and(
        eq(ledgerAdjustments.reference, p.reference),
        eq(ledgerAdjustments.account, p.account),
        eq(ledgerAdjustments.counterAccount, p.counterAccount),
      ),
    ),
);

export const insertAdjustment = (adjustment: Adjustment): Statement =>
  insertInto(ledgerAdjustments, adjustment);

export function findAdjustment(
  db: Database,
  { reference, account, counterAccount }: Pick<Adjustment, 'reference' | 'account' | 'counterAccount'>,
): Promise<Adjustment | null> {
  return ofReference.first(db, { reference, account, counterAccount });
}

/** The same reference was posted between these accounts before. */
export const isAdjusted = (error: unknown): boolean => isConflictIn(error, ledgerAdjustments);
