import { sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** What is null was erased. */
export const healthConsents = sqliteTable('health_consents', {
  listingId: text('listing_id').notNull(),
  record: text('record', { mode: 'json' }).$type<object>(),
  signerLegalName: text('signer_legal_name'),
  signerSalt: text('signer_salt'),
  signedAt: text('signed_at').notNull(),
  retainUntil: text('retain_until').notNull(),
  erasedAt: text('erased_at'),
});
