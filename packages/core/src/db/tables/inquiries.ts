import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { Rule } from '../../kernel/rules.data.ts';

export const inquiries = sqliteTable('inquiries', {
  id: text('id').notNull(),
  subject: text('subject').notNull(),
  category: text('category').notNull(),
  name: text('name'),
  email: text('email'),
  submittedBy: text('submitted_by').notNull(),
  agentId: text('agent_id'),
  status: text('status').$type<'open' | 'awaiting_inquirer' | 'closed'>().notNull(),
  messageCount: integer('message_count').notNull(),
  closesAt: text('closes_at').notNull(),
  closesAtSetBy: text('closes_at_set_by').$type<'policy' | 'team'>().notNull(),
  closedBy: text('closed_by').$type<'policy' | 'team'>(),
  closedReason: text('closed_reason'),
  closedAt: text('closed_at'),
  createdAt: text('created_at').notNull(),
});

export const inquiryMessages = sqliteTable('inquiry_messages', {
  id: text('id').notNull(),
  inquiryId: text('inquiry_id').notNull(),
  position: integer('position').notNull(),
  author: text('author').$type<'team' | 'inquirer'>().notNull(),
  authorName: text('author_name'),
  body: text('body').notNull(),
  emailStatus: text('email_status').$type<'none' | 'queued' | 'sent' | 'failed'>().notNull().default('none'),
  createdAt: text('created_at').notNull(),
});

export const inquiryAttachments = sqliteTable('inquiry_attachments', {
  id: text('id').notNull(),
  inquiryId: text('inquiry_id').notNull(),
  messageId: text('message_id').notNull(),
  position: integer('position').notNull(),
  filename: text('filename').notNull(),
  contentType: text('content_type').notNull(),
  sizeBytes: integer('size_bytes').notNull(),
  sha256: text('sha256').notNull(),
});

export const attachmentUploads = sqliteTable('attachment_uploads', {
  sha256: text('sha256').notNull(),
  messageId: text('message_id').notNull(),
  startedAt: text('started_at').notNull(),
  isRemoving: integer('is_removing', { mode: 'boolean' }).notNull().default(false),
});

export const ideas = sqliteTable('ideas', {
  id: text('id').notNull(),
  title: text('title').notNull(),
  description: text('description').notNull(),
  category: text('category'),
  submittedBy: text('submitted_by'),
  impact: text('impact'),
  createdAt: text('created_at').notNull(),
});

/** What was reported, and what operators decided about it. */
export const moderationCases = sqliteTable('moderation_cases', {
  id: text('id').notNull(),
  subjectType: text('subject_type').$type<'listing' | 'agent'>().notNull(),
  subjectId: text('subject_id').notNull(),
  /** Which rating of that listing; null: the listing or the agent itself. */
  ratingId: text('rating_id'),
  /** Whose it is. */
  agentId: text('agent_id').notNull(),
  reports: integer('reports').notNull().default(0),
  openedAt: text('opened_at').notNull(),
  action: text('action').$type<'dismiss' | 'block' | 'limit' | 'suspend'>(),
  rule: text('rule').$type<Rule>(),
  reason: text('reason'),
  decidedAt: text('decided_at'),
  decidedBy: text('decided_by'),
  appealBy: text('appeal_by'),
  appealText: text('appeal_text'),
  appealedAt: text('appealed_at'),
  outcome: text('outcome').$type<'upheld' | 'overturned'>(),
  outcomeReason: text('outcome_reason'),
  outcomeAt: text('outcome_at'),
  outcomeBy: text('outcome_by'),
  state: text('state').$type<'open' | 'decided' | 'appealed'>().notNull().default('open'),
});

export const reports = sqliteTable('reports', {
  subjectType: text('subject_type').notNull(),
  subjectId: text('subject_id').notNull(),
  reporter: text('reporter').notNull(),
  caseId: text('case_id').notNull(),
  agentId: text('agent_id'),
  reason: text('reason').$type<Rule>().notNull(),
  text: text('text'),
  createdAt: text('created_at').notNull(),
});

/** What is said in a dispute: by its parties and the operator. Not in sales.ts, which the Worker of x402 carries. */
export const disputeStatements = sqliteTable('dispute_statements', {
  id: text('id').notNull(),
  purchaseId: text('purchase_id').notNull(),
  author: text('author').$type<'buyer' | 'seller' | 'operator'>().notNull(),
  position: integer('position').notNull(),
  body: text('body').notNull(),
  createdAt: text('created_at').notNull(),
});

export const disputeAttachments = sqliteTable('dispute_attachments', {
  id: text('id').notNull(),
  statementId: text('statement_id').notNull(),
  position: integer('position').notNull(),
  filename: text('filename').notNull(),
  contentType: text('content_type').notNull(),
  sizeBytes: integer('size_bytes').notNull(),
  sha256: text('sha256').notNull(),
});
