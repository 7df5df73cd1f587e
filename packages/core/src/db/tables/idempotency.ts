import { sqliteTable, text } from 'drizzle-orm/sqlite-core';

export const idempotencyKeys = sqliteTable('idempotency_keys', {
  scope: text('scope').notNull(),
  key: text('key').notNull(),
  requestDigest: text('request_digest').notNull(),
  token: text('token').notNull(),
  outcome: text('outcome'),
  claimedUntil: text('claimed_until').notNull(),
  expiresAt: text('expires_at').notNull(),
});
