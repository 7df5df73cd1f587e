import { integer, real, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** Of the search database, not the market database. */
export const documents = sqliteTable('documents', {
  listingId: text('listing_id').notNull(),
  title: text('title').notNull(),
  description: text('description').notNull(),
  verticalSlug: text('vertical_slug').notNull(),
  categorySlug: text('category_slug').notNull(),
  subcategory: text('subcategory'),
  listingType: text('listing_type').notNull(),
  isSample: integer('is_sample').notNull(),
  isFree: integer('is_free').notNull(),
  priceCents: integer('price_cents').notNull(),
  createdAt: text('created_at').notNull(),
  popularity: integer('popularity').notNull(),
  ratingAvg: real('rating_avg'),
  quality: real('quality').notNull(),
  trust: real('trust').notNull(),
  summary: text('summary').notNull(),
});
