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

/** Never has a row: a trigger aborts the transaction that writes one, with its name as the reason. */
export const guards = sqliteTable('guards', { name: text('name').notNull() });
