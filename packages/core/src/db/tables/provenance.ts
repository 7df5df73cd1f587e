import type { Digest } from '@agent-marketplace/protocol/crypto/digest.ts';
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

export const signingKeys = sqliteTable('signing_keys', {
  keyId: text('key_id').notNull(),
  purpose: text('purpose').$type<'provenance' | 'ingress'>().notNull(),
  publicKey: text('public_key').notNull(),
  validFrom: text('valid_from').notNull(),
  retiredAt: text('retired_at'),
});

/** Signed statements that the transparency log is to take. Triggers of the statements' tables write them. */
export const logOutbox = sqliteTable('log_outbox', {
  position: integer('position').notNull(),
  type: text('type').notNull(),
  digest: text('digest').$type<Digest>().notNull(),
  keyId: text('key_id').notNull(),
  signedAt: text('signed_at').notNull(),
});

/** How many leaves the log has of which none waits in the outbox. */
export const logState = sqliteTable('log_state', {
  only: integer('only').notNull(),
  size: integer('size').notNull(),
  stoppedAt: text('stopped_at'),
});
