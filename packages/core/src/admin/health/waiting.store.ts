import { asc, isNotNull, type SQL, sql } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import { build } from '../../db/build.ts';
import { type Params, query } from '../../db/query.ts';
import { agentEvents } from '../../db/tables/events.ts';
import { chainReadings, processorReadings } from '../../db/tables/ledger.ts';
import { searchOutbox } from '../../db/tables/listings.ts';
import { mailOutbox } from '../../db/tables/mail.ts';
import { logOutbox, logState } from '../../db/tables/provenance.ts';
import { backups, cardEvents, deadMessages, jobRuns } from '../../db/tables/reports.ts';
import { documents } from '../../db/tables/search.ts';
import type { Database } from '../../kernel/ports/database.ts';
import type { IsoTime } from '../../kernel/time.ts';
import { EVERY_MINUTE } from './job-runs.store.ts';

/** Counted no further: more is as bad. */
const MOST_COUNTED = 1000;

const waitingIn = (table: SQLiteTable, isWaiting: SQL) =>
  sql<number>`(SELECT COUNT(*) FROM (SELECT 1 FROM ${table} WHERE ${isWaiting} LIMIT ${sql.raw(`${MOST_COUNTED}`)}))`;
const text = (value: SQL) => sql<string | null>`${value}`;

const mailIsOpen = sql`sent_at IS NULL AND failed_at IS NULL AND text IS NOT NULL`;
const eventIsOpen = sql`delivered_at IS NULL AND given_up_at IS NULL AND is_pushed = 1`;

const inMarket = query((p: Params<{ now: IsoTime }>) =>
  build
    .select({
      ranAt: text(sql`(SELECT ran_at FROM ${jobRuns} WHERE job = ${EVERY_MINUTE})`),
      searchWaiting: waitingIn(searchOutbox, sql`indexed_mark < mark`),
      messagesDead: waitingIn(deadMessages, sql`true`),
      oldestDeadAt: text(sql`(SELECT MIN(died_at) FROM ${deadMessages})`),
      eventsWaiting: waitingIn(agentEvents, sql`${eventIsOpen} AND next_attempt_at <= ${p.now}`),
      oldestEventAt: text(
        sql`(SELECT MIN(next_attempt_at) FROM ${agentEvents} WHERE ${eventIsOpen} AND next_attempt_at <= ${p.now})`,
      ),
      statementsWaiting: waitingIn(logOutbox, sql`true`),
      logStoppedAt: text(sql`(SELECT stopped_at FROM ${logState})`),
      oldestStatementAt: text(sql`(SELECT signed_at FROM ${logOutbox} ORDER BY position LIMIT 1)`),
      mailsWaiting: waitingIn(mailOutbox, sql`${mailIsOpen} AND next_attempt_at <= ${p.now}`),
      oldestMailAt: text(
        sql`(SELECT MIN(created_at) FROM ${mailOutbox} WHERE ${mailIsOpen} AND next_attempt_at <= ${p.now})`,
      ),
      cardEventsWaiting: waitingIn(cardEvents, sql`taken_at IS NULL`),
      oldestCardEventAt: text(sql`(SELECT MIN(created_at) FROM ${cardEvents} WHERE taken_at IS NULL)`),
      backedUpAt: text(sql`(SELECT MAX(finished_at) FROM ${backups})`),
      firstBackupAt: text(sql`(SELECT MIN(started_at) FROM ${backups})`),
      processorReadAt: text(sql`(SELECT read_until FROM ${processorReadings} WHERE id = 1)`),
      chainReadAt: text(sql`(SELECT MAX(checked_until) FROM ${chainReadings})`),
    })
    .from(sql`(SELECT 1)`),
);

const failing = query(() =>
  build
    .select({ job: jobRuns.job, since: sql<IsoTime>`${jobRuns.failingSince}` })
    .from(jobRuns)
    .where(isNotNull(jobRuns.failingSince))
    .orderBy(asc(jobRuns.failingSince), asc(jobRuns.job)),
);

const anyDocument = query(() => build.select({ id: documents.listingId }).from(documents).limit(1));

export type Waiting = Awaited<ReturnType<typeof readWaiting>>;

/** What waits in the market database, and when what runs by itself ran last. One round trip. */
export async function readWaiting(market: Database, now: IsoTime) {
  const [found, failingJobs] = await Promise.all([inMarket.first(market, { now }), failing.all(market)]);
  if (found === null) throw new Error('A row of sub-queries is never missing.');
  return { ...found, failingJobs };
}

/** Throws where the search database does not answer. */
export async function readSearch(search: Database): Promise<true> {
  await anyDocument.first(search);
  return true;
}
