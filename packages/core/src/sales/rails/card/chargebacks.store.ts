import {
  and,
  desc,
  eq,
  getTableColumns,
  gte,
  inArray,
  isNotNull,
  isNull,
  lte,
  ne,
  or,
  type SQL,
  type SQLWrapper,
  sql,
} from 'drizzle-orm';
import { asInteger, build, named } from '../../../db/build.ts';
import { isConflict, isGuard } from '../../../db/constraint.ts';
import { guardOneChange } from '../../../db/guard.ts';
import { insertInto } from '../../../db/insert-into.ts';
import { type Params, query, toStatement } from '../../../db/query.ts';
import { chargebacks, claimRecoveries, sellerClaims } from '../../../db/tables/sales.ts';
import type { Database, Statement } from '../../../kernel/ports/database.ts';
import type { Ids } from '../../../kernel/ports/ids.ts';
import type { IsoTime } from '../../../kernel/time.ts';
import { post } from '../../../ledger/index.ts';
import { type Chargeback, chargebackMovement } from './chargeback.rules.ts';

const UNCHANGED = 'chargeback_unchanged';

/** The latest of a purchase: the condition of a join. */
export function isLatestChargeback(purchaseId: SQLWrapper): SQL {
  const latest = build
    .select({ disputeId: chargebacks.disputeId })
    .from(chargebacks)
    .where(eq(chargebacks.purchaseId, purchaseId))
    .orderBy(desc(chargebacks.openedAt))
    .limit(1);
  return eq(chargebacks.disputeId, latest);
}

const selectChargeback = () => build.select(getTableColumns(chargebacks)).from(chargebacks);

const byDispute = query((p: Params<{ disputeId: string }>) =>
  selectChargeback().where(eq(chargebacks.disputeId, p.disputeId)),
);

export function findChargeback(market: Database, disputeId: string): Promise<Chargeback | null> {
  return byDispute.first(market, { disputeId });
}

const lost = query((p: Params<{ purchaseId: string }>) =>
  selectChargeback().where(
    and(
      eq(chargebacks.purchaseId, p.purchaseId),
      eq(chargebacks.status, 'lost'),
      isNull(chargebacks.settledAt),
    ),
  ),
);

/** The lost disputes of what a purchase had paid about which nothing was done yet. */
export function listLostChargebacks(market: Database, purchaseId: string): Promise<Chargeback[]> {
  return lost.all(market, { purchaseId });
}

const settledLosses = query((p: Params<{ purchaseId: string }>) =>
  selectChargeback()
    .where(
      and(
        eq(chargebacks.purchaseId, p.purchaseId),
        eq(chargebacks.status, 'lost'),
        isNotNull(chargebacks.settledAt),
      ),
    )
    .limit(1),
);

/** Whether a bank took some of what a sale that is still in escrow had cost, and the books have it. */
export async function isTakenInPart(market: Database, purchaseId: string): Promise<boolean> {
  return (await settledLosses.first(market, { purchaseId })) !== null;
}

const others = query((p: Params<{ purchaseId: string; disputeId: string }>) =>
  selectChargeback().where(
    and(eq(chargebacks.purchaseId, p.purchaseId), ne(chargebacks.disputeId, p.disputeId)),
  ),
);

/** What else was taken for the same purchase, or may be. */
export function listOtherChargebacks(
  market: Database,
  purchaseId: string,
  disputeId: string,
): Promise<Chargeback[]> {
  return others.all(market, { purchaseId, disputeId });
}

/** Writes down what became of it, unless somebody else did since it was read. */
export function saveChargeback(known: Chargeback | null, next: Chargeback): Statement[] {
  if (known === null) return [insertInto(chargebacks, next)];
  const { disputeId, revision } = known;
  const isUnchanged = and(
    eq(chargebacks.disputeId, disputeId),
    eq(chargebacks.revision, asInteger(revision)),
  );
  return [toStatement(build.update(chargebacks).set(next).where(isUnchanged)), guardOneChange(UNCHANGED)];
}

/** Posts what moved, once for each revision. */
export function chargebackPostings(
  { ids }: { readonly ids: Ids },
  known: Chargeback | null,
  next: Chargeback,
  at: IsoTime,
): Statement[] {
  const moved = chargebackMovement(known, next);
  return moved ? [post(moved, ids.uuid(), at)] : [];
}

/** The sale they were about is taken back, so that its price is nobody's loss. */
export function coverChargebacks(lost: readonly Chargeback[], amountCents: number, at: IsoTime): Statement[] {
  let leftCents = amountCents;
  return lost.flatMap((known, index) => {
    const isLast = index === lost.length - 1;
    const coveredCents = isLast ? leftCents : Math.min(leftCents, known.withdrawnCents);
    leftCents -= coveredCents;
    return saveChargeback(known, {
      ...known,
      coveredCents,
      settledAt: at,
      checkAt: null,
      revision: known.revision + 1,
    });
  });
}

/** Somebody else worked on the same one at the same moment. */
export function isRevisionConflict(error: unknown): boolean {
  return isGuard(error, UNCHANGED) || isConflict(error, chargebacks.disputeId);
}

const claimDue = query((p: Params<{ now: IsoTime; ofLost: IsoTime; ofOthers: IsoTime; limit: number }>) => {
  const dueFirst = build
    .select({ disputeId: chargebacks.disputeId })
    .from(chargebacks)
    .where(lte(chargebacks.checkAt, p.now))
    .orderBy(chargebacks.checkAt)
    .limit(p.limit);
  return build
    .update(chargebacks)
    .set({ checkAt: sql`CASE ${chargebacks.status} WHEN 'lost' THEN ${p.ofLost} ELSE ${p.ofOthers} END` })
    .where(inArray(chargebacks.disputeId, dueFirst))
    .returning(named({ disputeId: chargebacks.disputeId }));
});

/** Those that nobody reported on for long, put off before they are given out: sweeps do not meet over one. */
export async function claimDueChargebacks(
  market: Database,
  now: IsoTime,
  next: { readonly ofLost: IsoTime; readonly ofOthers: IsoTime },
  limit: number,
): Promise<string[]> {
  const [rows] = await market.commit([claimDue.statement({ now, ...next, limit })]);
  return claimDue.rows(rows).map(({ disputeId }) => disputeId);
}

/** With what the seller bears of it after its payout, and how; negative: it has so much back. */
export type RecentChargeback = Chargeback & {
  readonly claimCents: number;
  /** By a reversal of its transfer, by hand, and out of later payouts. */
  readonly reversedCents: number;
  readonly settledCents: number;
  readonly withheldCents: number;
};

const settledOf = (isReversal: SQL) => sql`COALESCE((SELECT SUM(cents) FROM ${claimRecoveries}
  WHERE ${claimRecoveries.disputeId} = ${chargebacks.disputeId} AND refused_code IS NULL AND ${isReversal}), 0)`;
const REVERSED = settledOf(sql`way = 'transfer'`);
const SETTLED = settledOf(sql`way <> 'transfer'`);

const recent = query((p: Params<{ since: IsoTime; limit: number }>) =>
  build
    .select({
      ...getTableColumns(chargebacks),
      claimCents: sql<number>`COALESCE(${sellerClaims.claimCents} - ${sellerClaims.borneCents}, 0)`,
      reversedCents: sql<number>`${REVERSED}`,
      settledCents: sql<number>`${SETTLED}`,
      withheldCents: sql<number>`COALESCE(${sellerClaims.withheldCents} - ${sellerClaims.borneCents}, 0)
        - ${REVERSED} - ${SETTLED}`,
    })
    .from(chargebacks)
    .leftJoin(sellerClaims, eq(sellerClaims.disputeId, chargebacks.disputeId))
    .where(or(isNull(chargebacks.settledAt), gte(chargebacks.openedAt, p.since)))
    .orderBy(isNotNull(chargebacks.settledAt), desc(chargebacks.openedAt), chargebacks.disputeId)
    .limit(p.limit),
);

/** Those that are open first, then those of late, the newest first. */
export function listRecentChargebacks(
  market: Database,
  since: IsoTime,
  limit: number,
): Promise<RecentChargeback[]> {
  return recent.all(market, { since, limit });
}
