import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { CardEvent } from '../../kernel/ports/card-processor.ts';
import type { JobMessage } from '../../kernel/ports/job-queue.ts';

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
