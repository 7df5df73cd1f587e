import { count, gte, sql, sum } from 'drizzle-orm';
import { build } from '../../db/build.ts';
import { type Params, query } from '../../db/query.ts';
import { moderationCases } from '../../db/tables/inquiries.ts';
import { demandRows } from '../../db/tables/statistics.ts';
import type { Database } from '../../kernel/ports/database.ts';
import type { IsoTime } from '../../kernel/time.ts';

const casesByState = query(() =>
  build
    .select({ state: moderationCases.state, cases: count() })
    .from(moderationCases)
    .where(sql`${moderationCases.state} IN ('open', 'appealed')`)
    .groupBy(moderationCases.state),
);

/** How many cases wait for a decision: reports, and appeals against decisions. */
export async function countCases(db: Database): Promise<{ reports: number; appeals: number }> {
  const rows = await casesByState.all(db);
  const of = (state: string) => rows.find((row) => row.state === state)?.cases ?? 0;
  return { reports: of('open'), appeals: of('appealed') };
}

const day = sql<string>`substr(${demandRows.createdAt}, 1, 10)`;

const salesByDay = query((p: Params<{ since: IsoTime }>) =>
  build
    .select({
      day,
      feeCents: sum(demandRows.platformFeeCents).mapWith(Number),
      grossCents: sum(demandRows.amountCents).mapWith(Number),
      sales: count(),
    })
    .from(demandRows)
    .where(gte(demandRows.createdAt, p.since))
    .groupBy(day)
    .orderBy(day),
);

/** The sales of each day that had any, in UTC, the oldest first. It reads each sale since then. */
export const readSalesByDay = (db: Database, since: IsoTime) => salesByDay.all(db, { since });
