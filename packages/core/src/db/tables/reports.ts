import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { CardEvent } from '../../kernel/ports/card-processor.ts';
import type { JobMessage } from '../../kernel/ports/job-queue.ts';
import type { IsoTime } from '../../kernel/time.ts';

export const cardEvents = sqliteTable('card_events', {
  eventId: text('event_id').notNull(),
  about: text('about', { mode: 'json' }).$type<CardEvent['about']>().notNull(),
  createdAt: text('created_at').notNull(),
  takenAt: text('taken_at'),
});

export const cardEventReadings = sqliteTable('card_event_readings', {
  id: integer('id').notNull(),
  readUntil: text('read_until'),
});

export const deadMessages = sqliteTable('dead_messages', {
  id: text('id').notNull(),
  message: text('message', { mode: 'json' }).$type<JobMessage>().notNull(),
  diedAt: text('died_at').notNull(),
});

/** When the jobs of every minute ran last, in one row, and each job that fails. */
export const jobRuns = sqliteTable('job_runs', {
  job: text('job').notNull(),
  ranAt: text('ran_at').notNull(),
  failingSince: text('failing_since'),
});

export const alarms = sqliteTable('alarms', {
  code: text('code').notNull(),
  beganAt: text('began_at').notNull(),
  notifiedAt: text('notified_at'),
});

/** Copies of the database in the object store. */
export const backups = sqliteTable('backups', {
  id: text('id').notNull(),
  state: text('state').$type<'watching' | 'rows' | 'changes' | 'ending' | 'ended'>().notNull(),
  startedAt: text('started_at').$type<IsoTime>().notNull(),
  /** The table that is being read, and the key of its last row that was. */
  cursor: text('cursor', { mode: 'json' })
    .$type<{ table: number; after: readonly (string | number)[] | null }>()
    .notNull(),
  schemaDigest: text('schema_digest').notNull(),
  parts: integer('parts').notNull().default(0),
  rowCount: integer('row_count').notNull().default(0),
  finishedAt: text('finished_at').$type<IsoTime>(),
});

/** The parts of the copy that is being made. */
export const backupParts = sqliteTable('backup_parts', {
  part: integer('part').notNull(),
  sha256: text('sha256').notNull(),
});

/** Rows that changed while it is being made. */
export const backupChanges = sqliteTable('backup_changes', {
  position: integer('position').notNull(),
  tableName: text('table_name').notNull(),
  key: text('key').notNull(),
});
