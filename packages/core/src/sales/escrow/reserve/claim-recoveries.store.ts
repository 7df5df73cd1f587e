import { and, asc, eq, getTableColumns, isNotNull, isNull, lte, sql } from 'drizzle-orm';
import { build } from '../../../db/build.ts';
import { isConflictIn, isGuard } from '../../../db/constraint.ts';
import { guardOneChange } from '../../../db/guard.ts';
import { insertInto } from '../../../db/insert-into.ts';
import { type Params, query, write } from '../../../db/query.ts';
import { claimRecoveries, payments, sellerClaims, transfers } from '../../../db/tables/sales.ts';
import type { Database, Statement } from '../../../kernel/ports/database.ts';
import type { IsoTime } from '../../../kernel/time.ts';

/** What was taken back from a seller, or settled with it, of a claim. */
export type ClaimRecovery = Readonly<typeof claimRecoveries.$inferSelect>;

/** Of its transfer, taken back by us or about to be. */
const REVERSED_CENTS = sql`COALESCE((SELECT SUM(cents) FROM ${claimRecoveries} AS made
  WHERE made.transfer_id = ${transfers.transferId} AND made.refused_code IS NULL), 0)`;
const RECOVERABLE_CENTS = sql<number>`MIN(${sellerClaims.claimCents} - ${sellerClaims.withheldCents},
  ${payments.transferredCents} - ${REVERSED_CENTS})`;
const TRIES = sql<number>`(SELECT COUNT(*) FROM ${claimRecoveries} AS tried
  WHERE tried.dispute_id = ${sellerClaims.disputeId})`;

const due = query((p: Params<{ now: IsoTime; limit: number }>) =>
  build
    .select({
      disputeId: sellerClaims.disputeId,
      purchaseId: sellerClaims.purchaseId,
      // Of what was paid in USDC there is no transfer to reverse.
      transferId: sql<string | null>`iif(${transfers.payoutBatchId} IS NULL, ${transfers.transferId}, NULL)`,
      cents: RECOVERABLE_CENTS,
      number: sql<number>`${TRIES} + 1`,
    })
    .from(sellerClaims)
    .leftJoin(transfers, eq(transfers.purchaseId, sellerClaims.purchaseId))
    .leftJoin(payments, eq(payments.purchaseId, sellerClaims.purchaseId))
    .where(lte(sellerClaims.recoverAt, p.now))
    .orderBy(sellerClaims.recoverAt, sellerClaims.disputeId)
    .limit(p.limit),
);

export interface Recoverable {
  readonly disputeId: string;
  readonly purchaseId: string;
  readonly transferId: string;
  readonly cents: number;
  /** The first try is 1. */
  readonly number: number;
}

/** Open claims to be looked at, the longest due first. */
export function listDueClaims(market: Database, now: IsoTime, limit: number) {
  return due.all(market, { now, limit });
}

const wait = write((p: Params<{ disputeId: string; until: IsoTime | null }>) =>
  build
    .update(sellerClaims)
    .set({ recoverAt: p.until })
    .where(and(eq(sellerClaims.disputeId, p.disputeId), isNotNull(sellerClaims.recoverAt))),
);

/** Looked at again then, or, if never (`null`), once more of it is open. */
export function awaitRecovery(disputeId: string, until: IsoTime | null): Statement {
  return wait({ disputeId, until });
}

const underWay = query((p: Params<{ limit: number }>) =>
  build
    .select({ ...getTableColumns(claimRecoveries), purchaseId: sellerClaims.purchaseId })
    .from(claimRecoveries)
    .innerJoin(sellerClaims, eq(sellerClaims.disputeId, claimRecoveries.disputeId))
    .where(isNull(claimRecoveries.endedAt))
    .orderBy(asc(claimRecoveries.beganAt))
    .limit(p.limit),
);

export async function listRecoveriesUnderWay(market: Database, limit: number): Promise<Recoverable[]> {
  const rows = await underWay.all(market, { limit });
  return rows.flatMap(({ transferId, ...row }) => (transferId === null ? [] : [{ ...row, transferId }]));
}

/** Aborts where so much of the claim is not open any more. */
export function beginRecovery({ disputeId, number, cents, transferId }: Recoverable, at: IsoTime): Statement {
  return insertInto(claimRecoveries, { disputeId, number, cents, transferId, way: 'transfer', beganAt: at });
}

/** A part of a claim that was settled by hand. */
export function insertSettlement(
  { disputeId, number, cents, way }: Pick<ClaimRecovery, 'disputeId' | 'number' | 'cents' | 'way'>,
  at: IsoTime,
): Statement {
  return insertInto(claimRecoveries, { disputeId, number, cents, way, beganAt: at, endedAt: at });
}

/** Another run, or a payout of the seller, was faster. */
export const isRecoveryConflict = (error: unknown): boolean =>
  isGuard(error, 'claim_open') || isGuard(error, UNDER_WAY) || isConflictIn(error, claimRecoveries);

const UNDER_WAY = 'claim_recovery';

const end = write(
  (
    p: Params<{
      disputeId: string;
      number: number;
      reversalId: string | null;
      refusedCode: string | null;
      at: IsoTime;
    }>,
  ) =>
    build
      .update(claimRecoveries)
      .set({ reversalId: p.reversalId, refusedCode: p.refusedCode, endedAt: p.at })
      .where(
        and(
          eq(claimRecoveries.disputeId, p.disputeId),
          eq(claimRecoveries.number, p.number),
          isNull(claimRecoveries.endedAt),
        ),
      ),
);

/** Aborts where its end was written down before. */
export function endRecovery(
  { disputeId, number }: Pick<Recoverable, 'disputeId' | 'number'>,
  answer: { readonly reversalId: string | null; readonly refusedCode: string | null },
  at: IsoTime,
): Statement[] {
  return [end({ disputeId, number, ...answer, at }), guardOneChange(UNDER_WAY)];
}

const ofDispute = query((p: Params<{ disputeId: string }>) =>
  build
    .select({ ...getTableColumns(sellerClaims), tries: TRIES })
    .from(sellerClaims)
    .where(eq(sellerClaims.disputeId, p.disputeId)),
);

/** What a seller bears of one dispute, and how often it was recovered or settled in part. */
export function findClaim(market: Database, disputeId: string) {
  return ofDispute.first(market, { disputeId });
}
