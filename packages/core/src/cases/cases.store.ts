import { and, eq, getTableColumns, isNull, sql } from 'drizzle-orm';
import { build } from '../db/build.ts';
import { isGuard } from '../db/constraint.ts';
import { guardOneChange } from '../db/guard.ts';
import { insertInto } from '../db/insert-into.ts';
import { type Params, query, toStatement, write } from '../db/query.ts';
import { moderationCases, reports } from '../db/tables/inquiries.ts';
import { NEWEST, type Position } from '../kernel/page-cursor.ts';
import type { Database, Statement } from '../kernel/ports/database.ts';
import type { Rule } from '../kernel/rules.data.ts';
import type { IsoTime } from '../kernel/time.ts';
import { type FoundSubject, isOpenAt, type Place, placeOf, type Subject } from './subjects.store.ts';

export type ModerationCase = typeof moderationCases.$inferSelect;
export type CaseState = ModerationCase['state'];
export type Action = NonNullable<ModerationCase['action']>;
export type AppealOutcome = NonNullable<ModerationCase['outcome']>;

const byId = query((p: Params<{ id: string }>) =>
  build.select(getTableColumns(moderationCases)).from(moderationCases).where(eq(moderationCases.id, p.id)),
);

export function findCase(market: Database, id: string): Promise<ModerationCase | null> {
  return byId.first(market, { id });
}

/** Which cases of a state, where not all. */
export interface CaseFilter {
  readonly state: CaseState;
  readonly subjectType: Subject['type'] | null;
  readonly subjectId: string | null;
}

const listIn = (order: 'ASC' | 'DESC') =>
  query((p: Params<CaseFilter & { limit: number } & Position>) => {
    const { ratingId, subjectId, subjectType, openedAt, id, state } = moderationCases;
    const isAfter = sql.raw(order === 'ASC' ? '>' : '<');
    return build
      .select(getTableColumns(moderationCases))
      .from(moderationCases)
      .where(
        and(
          eq(state, p.state),
          sql`(${openedAt}, ${id}) ${isAfter} (${p.createdAt}, ${p.id})`,
          sql`COALESCE(${p.subjectType} = CASE WHEN ${ratingId} IS NULL THEN ${subjectType} ELSE 'rating' END, 1)`,
          sql`COALESCE(${p.subjectId} = COALESCE(${ratingId}, ${subjectId}), 1)`,
        ),
      )
      .orderBy(sql`${openedAt} ${sql.raw(order)}`, sql`${id} ${sql.raw(order)}`)
      .limit(p.limit);
  });
const oldestFirst = listIn('ASC');
const newestFirst = listIn('DESC');

/** What waits, the oldest first; what was decided, the newest first. */
export function listCases(market: Database, filter: CaseFilter, after: Position | null, limit: number) {
  return filter.state === 'decided'
    ? newestFirst.all(market, { ...(after ?? NEWEST), ...filter, limit })
    : oldestFirst.all(market, { ...(after ?? OLDEST), ...filter, limit });
}

/** Sorts before every row. */
const OLDEST: Position = { createdAt: '', id: '' };

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
/** As many reported it as the case that it takes the place of. */
const inheritCount = write((p: Params<Place & { id: string }>) =>
  build
    .update(moderationCases)
    .set({
      reports: sql`COALESCE((SELECT ${moderationCases.reports} FROM ${moderationCases} WHERE ${isOpenAt(p)}), 0)`,
    })
    .where(eq(moderationCases.id, p.id)),
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
  const taken = { ...place, id };
  return [insertInto(moderationCases, row), absorb(taken), inheritCount(taken), removeOpen(place)];
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
