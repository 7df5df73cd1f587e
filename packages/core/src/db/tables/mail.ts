import { type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** What mail can be sent to, by its length. */
export const isAddress = (text: SQLWrapper): SQL => sql`length(${text}) BETWEEN 3 AND 254`;

/**
 * Who reads mail to an address: without its capitals, and without what follows a plus sign in its local part. Gmail ignores
 * dots there as well, and has two domains.
 */
export const personOf = (address: SQLWrapper): SQL =>
  sql`CASE WHEN lower(substr(${address}, instr(${address}, '@'))) IN ('@gmail.com', '@googlemail.com')
  THEN replace(lower(substr(${address}, 1, CASE WHEN instr(${address}, '+') BETWEEN 2 AND instr(${address}, '@')
    THEN instr(${address}, '+') ELSE instr(${address}, '@') END - 1)), '.', '') || '@gmail.com'
  ELSE lower(CASE WHEN instr(${address}, '+') BETWEEN 2 AND instr(${address}, '@')
  THEN substr(${address}, 1, instr(${address}, '+') - 1) || substr(${address}, instr(${address}, '@'))
  ELSE ${address} END) END`;

/** What a mail is about. The list is here only. */
export const MAIL_PURPOSES = [
  'inquiry_reply',
  'purchase_receipt',
  'claim_link',
  'payout_notice',
  'endpoint_notice',
  'account_notice',
  'moderation_notice',
  'alert_notice',
  'email_link',
  'recovery_link',
  'approval_link',
  'passkey_link',
  'refund_notice',
  'dispute_notice',
  'statement_notice',
] as const;
export type MailPurpose = (typeof MAIL_PURPOSES)[number];

export const mailOutbox = sqliteTable('mail_outbox', {
  purpose: text('purpose').$type<MailPurpose>().notNull(),
  reference: text('reference').notNull(),
  recipient: text('recipient').notNull(),
  subject: text('subject'),
  text: text('text'),
  createdAt: text('created_at').notNull(),
  attempts: integer('attempts').notNull().default(0),
  nextAttemptAt: text('next_attempt_at').notNull().default(''),
  sentAt: text('sent_at'),
  failedAt: text('failed_at'),
  /** Of a mail with a link for one account. */
  agentId: text('agent_id'),
  /** A keyed hash of the network that asked for a mail with a link. */
  requester: text('requester'),
  person: text('person').generatedAlwaysAs(() => personOf(sql`recipient`)),
});
