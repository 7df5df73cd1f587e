import { sql } from 'drizzle-orm';
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

export const ratings = sqliteTable('ratings', {
  purchaseId: text('purchase_id').notNull(),
  listingId: text('listing_id').notNull(),
  sellerId: text('seller_id').notNull(),
  buyerId: text('buyer_id').notNull(),
  rating: integer('rating').notNull(),
  comment: text('comment'),
  salt: text('salt').notNull(),
  /** A signed statement. */
  attestation: text('attestation', { mode: 'json' }).$type<object>().notNull(),
  createdAt: text('created_at').notNull(),
  updatedAt: text('updated_at').notNull(),
  isRefunded: integer('is_refunded', { mode: 'boolean' }).notNull().default(false),
  /** What it is called where it is reported: nothing about the purchase. */
  id: text('id'),
  /** By an operator, as it broke a rule. */
  isRemoved: integer('is_removed', { mode: 'boolean' }).notNull().default(false),
  counts: integer('counts', { mode: 'boolean' }).generatedAlwaysAs(sql`is_refunded = 0 AND is_removed = 0`),
  /** Given by a trigger, in the order in which the ratings of a listing came. */
  number: integer('number'),
  /** A signed statement of the number. */
  numbering: text('numbering', { mode: 'json' }).$type<object>(),
});

export const saleTotals = sqliteTable('sale_totals', {
  sellerId: text('seller_id').notNull(),
  listingId: text('listing_id').notNull(),
  status: text('status').$type<'held' | 'releasing' | 'released'>().notNull(),
  sales: integer('sales').notNull(),
  grossCents: integer('gross_cents').notNull(),
  feeCents: integer('fee_cents').notNull(),
  takenNetCents: integer('taken_net_cents').notNull().default(0),
  takenFeeCents: integer('taken_fee_cents').notNull().default(0),
});
