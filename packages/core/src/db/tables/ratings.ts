import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** `attestation` is JSON text: a signed statement. */
export const ratings = sqliteTable('ratings', {
  purchaseId: text('purchase_id').notNull(),
  listingId: text('listing_id').notNull(),
  sellerId: text('seller_id').notNull(),
  buyerId: text('buyer_id').notNull(),
  rating: integer('rating').notNull(),
  comment: text('comment'),
  salt: text('salt').notNull(),
  attestation: text('attestation').notNull(),
  createdAt: text('created_at').notNull(),
  updatedAt: text('updated_at').notNull(),
});

export const saleTotals = sqliteTable('sale_totals', {
  sellerId: text('seller_id').notNull(),
  listingId: text('listing_id').notNull(),
  status: text('status').$type<'held' | 'releasing' | 'released'>().notNull(),
  sales: integer('sales').notNull(),
  grossCents: integer('gross_cents').notNull(),
  feeCents: integer('fee_cents').notNull(),
});
