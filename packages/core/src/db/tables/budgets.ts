import type { JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** What a key may spend; null: without limit. */
export const spendPolicies = sqliteTable('spend_policies', {
  id: text('id').notNull(),
  agentId: text('agent_id').notNull(),
  parentId: text('parent_id'),
  perPurchaseCents: integer('per_purchase_cents'),
  perDayCents: integer('per_day_cents'),
  perWeekCents: integer('per_week_cents'),
  perMonthCents: integer('per_month_cents'),
  totalCents: integer('total_cents'),
  approvalAboveCents: integer('approval_above_cents'),
  sellers: text('sellers', { mode: 'json' }).$type<readonly string[]>(),
  verticals: text('verticals', { mode: 'json' }).$type<readonly string[]>(),
  rails: text('rails', { mode: 'json' }).$type<readonly string[]>(),
  createdAt: text('created_at').notNull(),
  changedAt: text('changed_at').notNull(),
});

/** Each policy with itself and all above it; kept by triggers. */
export const spendLineages = sqliteTable('spend_lineages', {
  policyId: text('policy_id').notNull(),
  ancestorId: text('ancestor_id').notNull(),
  depth: integer('depth').notNull(),
});

/** What a key committed itself to: a purchase, or an offer until it is accepted, by its id. */
export const spends = sqliteTable('spends', {
  id: text('id').notNull(),
  policyId: text('policy_id').notNull(),
  cents: integer('cents').notNull(),
  committedAt: text('committed_at').notNull(),
  state: text('state').$type<'reserved' | 'spent' | 'returned'>().notNull(),
});

/** Kept by triggers. */
export const spendWindows = sqliteTable('spend_windows', {
  policyId: text('policy_id').notNull(),
  period: text('period').$type<'day' | 'week' | 'month' | 'total'>().notNull(),
  startsOn: text('starts_on').notNull(),
  reservedCents: integer('reserved_cents').notNull(),
  spentCents: integer('spent_cents').notNull(),
});

/** What a person proved to be there with. */
export const passkeys = sqliteTable('passkeys', {
  id: text('id').notNull(),
  agentId: text('agent_id').notNull(),
  label: text('label').notNull(),
  publicKey: text('public_key').notNull(),
  counter: integer('counter').notNull(),
  enrolledBy: text('enrolled_by').$type<'key' | 'mail'>().notNull(),
  createdAt: text('created_at').notNull(),
});

/** The right to enrol one passkey; see migrations/market/0101_passkey_enrolments.sql. */
export const passkeyEnrolments = sqliteTable('passkey_enrolments', {
  id: text('id').notNull(),
  agentId: text('agent_id').notNull(),
  enrolledBy: text('enrolled_by').$type<'key' | 'mail'>().notNull(),
  expiresAt: text('expires_at').notNull(),
  usedAt: text('used_at'),
});

/** A purchase or an offer that waits for a person. */
export const approvals = sqliteTable('approvals', {
  id: text('id').notNull(),
  agentId: text('agent_id').notNull(),
  keyId: text('key_id').notNull(),
  binding: text('binding').notNull(),
  listingId: text('listing_id').notNull(),
  listingVersion: integer('listing_version').notNull(),
  amountCents: integer('amount_cents').notNull(),
  query: text('query', { mode: 'json' }).$type<JsonObject>(),
  rails: text('rails').notNull(),
  status: text('status')
    .$type<'pending' | 'approved' | 'declined' | 'used' | 'expired'>()
    .notNull()
    .default('pending'),
  createdAt: text('created_at').notNull(),
  expiresAt: text('expires_at').notNull(),
  decidedAt: text('decided_at'),
  decidedBy: text('decided_by').$type<'passkey' | 'mail'>(),
  usedFor: text('used_for'),
});
