import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { JsonObject } from '../../kernel/json/json.ts';

export const agents = sqliteTable('agents', {
  id: text('id').notNull(),
  apiKeyHash: text('api_key_hash'),
  name: text('name').notNull(),
  email: text('email'),
  displayName: text('display_name'),
  handle: text('handle').notNull(),
  sellerLabel: text('seller_label').notNull(),
  buyerLabel: text('buyer_label').notNull(),
  callbackUrl: text('callback_url'),
  referralSource: text('referral_source'),
  referrer: text('referrer'),
  utm: text('utm', { mode: 'json' }).$type<JsonObject>(),
  isPlatform: integer('is_platform', { mode: 'boolean' }).notNull().default(false),
  isSmokeTest: integer('is_smoke_test', { mode: 'boolean' }).notNull().default(false),
  createdAt: text('created_at').notNull(),
});

export const sellers = sqliteTable('sellers', {
  agentId: text('agent_id').notNull(),
  country: text('country'),
  payouts: text('payouts').$type<'not_connected' | 'connected'>().notNull().default('not_connected'),
  claimExpiresAt: text('claim_expires_at'),
  deliveredCount: integer('delivered_count').notNull().default(0),
  failedCount: integer('failed_count').notNull().default(0),
  ratingCount: integer('rating_count').notNull().default(0),
  ratingSum: integer('rating_sum').notNull().default(0),
  registeredAt: text('registered_at').notNull(),
});

/** Counts kept by triggers, so that none costs a scan. */
export const totals = sqliteTable('totals', {
  name: text('name').notNull(),
  value: integer('value').notNull().default(0),
});
