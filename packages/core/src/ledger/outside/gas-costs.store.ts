import { eq, sql } from 'drizzle-orm';
import { build } from '../../db/build.ts';
import { isConflictIn } from '../../db/constraint.ts';
import { insertInto } from '../../db/insert-into.ts';
import { type Params, query } from '../../db/query.ts';
import { gasCosts } from '../../db/tables/ledger.ts';
import type { GasCost } from '../../kernel/ports/chain.ts';
import type { Database, Statement } from '../../kernel/ports/database.ts';
import type { IsoTime } from '../../kernel/time.ts';

const last = query((p: Params<{ chainId: number }>) =>
  build
    .select({ id: sql<number>`COALESCE(MAX(${gasCosts.entryId}), 0)` })
    .from(gasCosts)
    .where(eq(gasCosts.chainId, p.chainId)),
);

/** Up to which of the account's transactions the gas is booked. */
export async function lastGasCost(db: Database, chainId: number): Promise<number> {
  return (await last.first(db, { chainId }))?.id ?? 0;
}

/** Aborts its transaction where it was booked before: see `isBookedAlready`. */
export function insertGasCost(chainId: number, { id, transaction, wei }: GasCost, at: IsoTime): Statement {
  const row = { chainId, entryId: id, transactionHash: transaction, wei: String(wei), bookedAt: at };
  return insertInto(gasCosts, row);
}

export const isBookedAlready = (error: unknown): boolean => isConflictIn(error, gasCosts);
