import { and, eq, sql } from 'drizzle-orm';
import { build } from '../db/build.ts';
import { type Params, query } from '../db/query.ts';
import { agents } from '../db/tables/agents.ts';
import { moderationCases } from '../db/tables/inquiries.ts';
import { listings } from '../db/tables/listings.ts';
import { ratings } from '../db/tables/ratings.ts';
import type { Database } from '../kernel/ports/database.ts';

type CaseRow = typeof moderationCases.$inferSelect;

/** What may be reported. */
export interface Subject {
  readonly type: 'listing' | 'rating' | 'agent';
  readonly id: string;
}

/** What was reported, with whose it is. */
export interface FoundSubject extends Subject {
  readonly ownerId: string;
  /** Of a listing, and of a rating. */
  readonly listingId: string | null;
}

export function subjectOf({ subjectType, subjectId, ratingId }: CaseRow): Subject {
  return ratingId === null ? { type: subjectType, id: subjectId } : { type: 'rating', id: ratingId };
}

/** Where a case keeps its subject: a rating is one of its listing. */
export type Place = Pick<CaseRow, 'subjectType' | 'subjectId' | 'ratingId'>;

export function placeOf({ type, id, listingId }: Omit<FoundSubject, 'ownerId'>): Place {
  if (type !== 'rating') return { subjectType: type, subjectId: id, ratingId: null };
  return { subjectType: 'listing', subjectId: listingId ?? '', ratingId: id };
}

const ownerOfListing = query((p: Params<{ id: string }>) =>
  build
    .select({ agentId: listings.sellerId, listingId: listings.id })
    .from(listings)
    .where(eq(listings.id, p.id)),
);
const authorOfRating = query((p: Params<{ id: string }>) =>
  build
    .select({ agentId: ratings.buyerId, listingId: ratings.listingId })
    .from(ratings)
    .where(and(eq(ratings.id, p.id), eq(ratings.isRemoved, false))),
);
const ownerOfAccount = query((p: Params<{ id: string }>) =>
  build
    .select({ agentId: agents.id, listingId: sql<null>`NULL` })
    .from(agents)
    .where(and(eq(agents.id, p.id), eq(agents.isSmokeTest, false))),
);
const OWNERS = { listing: ownerOfListing, rating: authorOfRating, agent: ownerOfAccount } as const;

/** Null: there is no such thing, or it is a rating that was removed. */
export async function findSubject(market: Database, subject: Subject): Promise<FoundSubject | null> {
  const owner = await OWNERS[subject.type].first(market, { id: subject.id });
  return owner && { ...subject, ownerId: owner.agentId, listingId: owner.listingId };
}

/** The case of a place that waits for its decision. */
export const isOpenAt = (p: Params<Place>) => sql`${moderationCases.subjectType} = ${p.subjectType}
  AND ${moderationCases.subjectId} = ${p.subjectId} AND COALESCE(${moderationCases.ratingId}, '') = COALESCE(${p.ratingId}, '')
  AND ${moderationCases.action} IS NULL`;
