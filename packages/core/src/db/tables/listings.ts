import type { Json, JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import type { MeteredUnit } from '@agent-marketplace/protocol/metered-units.ts';
import { integer, real, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { Rule } from '../../kernel/rules.data.ts';

export const listings = sqliteTable('listings', {
  id: text('id').notNull(),
  sellerId: text('seller_id').notNull(),
  sellerKind: text('seller_kind').$type<'third_party' | 'platform'>().notNull(),
  status: text('status').$type<'pending' | 'active' | 'inactive'>().notNull(),
  verticalSlug: text('vertical_slug').notNull(),
  title: text('title').notNull(),
  description: text('description').notNull(),
  preview: text('preview', { mode: 'json' }).$type<JsonObject>().notNull(),
  priceCents: integer('price_cents').notNull(),
  pricingType: text('pricing_type').$type<'fixed'>().notNull().default('fixed'),
  listingType: text('listing_type').$type<'standard' | 'limited' | 'exclusive'>().notNull(),
  maxCopies: integer('max_copies'),
  fulfilment: text('fulfilment').$type<'digital' | 'physical'>().notNull(),
  fingerprint: text('fingerprint').notNull(),
  /** Of what is compared with blocked texts; null: it was last changed before these were kept. */
  textDigest: text('text_digest'),
  images: text('images', { mode: 'json' }).$type<readonly string[]>().notNull().default([]),
  inputSchema: text('input_schema', { mode: 'json' }).$type<JsonObject>(),
  outputSchema: text('output_schema', { mode: 'json' }).$type<JsonObject>(),
  exampleQuery: text('example_query', { mode: 'json' }).$type<JsonObject>(),
  subcategory: text('subcategory'),
  dataDate: text('data_date'),
  dataFormat: text('data_format'),
  sellerState: text('seller_state'),
  demographics: text('demographics', { mode: 'json' }).$type<Json>(),
  contextTags: text('context_tags', { mode: 'json' }).$type<Json>(),
  deidentificationLevel: text('deidentification_level'),
  authorizedUses: text('authorized_uses', { mode: 'json' }).$type<Json>(),
  dataOrigin: text('data_origin'),
  collectionMethod: text('collection_method'),
  sourceAttribution: text('source_attribution'),
  healthConsentVerified: integer('health_consent_verified', { mode: 'boolean' }).notNull().default(false),
  isSample: integer('is_sample', { mode: 'boolean' }).notNull().default(false),
  soldCount: integer('sold_count').notNull().default(0),
  purchaseCount: integer('purchase_count').notNull().default(0),
  /** How many bought it, as far as that says something: anybody can take what is free any number of times. */
  popularity: integer('popularity').notNull().default(0),
  viewCount: integer('view_count').notNull().default(0),
  ratingCount: integer('rating_count').notNull().default(0),
  ratingSum: integer('rating_sum').notNull().default(0),
  /** In thousandths of a buyer. */
  ratedWeight: integer('rated_weight').notNull().default(0),
  starsWeight: integer('stars_weight').notNull().default(0),
  version: integer('version').notNull().default(1),
  historyDigest: text('history_digest').notNull(),
  lastModified: text('last_modified'),
  createdAt: text('created_at').notNull(),
  redelivery: text('redelivery').$type<'same' | 'fresh_once'>().notNull().default('same'),
  blockedAt: text('blocked_at'),
  blockedRule: text('blocked_rule').$type<Rule>(),
  blockedReason: text('blocked_reason'),
  blockedStatus: text('blocked_status').$type<'pending' | 'active' | 'inactive'>(),
  /** Null: the price is a whole number of cents. */
  priceMicros: integer('price_micros'),
  /** Null: a query has one price. */
  meter: text('meter', { mode: 'json' }).$type<Meter>(),
  pictures: text('pictures', { mode: 'json' }).$type<readonly ListingPicture[]>().notNull().default([]),
});

/** A picture of a listing as it was drawn anew, by the SHA-256 (lower-case hex) of its bytes in either size. */
export interface ListingPicture {
  /** In pixels, of the large one. */
  readonly height: number;
  readonly large: string;
  readonly small: string;
  readonly width: number;
}

/** A price per unit. What `maxUnits` cost is the price of the listing. */
export interface Meter {
  readonly unit: MeteredUnit;
  readonly unitPriceMicros: number;
  /** The most units of a query. */
  readonly maxUnits: number;
}

export const listingImages = sqliteTable('listing_images', {
  listingId: text('listing_id').notNull(),
  position: integer('position').notNull(),
  url: text('url').notNull(),
  attempts: integer('attempts').notNull().default(0),
  nextAttemptAt: text('next_attempt_at'),
  refusal: text('refusal'),
  smallSha256: text('small_sha256'),
  largeSha256: text('large_sha256'),
  fetchedAt: text('fetched_at'),
});

export const listingHistory = sqliteTable('listing_history', {
  listingId: text('listing_id').notNull(),
  version: integer('version').notNull(),
  entry: text('entry', { mode: 'json' }).$type<object>().notNull(),
});

export const healthDeclarations = sqliteTable('health_declarations', {
  id: text('id').notNull(),
  listingId: text('listing_id').notNull(),
  version: integer('version').notNull(),
  words: text('words', { mode: 'json' }).$type<readonly string[]>().notNull(),
  createdAt: text('created_at').notNull(),
  status: text('status').$type<'open' | 'accepted' | 'rejected'>().notNull().default('open'),
  reason: text('reason'),
  reviewedAt: text('reviewed_at'),
});

export const searchOutbox = sqliteTable('search_outbox', {
  listingId: text('listing_id').notNull(),
  mark: integer('mark').notNull().default(1),
  indexedMark: integer('indexed_mark').notNull().default(0),
});

export const indexedReputations = sqliteTable('indexed_reputations', {
  sellerId: text('seller_id').notNull(),
  reputation: real('reputation').notNull(),
  markedTo: integer('marked_to'),
});

export const reputationSweep = sqliteTable('reputation_sweep', {
  id: integer('id').notNull(),
  lookedTo: text('looked_to').notNull(),
});

export const closedRails = sqliteTable('closed_rails', {
  rail: text('rail').$type<'x402'>().notNull(),
  reason: text('reason').notNull(),
  since: text('since').notNull(),
});

export const searchAlerts = sqliteTable('search_alerts', {
  id: text('id').notNull(),
  agentId: text('agent_id').notNull(),
  q: text('q'),
  category: text('category'),
  vertical: text('vertical'),
  price: text('price').$type<'all' | 'paid' | 'free'>().notNull(),
  byMail: integer('by_mail', { mode: 'boolean' }).notNull(),
  createdAt: text('created_at').notNull(),
  expiresAt: text('expires_at').notNull(),
  checked: integer('checked').notNull(),
  matchedAt: text('matched_at'),
  listingIds: text('listing_ids', { mode: 'json' }).$type<readonly string[]>(),
});

export const listingActivations = sqliteTable('listing_activations', {
  id: integer('id').notNull(),
  activations: integer('activations').notNull(),
});
