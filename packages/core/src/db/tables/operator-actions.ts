import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { Digest } from '../../kernel/crypto/digest.ts';
import type { ActionStatement } from '../../kernel/operation/audit-trail.ts';

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
