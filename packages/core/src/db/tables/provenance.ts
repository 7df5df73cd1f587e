import { sqliteTable, text } from 'drizzle-orm/sqlite-core';

export const signingKeys = sqliteTable('signing_keys', {
  keyId: text('key_id').notNull(),
  purpose: text('purpose').$type<'provenance' | 'ingress'>().notNull(),
  publicKey: text('public_key').notNull(),
  validFrom: text('valid_from').notNull(),
  retiredAt: text('retired_at'),
});
