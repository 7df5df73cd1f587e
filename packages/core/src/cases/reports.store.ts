import { and, eq, getTableColumns, lt, notExists, sql } from 'drizzle-orm';
import { build } from '../db/build.ts';
import { insertFrom, insertWhere } from '../db/insert-from.ts';
import { type Params, query, write } from '../db/query.ts';
import { agents } from '../db/tables/agents.ts';
import { moderationCases, reports } from '../db/tables/inquiries.ts';
import type { Database, Statement } from '../kernel/ports/database.ts';
import type { Rule } from '../kernel/rules.data.ts';
import type { IsoTime } from '../kernel/time.ts';
import type { ReportOf } from './report-link.ts';
import { type FoundSubject, isOpenAt, type Place, placeOf } from './subjects.store.ts';

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

const reportedCase = query((p: Params<{ type: string; id: string; reporter: string }>) =>
  build
    .select(getTableColumns(moderationCases))
    .from(reports)
    .innerJoin(moderationCases, eq(moderationCases.id, reports.caseId))
    .where(
      and(eq(reports.subjectType, p.type), eq(reports.subjectId, p.id), eq(reports.reporter, p.reporter)),
    ),
);

/** The case that a report is of; null: it was not kept, or its time is over. */
export function findReportedCase(market: Database, { subject, reporter }: ReportOf) {
  return reportedCase.first(market, { ...subject, reporter });
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

const keyedReporters = query((p: Params<Place & { caseId: string; limit: number }>) =>
  build
    .select({ agentId: sql<string>`${reports.agentId}` })
    .from(reports)
    .where(
      sql`${reports.caseId} IN (SELECT ${p.caseId} UNION ALL SELECT ${moderationCases.id} FROM ${moderationCases}
        WHERE ${isOpenAt(p)}) AND ${reports.agentId} IS NOT NULL`,
    )
    .orderBy(reports.createdAt)
    .limit(p.limit),
);

/** Those who reported with a key what a case is about, the reports that it is to answer included. */
export async function listReporters(
  market: Database,
  { id: caseId, subjectType, subjectId, ratingId }: Place & { readonly id: string },
  limit: number,
): Promise<string[]> {
  return (await keyedReporters.all(market, { caseId, subjectType, subjectId, ratingId, limit })).map(
    ({ agentId }) => agentId,
  );
}

/** Kept of one case: more say nothing new, and would be storage that anybody can fill. */
const MAX_REPORTS = 500;

interface NewReport {
  readonly caseId: string;
  readonly subject: FoundSubject;
  readonly reporter: string;
  readonly agentId: string | null;
  readonly reason: Rule;
  readonly text: string | null;
  readonly at: IsoTime;
}

const openFor = write(
  (
    p: Params<
      Place & { caseId: string; type: string; id: string; ownerId: string; reporter: string; at: IsoTime }
    >,
  ) =>
    insertWhere(
      moderationCases,
      {
        id: p.caseId,
        subjectType: p.subjectType,
        subjectId: p.subjectId,
        ratingId: p.ratingId,
        agentId: p.ownerId,
        openedAt: p.at,
      },
      notExists(
        build
          .select({ id: reports.subjectId })
          .from(reports)
          .where(
            and(
              eq(reports.subjectType, p.type),
              eq(reports.subjectId, p.id),
              eq(reports.reporter, p.reporter),
            ),
          ),
      ),
    ).onConflictDoNothing(),
);

const addReport = write(
  (
    p: Params<
      Place & {
        type: string;
        id: string;
        reporter: string;
        agentId: string | null;
        reason: Rule;
        text: string | null;
        at: IsoTime;
      }
    >,
  ) =>
    insertFrom(
      reports,
      {
        subjectType: p.type,
        subjectId: p.id,
        reporter: p.reporter,
        caseId: moderationCases.id,
        agentId: p.agentId,
        reason: p.reason,
        text: p.text,
        createdAt: p.at,
      },
      (select) =>
        select.from(moderationCases).where(and(isOpenAt(p), lt(moderationCases.reports, MAX_REPORTS))),
    ).onConflictDoNothing(),
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
