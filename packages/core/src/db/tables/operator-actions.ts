import type { Digest } from '@agent-marketplace/protocol/crypto/digest.ts';
import { sql } from 'drizzle-orm';
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { ActionStatement, ActionTexts } from '../../kernel/operation/audit-trail.ts';
import type { OperatorRole } from '../../kernel/operation/operators/operator.ts';

export const operators = sqliteTable('operators', {
  id: text('id').notNull(),
  name: text('name').notNull(),
  role: text('role').$type<OperatorRole>().notNull(),
  secretHash: text('secret_hash').notNull(),
  secretSetAt: text('secret_set_at').notNull(),
  secretSetBy: text('secret_set_by').notNull(),
  createdAt: text('created_at').notNull(),
  createdBy: text('created_by').notNull(),
  revokedAt: text('revoked_at'),
});

export const operatorActions = sqliteTable('operator_actions', {
  sequence: integer('sequence').notNull(),
  previousDigest: text('previous_digest').$type<Digest>(),
  digest: text('digest').$type<Digest>().notNull(),
  keyId: text('key_id').notNull(),
  signature: text('signature').notNull(),
  statement: text('statement', { mode: 'json' }).$type<ActionStatement>().notNull(),
  /** Of the version before: a trigger moves both into `audit_texts`. */
  reason: text('reason'),
  salt: text('salt'),
  operator: text('operator').generatedAlwaysAs(() => sql`json_extract(statement, '$.operator')`),
  subjectType: text('subject_type').generatedAlwaysAs(() => sql`json_extract(statement, '$.subject.type')`),
  subjectId: text('subject_id').generatedAlwaysAs(() => sql`json_extract(statement, '$.subject.id')`),
  at: text('at').generatedAlwaysAs(() => sql`json_extract(statement, '$.at')`),
});

/** What of an entry may name persons. Deleting a row erases it: nothing else has it, and the chain stays valid. */
export const auditTexts = sqliteTable('audit_texts', {
  sequence: integer('sequence').notNull(),
  salt: text('salt').notNull(),
  texts: text('texts', { mode: 'json' }).$type<ActionTexts>().notNull(),
});
