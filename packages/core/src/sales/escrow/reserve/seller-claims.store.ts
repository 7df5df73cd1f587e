import { and, desc, eq, getTableColumns, ne, sql } from 'drizzle-orm';
import { asInteger, build } from '../../../db/build.ts';
import { isGuard } from '../../../db/constraint.ts';
import { abortWhere } from '../../../db/guard.ts';
import { insertInto } from '../../../db/insert-into.ts';
import { type Params, query, write } from '../../../db/query.ts';
import { chargebacks, sellerClaims, withholdings } from '../../../db/tables/sales.ts';
import type { Database, Statement } from '../../../kernel/ports/database.ts';
import type { OpenClaim, Withholding } from './withholding.rules.ts';

export type SellerClaim = Readonly<typeof sellerClaims.$inferSelect>;

const OPEN_CENTS = sql<number>`${sellerClaims.claimCents} - ${sellerClaims.withheldCents}`;
/** More disputes of one seller than a payout can bear at once wait for the next one. */
const MOST = 50;

const open = query((p: Params<{ sellerId: string }>) =>
  build
    .select({ disputeId: sellerClaims.disputeId, openCents: OPEN_CENTS })
    .from(sellerClaims)
    .innerJoin(chargebacks, eq(chargebacks.disputeId, sellerClaims.disputeId))
    .where(
      and(eq(sellerClaims.sellerId, p.sellerId), ne(sellerClaims.claimCents, sellerClaims.withheldCents)),
    )
    // What is to be given back comes first: it may be withheld anew at once.
    .orderBy(OPEN_CENTS, chargebacks.openedAt, sellerClaims.disputeId)
    .limit(MOST),
);

/** What a seller still bears of what banks took, or has back. */
export function listOpenClaims(market: Database, sellerId: string): Promise<OpenClaim[]> {
  return open.all(market, { sellerId });
}

const ofPurchase = query((p: Params<{ purchaseId: string }>) =>
  build
    .select(getTableColumns(sellerClaims))
    .from(sellerClaims)
    .where(eq(sellerClaims.purchaseId, p.purchaseId))
    .orderBy(desc(sellerClaims.disputeId)),
);

export function listClaimsOf(market: Database, purchaseId: string): Promise<SellerClaim[]> {
  return ofPurchase.all(market, { purchaseId });
}

const UNCHANGED = 'seller_claims_unchanged';
const unchanged = write((p: Params<{ purchaseId: string; disputeId: string; cents: number }>) => {
  const others = build
    .select({ cents: sql`COALESCE(SUM(${sellerClaims.claimCents} - ${sellerClaims.borneCents}), 0)` })
    .from(sellerClaims)
    .where(and(eq(sellerClaims.purchaseId, p.purchaseId), ne(sellerClaims.disputeId, p.disputeId)));
  return abortWhere(UNCHANGED, sql`${others} <> ${asInteger(p.cents)}`);
});

/** What the seller of a sale bears for its other disputes; negative: it has so much back. */
export function borneForOthers(claims: readonly SellerClaim[], disputeId: string): number {
  const others = claims.filter((one) => one.disputeId !== disputeId);
  return others.reduce((sum, { claimCents, borneCents }) => sum + claimCents - borneCents, 0);
}

/** Aborts where that is another sum than it was when these were read. */
export function requireClaims(
  purchaseId: string,
  disputeId: string,
  claims: readonly SellerClaim[],
): Statement {
  return unchanged({ purchaseId, disputeId, cents: borneForOthers(claims, disputeId) });
}

export const isClaimConflict = (error: unknown): boolean => isGuard(error, UNCHANGED);

const save = write((p: Params<Omit<SellerClaim, 'withheldCents' | 'recoverAt'>>) =>
  build
    .insert(sellerClaims)
    .values({
      disputeId: p.disputeId,
      purchaseId: p.purchaseId,
      sellerId: p.sellerId,
      claimCents: asInteger(p.claimCents),
      withheldCents: asInteger(p.borneCents),
      borneCents: asInteger(p.borneCents),
    })
    .onConflictDoUpdate({
      target: sellerClaims.disputeId,
      set: {
        claimCents: asInteger(p.claimCents),
        withheldCents: sql`${sellerClaims.withheldCents} + ${asInteger(p.borneCents)} - ${sellerClaims.borneCents}`,
        borneCents: asInteger(p.borneCents),
      },
    }),
);

/**
 * So much of a lost dispute is the seller's share, and so much of that its sale was paid less; a share of 0: nothing any
 * more, so that it has back what it bore.
 */
export function saveClaim(claim: Omit<SellerClaim, 'withheldCents' | 'recoverAt'>): Statement {
  return save(claim);
}

const drop = write((p: Params<{ purchaseId: string }>) =>
  build
    .update(sellerClaims)
    .set({ claimCents: sql`MIN(${sellerClaims.claimCents}, ${sellerClaims.borneCents})` })
    .where(eq(sellerClaims.purchaseId, p.purchaseId)),
);

/** The seller has no share of the sale any more that it could bear a further loss of. */
export function dropClaims(purchaseId: string): Statement {
  return drop({ purchaseId });
}

/** Aborts where another payout bears the same cents. */
export function withhold(purchaseId: string, { disputeId, cents }: Withholding): Statement {
  return insertInto(withholdings, { disputeId, purchaseId, cents });
}

const undo = write((p: Params<{ purchaseId: string }>) =>
  build.delete(withholdings).where(eq(withholdings.purchaseId, p.purchaseId)),
);

/** The payout is not made: what it was to bear is open again. */
export function undoWithholdings(purchaseId: string): Statement {
  return undo({ purchaseId });
}
