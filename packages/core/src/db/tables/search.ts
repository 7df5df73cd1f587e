import { integer, real, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** Tables of the search database, not of the market database. */
export const documents = sqliteTable('documents', {
  listingId: text('listing_id').notNull(),
  title: text('title').notNull(),
  description: text('description').notNull(),
  tags: text('tags').notNull().default(''),
  /** The vertical's name and keywords, which are searched too. */
  verticalWords: text('vertical_words').notNull().default(''),
  /** The words of these texts that a misspelt one may stand for. */
  spellings: text('spellings', { mode: 'json' }).$type<readonly string[]>().notNull().default([]),
  verticalSlug: text('vertical_slug').notNull(),
  categorySlug: text('category_slug').notNull(),
  subcategory: text('subcategory'),
  listingType: text('listing_type').notNull(),
  isSample: integer('is_sample', { mode: 'boolean' }).notNull(),
  isFree: integer('is_free', { mode: 'boolean' }).notNull(),
  priceCents: integer('price_cents').notNull(),
  createdAt: text('created_at').notNull(),
  popularity: integer('popularity').notNull(),
  ratingAvg: real('rating_avg'),
  quality: real('quality').notNull(),
  trust: real('trust').notNull(),
  successRate: real('success_rate'),
  p95Ms: integer('p95_ms'),
  /** Whether its seller's endpoint answered lately, so far as anybody knows. */
  isReachable: integer('is_reachable', { mode: 'boolean' }).notNull().default(true),
  summary: text('summary').notNull(),
  /** The price to the micro-unit, of those that have one in cents as well. */
  priceMicros: integer('price_micros').notNull().default(0),
});

/** Up to which change of a listing its document, or the removal of one, was written. */
export const indexedMarks = sqliteTable('indexed_marks', {
  listingId: text('listing_id').notNull(),
  mark: integer('mark').notNull(),
});

/** Counts of documents, kept by triggers. */
export const facets = sqliteTable('facets', {
  verticalSlug: text('vertical_slug').notNull(),
  categorySlug: text('category_slug').notNull(),
  listingType: text('listing_type').notNull(),
  isSample: integer('is_sample', { mode: 'boolean' }).notNull(),
  isFree: integer('is_free', { mode: 'boolean' }).notNull(),
  documents: integer('documents').notNull(),
});

export const subcategoryFacets = sqliteTable('subcategory_facets', {
  verticalSlug: text('vertical_slug').notNull(),
  subcategory: text('subcategory').notNull(),
  isSample: integer('is_sample', { mode: 'boolean' }).notNull(),
  documents: integer('documents').notNull(),
});

/** The words of all documents, kept by triggers, and the three-letter pieces of each. */
export const spellings = sqliteTable('spellings', { word: text('word').notNull() });

export const spellingTrigrams = sqliteTable('spelling_trigrams', {
  trigram: text('trigram').notNull(),
  word: text('word').notNull(),
});
