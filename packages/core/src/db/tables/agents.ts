import type { JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { Rule } from '../../kernel/rules.data.ts';

export const agents = sqliteTable('agents', {
  id: text('id').notNull(),
  apiKeyHash: text('api_key_hash'),
  name: text('name').notNull(),
  email: text('email'),
  /** Null: nobody proved that they read mail to the address. */
  emailVerifiedAt: text('email_verified_at'),
  emailChangedAt: text('email_changed_at'),
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
  /** A keyed hash of the network; null for whoever was there before it was kept. */
  registeredFrom: text('registered_from'),
  /** The same of the /48 that it lies in; null for IPv4, too. */
  registeredFromWide: text('registered_from_wide'),
  limitedSince: text('limited_since'),
  limitedReason: text('limited_reason').$type<'chargeback' | 'operator'>(),
  suspendedAt: text('suspended_at'),
  suspendedRule: text('suspended_rule').$type<Rule>(),
  suspendedReason: text('suspended_reason'),
  /** Null: the callback URL never acknowledged an event, or there is none. */
  callbackConfirmedAt: text('callback_confirmed_at'),
  /** Kept by triggers on `erasures`. */
  erasesAt: text('erases_at'),
  erasedAt: text('erased_at'),
});

/** Accounts that are to be erased, and those that were. */
export const erasures = sqliteTable('erasures', {
  agentId: text('agent_id').notNull(),
  digest: text('digest').notNull(),
  requestedAt: text('requested_at').notNull(),
  dueAt: text('due_at').notNull(),
  givesUpBalance: integer('gives_up_balance', { mode: 'boolean' }).notNull(),
  cancelledAt: text('cancelled_at'),
  cancelledBy: text('cancelled_by').$type<'key' | 'link'>(),
  erasedAt: text('erased_at'),
  listedAt: text('listed_at'),
  givesUpCents: integer('gives_up_cents'),
  postponements: integer('postponements').notNull().default(0),
  recordsEndedAt: text('records_ended_at'),
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
  /** In thousandths of a buyer, as the other weights. */
  deliveredWeight: integer('delivered_weight').notNull().default(0),
  failedWeight: integer('failed_weight').notNull().default(0),
  ratedWeight: integer('rated_weight').notNull().default(0),
  starsWeight: integer('stars_weight').notNull().default(0),
  deliveredDays: integer('delivered_days').notNull().default(0),
  refusedDays: integer('refused_days').notNull().default(0),
  registeredAt: text('registered_at').notNull(),
});

/** Whoever has paid for a delivery: an agent, or the wallet address of a payer without a key. */
export const payingBuyers = sqliteTable('paying_buyers', {
  buyer: text('buyer').notNull(),
  releasedCents: integer('released_cents').notNull().default(0),
  weighedCents: integer('weighed_cents').notNull().default(0),
});

/** What one paying buyer had of one seller. */
export const sellerBuyers = sqliteTable('seller_buyers', {
  sellerId: text('seller_id').notNull(),
  buyer: text('buyer').notNull(),
  firstDay: text('first_day').notNull(),
  deliveredDays: integer('delivered_days').notNull().default(0),
  failedDays: integer('failed_days').notNull().default(0),
  refusedDays: integer('refused_days').notNull().default(0),
  deliveredOn: text('delivered_on'),
  failedOn: text('failed_on'),
  refusedOn: text('refused_on'),
  ratings: integer('ratings').notNull().default(0),
  stars: integer('stars').notNull().default(0),
  releasedCents: integer('released_cents').notNull().default(0),
  weight: integer('weight').notNull().default(0),
  isWeighed: integer('is_weighed', { mode: 'boolean' }).notNull().default(false),
  isSameParty: integer('is_same_party', { mode: 'boolean' }).notNull().default(false),
  hasOtherSeller: integer('has_other_seller', { mode: 'boolean' }).notNull().default(false),
  hasOtherBuyer: integer('has_other_buyer', { mode: 'boolean' }).notNull().default(false),
});

/** What a buyer did with a listing, kept by triggers. */
export const listingBuyers = sqliteTable('listing_buyers', {
  listingId: text('listing_id').notNull(),
  buyer: text('buyer').notNull(),
  sellerId: text('seller_id').notNull(),
  ratings: integer('ratings').notNull(),
  stars: integer('stars').notNull(),
  weight: integer('weight').notNull(),
  deliveries: integer('deliveries').notNull().default(0),
});

/** What an agent has that other keys of its owner have as well: `<kind>:<value>`. */
export const partyMarks = sqliteTable('party_marks', {
  mark: text('mark').notNull(),
  holder: text('holder').notNull(),
  isProof: integer('is_proof', { mode: 'boolean' }).notNull(),
});

/** Counts kept by triggers, so that none costs a scan. */
export const totals = sqliteTable('totals', {
  name: text('name').notNull(),
  value: integer('value').notNull().default(0),
});
