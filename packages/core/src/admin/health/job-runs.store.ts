import { sql } from 'drizzle-orm';
import { type Params, write } from '../../db/query.ts';
import { jobRuns } from '../../db/tables/reports.ts';
import type { Statement } from '../../kernel/ports/database.ts';
import type { IsoTime } from '../../kernel/time.ts';

/** The row of the whole run. */
export const EVERY_MINUTE = 'every_minute';

interface Run {
  readonly at: IsoTime;
  readonly failed: string;
}

const forgetMended = write(
  (p: Params<Run>) => sql`DELETE FROM ${jobRuns} WHERE failing_since IS NOT NULL
    AND job NOT IN (SELECT value FROM json_each(${p.failed}))`,
);

const record = write(
  (p: Params<Run>) => sql`INSERT INTO ${jobRuns} (job, ran_at, failing_since)
    SELECT ${EVERY_MINUTE}, ${p.at}, NULL UNION ALL SELECT value, ${p.at}, ${p.at} FROM json_each(${p.failed}) WHERE true
    ON CONFLICT (job) DO UPDATE SET ran_at = excluded.ran_at`,
);

/** That the jobs ran, and which of them failed: one row a minute while none does. */
export function recordJobRun(at: IsoTime, failedJobs: readonly string[]): Statement[] {
  const run = { at, failed: JSON.stringify(failedJobs) };
  return [forgetMended(run), record(run)];
}
