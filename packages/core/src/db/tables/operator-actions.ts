import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { Digest } from '../../kernel/crypto/digest.ts';
import type { ActionStatement } from '../../kernel/operation/audit-trail.ts';
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
  reason: text('reason'),
  salt: text('salt'),
});
