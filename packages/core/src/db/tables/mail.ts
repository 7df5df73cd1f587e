import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

export const mailOutbox = sqliteTable('mail_outbox', {
  purpose: text('purpose').$type<'inquiry_reply' | 'purchase_receipt' | 'claim_link'>().notNull(),
  reference: text('reference').notNull(),
  recipient: text('recipient').notNull(),
  subject: text('subject'),
  text: text('text'),
  createdAt: text('created_at').notNull(),
  attempts: integer('attempts').notNull().default(0),
  nextAttemptAt: text('next_attempt_at').notNull().default(''),
  sentAt: text('sent_at'),
  failedAt: text('failed_at'),
});
