import { and, eq, getTableColumns, isNull, sql } from 'drizzle-orm';
import { build } from '../db/build.ts';
import { isGuard } from '../db/constraint.ts';
import { guardOneChange } from '../db/guard.ts';
import { insertInto } from '../db/insert-into.ts';
import { type Params, query, toStatement, write } from '../db/query.ts';
import { agents } from '../db/tables/agents.ts';
import { moderationCases, reports } from '../db/tables/inquiries.ts';
import { listings } from '../db/tables/listings.ts';
import { ratings } from '../db/tables/ratings.ts';
import { NEWEST, type Position } from '../kernel/page-cursor.ts';
import type { Database, Statement } from '../kernel/ports/database.ts';
import type { Rule } from '../kernel/rules.data.ts';
import type { IsoTime } from '../kernel/time.ts';

export type ModerationCase = typeof moderationCases.$inferSelect;
export type CaseState = ModerationCase['state'];
export type Action = NonNullable<ModerationCase['action']>;
export type AppealOutcome = NonNullable<ModerationCase['outcome']>;

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

export function subjectOf({ subjectType, subjectId, ratingId }: ModerationCase): Subject {
  return ratingId === null ? { type: subjectType, id: subjectId } : { type: 'rating', id: ratingId };
}

/** Where a case keeps its subject: a rating is one of its listing. */
export function placeOf({ type, id, listingId }: Omit<FoundSubject, 'ownerId'>) {
  if (type !== 'rating') return { subjectType: type, subjectId: id, ratingId: null };
  return { subjectType: 'listing' as const, subjectId: listingId ?? '', ratingId: id };
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

const networkOf = query((p: Params<{ id: string }>) =>
  build
    .select({ network: sql<string | null>`COALESCE(${agents.registeredFromWide}, ${agents.registeredFrom})` })
    .from(agents)
    .where(eq(agents.id, p.id)),
);

/** The network that an agent registered from, as a keyed hash: many keys of one person count once. */
export async function findNetwork(market: Database, id: string): Promise<string | null> {
  return (await networkOf.first(market, { id }))?.network ?? null;
}

const byId = query((p: Params<{ id: string }>) =>
  build.select(getTableColumns(moderationCases)).from(moderationCases).where(eq(moderationCases.id, p.id)),
);

export function findCase(market: Database, id: string): Promise<ModerationCase | null> {
  return byId.first(market, { id });
}

const page = query((p: Params<{ state: CaseState; limit: number } & Position>) =>
  build
    .select(getTableColumns(moderationCases))
    .from(moderationCases)
    .where(
      and(
        eq(moderationCases.state, p.state),
        sql`(${moderationCases.openedAt}, ${moderationCases.id}) < (${p.createdAt}, ${p.id})`,
      ),
    )
    .orderBy(sql`${moderationCases.openedAt} DESC`, sql`${moderationCases.id} DESC`)
    .limit(p.limit),
);

/** Newest first. */
export function listCases(market: Database, state: CaseState, after: Position | null, limit: number) {
  return page.all(market, { ...(after ?? NEWEST), state, limit });
}

const firstReports = query((p: Params<{ caseId: string; limit: number }>) =>
  build
    .select({ createdAt: reports.createdAt, reason: reports.reason, text: reports.text })
    .from(reports)
    .where(eq(reports.caseId, p.caseId))
    .orderBy(reports.createdAt)
    .limit(p.limit),
);

/** The first reports of a case, oldest first. */
export function readReports(market: Database, caseId: string, limit: number) {
  return firstReports.all(market, { caseId, limit });
}

const reporterOf = query((p: Params<{ caseId: string; agentId: string }>) =>
  build
    .select({ agentId: reports.agentId })
    .from(reports)
    .where(and(eq(reports.caseId, p.caseId), eq(reports.agentId, p.agentId))),
);

export async function isReporter(market: Database, caseId: string, agentId: string): Promise<boolean> {
  return (await reporterOf.first(market, { caseId, agentId })) !== null;
}

const keyedReporters = query((p: Params<{ caseId: string; limit: number }>) =>
  build
    .select({ agentId: sql<string>`${reports.agentId}` })
    .from(reports)
    .where(and(eq(reports.caseId, p.caseId), sql`${reports.agentId} IS NOT NULL`))
    .orderBy(reports.createdAt)
    .limit(p.limit),
);

export async function listReporters(market: Database, caseId: string, limit: number): Promise<string[]> {
  return (await keyedReporters.all(market, { caseId, limit })).map(({ agentId }) => agentId);
}

interface NewReport {
  readonly caseId: string;
  readonly subject: FoundSubject;
  readonly reporter: string;
  readonly agentId: string | null;
  readonly reason: Rule;
  readonly text: string | null;
  readonly at: IsoTime;
}

/** Where the open case of a subject is. */
type Place = ReturnType<typeof placeOf>;
const isOpenAt = (p: Params<Place>) => sql`${moderationCases.subjectType} = ${p.subjectType}
  AND ${moderationCases.subjectId} = ${p.subjectId} AND COALESCE(${moderationCases.ratingId}, '') = COALESCE(${p.ratingId}, '')
  AND ${moderationCases.action} IS NULL`;

const openFor = write(
  (
    p: Params<
      Place & { caseId: string; type: string; id: string; ownerId: string; reporter: string; at: IsoTime }
    >,
  ) =>
    sql`INSERT INTO ${moderationCases} (id, subject_type, subject_id, rating_id, agent_id, opened_at)
      SELECT ${p.caseId}, ${p.subjectType}, ${p.subjectId}, ${p.ratingId}, ${p.ownerId}, ${p.at}
      WHERE NOT EXISTS (SELECT 1 FROM ${reports}
        WHERE subject_type = ${p.type} AND subject_id = ${p.id} AND reporter = ${p.reporter})
      ON CONFLICT DO NOTHING`,
);

const addReport = write(
  (
    p: Params<
      Place & {
        type: string;
        id: string;
        reporter: string;
        agentId: string | null;
        reason: string;
        text: string | null;
        at: IsoTime;
      }
    >,
  ) =>
    sql`INSERT INTO ${reports} (subject_type, subject_id, reporter, case_id, agent_id, reason, text, created_at)
      SELECT ${p.type}, ${p.id}, ${p.reporter}, id, ${p.agentId}, ${p.reason}, ${p.text}, ${p.at} FROM ${moderationCases}
      WHERE ${isOpenAt(p)}
      ON CONFLICT DO NOTHING`,
);

/** Adds a report to the open case of its subject, or opens one. A second one of the same reporter changes nothing. */
export function insertReport({
  caseId,
  subject,
  reporter,
  agentId,
  reason,
  text,
  at,
}: NewReport): Statement[] {
  const { type, id, ownerId } = subject;
  const place = placeOf(subject);
  return [
    openFor({ ...place, caseId, type, id, ownerId, reporter, at }),
    addReport({ ...place, type, id, reporter, agentId, reason, text, at }),
  ];
}

/** What an operator decided, by whom. */
export interface Decision {
  readonly action: Action;
  readonly rule: Rule | null;
  readonly reason: string;
  readonly by: string;
  readonly at: IsoTime;
}

const CASE_OPEN = 'moderation_case_open';
const APPEAL_OPEN = 'moderation_appeal_open';

const decide = write((p: Params<Decision & { id: string }>) =>
  build
    .update(moderationCases)
    .set({
      state: 'decided',
      action: p.action,
      rule: p.rule,
      reason: p.reason,
      decidedAt: p.at,
      decidedBy: p.by,
    })
    .where(and(eq(moderationCases.id, p.id), isNull(moderationCases.action))),
);

/** Aborts where it was decided before. */
export function decideCase(id: string, decision: Decision): Statement[] {
  return [decide({ ...decision, id }), guardOneChange(CASE_OPEN)];
}

const absorb = write((p: Params<Place & { id: string }>) =>
  build
    .update(reports)
    .set({ caseId: p.id })
    .where(
      sql`${reports.caseId} = (SELECT ${moderationCases.id} FROM ${moderationCases} WHERE ${isOpenAt(p)})`,
    ),
);
const removeOpen = write((p: Params<Place>) => build.delete(moderationCases).where(isOpenAt(p)));

/** A decision of an operator's own accord. It answers the reports of its subject that wait, if there are any. */
export function insertDecidedCase(id: string, subject: FoundSubject, decision: Decision): Statement[] {
  const { action, rule, reason, by: decidedBy, at } = decision;
  const place = placeOf(subject);
  const row = {
    ...{ ...place, id, agentId: subject.ownerId, openedAt: at },
    ...{ state: 'decided' as const, action, rule, reason, decidedAt: at, decidedBy },
  };
  return [insertInto(moderationCases, row), absorb({ ...place, id }), removeOpen(place)];
}

export function isDecided(error: unknown): boolean {
  return isGuard(error, CASE_OPEN);
}

const appeal = write((p: Params<{ id: string; by: string; text: string; at: IsoTime }>) =>
  build
    .update(moderationCases)
    .set({ state: 'appealed', appealBy: p.by, appealText: p.text, appealedAt: p.at })
    .where(and(eq(moderationCases.id, p.id), isNull(moderationCases.appealedAt))),
);

/** Aborts where there is an appeal already. */
export function appealCase(id: string, by: string, text: string, at: IsoTime): Statement[] {
  return [appeal({ id, by, text, at }), guardOneChange(APPEAL_OPEN)];
}

const endAppealOf = write(
  (p: Params<{ id: string; outcome: AppealOutcome; reason: string; by: string; at: IsoTime }>) =>
    build
      .update(moderationCases)
      .set({
        state: 'decided',
        outcome: p.outcome,
        outcomeReason: p.reason,
        outcomeBy: p.by,
        outcomeAt: p.at,
      })
      .where(
        and(
          eq(moderationCases.id, p.id),
          isNull(moderationCases.outcome),
          sql`${moderationCases.appealedAt} IS NOT NULL`,
        ),
      ),
);

/** Aborts where it was decided before. */
export function endAppeal(
  id: string,
  end: {
    readonly outcome: AppealOutcome;
    readonly reason: string;
    readonly by: string;
    readonly at: IsoTime;
  },
): Statement[] {
  return [endAppealOf({ ...end, id }), guardOneChange(APPEAL_OPEN)];
}

export function isAppealed(error: unknown): boolean {
  return isGuard(error, APPEAL_OPEN);
}

/** Opens a case anew, for the next operator. */
export function reopenCase(
  id: string,
  { subjectType, subjectId, ratingId, agentId }: ModerationCase,
  at: IsoTime,
): Statement {
  const row = { id, subjectType, subjectId, ratingId, agentId, openedAt: at };
  return toStatement(build.insert(moderationCases).values(row).onConflictDoNothing());
}
