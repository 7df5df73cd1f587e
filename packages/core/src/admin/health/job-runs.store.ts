import { and, isNotNull, not, sql } from 'drizzle-orm';
import { asJson, build, excluded, isOneOf } from '../../db/build.ts';
import { insertFrom } from '../../db/insert-from.ts';
import { type Params, write } from '../../db/query.ts';
import { jobRuns } from '../../db/tables/reports.ts';
import type { Statement } from '../../kernel/ports/database.ts';
import type { IsoTime } from '../../kernel/time.ts';

/** The row of the whole run. */
export const EVERY_MINUTE = 'every_minute';

interface Run {
  readonly at: IsoTime;
  readonly failed: readonly string[];
}

const forgetMended = write((p: Params<Run>) =>
  build.delete(jobRuns).where(and(isNotNull(jobRuns.failingSince), not(isOneOf(jobRuns.job, p.failed)))),
);

const ranAgain = () => ({ target: jobRuns.job, set: excluded(jobRuns, 'ranAt') });

const recordRun = write((p: Params<{ at: IsoTime }>) =>
  build.insert(jobRuns).values({ job: EVERY_MINUTE, ranAt: p.at }).onConflictDoUpdate(ranAgain()),
);

const recordFailed = write((p: Params<Run>) =>
  insertFrom(jobRuns, { job: sql`value`, ranAt: p.at, failingSince: p.at }, (select) =>
    select.from(sql`json_each(${asJson(p.failed)})`).where(sql`true`),
  ).onConflictDoUpdate(ranAgain()),
);

/** That the jobs ran, and which of them failed: one row a minute while none does. */
export function recordJobRun(at: IsoTime, failed: readonly string[]): Statement[] {
  return [forgetMended({ at, failed }), recordRun({ at }), recordFailed({ at, failed })];
}
