import { and, desc, eq, ne, sql } from 'drizzle-orm';
import { build } from '../../db/build.ts';
import { isGuard } from '../../db/constraint.ts';
import { guardOneChange } from '../../db/guard.ts';
import { insertInto } from '../../db/insert-into.ts';
import { type Params, query, write } from '../../db/query.ts';
import { agents } from '../../db/tables/agents.ts';
import { healthDeclarations, listings } from '../../db/tables/listings.ts';
import { NEWEST, type Position } from '../../kernel/page-cursor.ts';
import type { Database, Statement } from '../../kernel/ports/database.ts';
import type { IsoTime } from '../../kernel/time.ts';

type DeclarationRow = typeof healthDeclarations.$inferSelect;
export type DeclarationStatus = DeclarationRow['status'];
export type Review = {
  readonly status: Exclude<DeclarationStatus, 'open'>;
  readonly reason: string;
  readonly reviewedAt: IsoTime;
};

const DECLARATION = {
  createdAt: healthDeclarations.createdAt,
  id: healthDeclarations.id,
  listingId: healthDeclarations.listingId,
  listingStatus: listings.status,
  reason: healthDeclarations.reason,
  reviewedAt: healthDeclarations.reviewedAt,
  sellerLabel: agents.sellerLabel,
  status: healthDeclarations.status,
  title: listings.title,
  version: healthDeclarations.version,
  words: healthDeclarations.words,
};

const withListing = () =>
  build
    .select(DECLARATION)
    .from(healthDeclarations)
    .innerJoin(listings, eq(listings.id, healthDeclarations.listingId))
    .innerJoin(agents, eq(agents.id, listings.sellerId));

const byId = query((p: Params<{ id: string }>) => withListing().where(eq(healthDeclarations.id, p.id)));

const newest = query((p: Params<{ status: DeclarationStatus; limit: number } & Position>) =>
  withListing()
    .where(
      and(
        eq(healthDeclarations.status, p.status),
        sql`(${healthDeclarations.createdAt}, ${healthDeclarations.id}) < (${p.createdAt}, ${p.id})`,
      ),
    )
    .orderBy(desc(healthDeclarations.createdAt), desc(healthDeclarations.id))
    .limit(p.limit),
);

const rejectedOf = query((p: Params<{ sellerId: string }>) =>
  build
    .select({ listingId: healthDeclarations.listingId, words: healthDeclarations.words })
    .from(listings)
    .innerJoin(
      healthDeclarations,
      and(eq(healthDeclarations.listingId, listings.id), eq(healthDeclarations.status, 'rejected')),
    )
    .where(eq(listings.sellerId, p.sellerId)),
);

/** A declaration as the operator sees it, with its listing as it is now. */
export type HealthDeclaration = Awaited<ReturnType<typeof listDeclarations>>[number];

export function findDeclaration(market: Database, id: string): Promise<HealthDeclaration | null> {
  return byId.first(market, { id });
}

/** Newest first. */
export function listDeclarations(
  market: Database,
  status: DeclarationStatus,
  after: Position | null,
  limit: number,
) {
  return newest.all(market, { ...(after ?? NEWEST), status, limit });
}

/** Those of one seller that an operator rejected and did not accept since. */
export function listRejected(market: Database, sellerId: string) {
  return rejectedOf.all(market, { sellerId });
}

/** To be committed with the history entry of this version. */
export function insertDeclaration(
  declaration: Pick<DeclarationRow, 'id' | 'listingId' | 'version' | 'words' | 'createdAt'>,
): Statement {
  return insertInto(healthDeclarations, declaration);
}

const REVIEWED_ONCE = 'health_declaration_reviewed_once';

const setReview = write((p: Params<Review & { id: string; before: DeclarationStatus }>) =>
  build
    .update(healthDeclarations)
    .set({ status: p.status, reason: p.reason, reviewedAt: p.reviewedAt })
    .where(and(eq(healthDeclarations.id, p.id), eq(healthDeclarations.status, p.before))),
);

/** A rejection is of the listing as it is. An acceptance lifts it, and covers what was declared earlier, not later. */
const setReviewOfOthers = write((p: Params<Review & { listingId: string; version: number }>) =>
  build
    .update(healthDeclarations)
    .set({ status: p.status, reason: p.reason, reviewedAt: p.reviewedAt })
    .where(
      and(
        eq(healthDeclarations.listingId, p.listingId),
        ne(healthDeclarations.status, p.status),
        sql`(${p.status} = 'rejected' OR ${healthDeclarations.status} = 'rejected'
          OR ${healthDeclarations.version} <= ${p.version})`,
      ),
    ),
);

/** Records what an operator found. Aborts the transaction if another review came in between. */
export function recordReview(
  { id, listingId, status: before, version }: HealthDeclaration,
  review: Review,
): Statement[] {
  return [
    setReview({ ...review, id, before }),
    guardOneChange(REVIEWED_ONCE),
    setReviewOfOthers({ ...review, listingId, version }),
  ];
}

export function isReviewedBefore(error: unknown): boolean {
  return isGuard(error, REVIEWED_ONCE);
}
