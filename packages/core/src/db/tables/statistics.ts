import { integer, real, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { PaymentRail } from '../../kernel/spend-policy.ts';

export const partyDesignations = sqliteTable('party_designations', {
  agentId: text('agent_id').notNull(),
  party: text('party').$type<'house_buyer' | 'house_seller' | 'internal' | 'affiliated'>().notNull(),
  note: text('note'),
  designatedAt: text('designated_at').notNull(),
});

export const designationState = sqliteTable('designation_state', {
  only: integer('only').notNull(),
  configuredAt: text('configured_at'),
  /** What is signed of it. */
  statement: text('statement', { mode: 'json' }).$type<object>(),
});

type SettledStatus = 'held' | 'releasing' | 'released';
type PartyClass =
  | 'house_buyer'
  | 'internal'
  | 'house_seller'
  | 'affiliated'
  | 'self_sale'
  | 'anonymous'
  | 'arms_length'
  | 'apart';

/** Kept by triggers, as `demandCells` is: never written from here. */
export const demandRows = sqliteTable('demand_rows', {
  createdAt: text('created_at').notNull(),
  purchaseId: text('purchase_id').notNull(),
  sellerId: text('seller_id').notNull(),
  buyerId: text('buyer_id'),
  verticalSlug: text('vertical_slug').notNull(),
  rail: text('rail').$type<PaymentRail>().notNull(),
  status: text('status').$type<SettledStatus>().notNull(),
  class: text('class').$type<PartyClass>().notNull(),
  isReference: integer('is_reference', { mode: 'boolean' }).notNull(),
  amountCents: integer('amount_cents').notNull(),
  platformFeeCents: integer('platform_fee_cents').notNull(),
});

export const demandCells = sqliteTable('demand_cells', {
  rail: text('rail').$type<PaymentRail>().notNull(),
  status: text('status').$type<SettledStatus>().notNull(),
  class: text('class').$type<PartyClass>().notNull(),
  isReference: integer('is_reference', { mode: 'boolean' }).notNull(),
  isPaid: integer('is_paid', { mode: 'boolean' }).notNull(),
  sales: integer('sales').notNull(),
  grossCents: integer('gross_cents').notNull(),
  feeCents: integer('fee_cents').notNull(),
  changes: integer('changes').notNull().default(0),
});

/** What is signed of each row, and which are to be signed: triggers write the latter. */
export const settlements = sqliteTable('settlements', {
  number: integer('number').notNull(),
  purchaseId: text('purchase_id'),
  settlement: text('settlement', { mode: 'json' }).$type<object>(),
  change: text('change', { mode: 'json' }).$type<object>(),
  figures: text('figures', { mode: 'json' }).$type<object>(),
  removal: text('removal').$type<'refunded' | 'ended'>(),
  removedAt: text('removed_at'),
  revision: integer('revision').notNull().default(1),
  signedRevision: integer('signed_revision').notNull().default(0),
  dueAt: text('due_at').notNull().default(''),
  partyChanges: integer('party_changes').notNull().default(0),
  partyDueAt: text('party_due_at').notNull().default(''),
});

/** Counts and sums that triggers keep, by name. */
export const totals = sqliteTable('totals', {
  name: text('name').notNull(),
  value: integer('value').notNull().default(0),
});

export const affiliatedMerchants = sqliteTable('affiliated_merchants', {
  id: text('id').notNull(),
  name: text('name').notNull(),
  siteOrigin: text('site_origin').notNull(),
  receipts: integer('receipts').notNull().default(0),
  grossCents: integer('gross_cents').notNull().default(0),
  createdAt: text('created_at').notNull(),
});

export const affiliatedReceipts = sqliteTable('affiliated_receipts', {
  createdAt: text('created_at').notNull(),
  id: text('id').notNull(),
  merchantId: text('merchant_id').notNull(),
  merchantName: text('merchant_name').notNull(),
  merchantSiteOrigin: text('merchant_site_origin').notNull(),
  description: text('description').notNull(),
  amountCents: integer('amount_cents').notNull(),
  rail: text('rail').notNull(),
  mode: text('mode').$type<'live' | 'test'>().notNull(),
  status: text('status').$type<'paid' | 'refunded'>().notNull(),
  paidAt: text('paid_at').notNull(),
  keyId: text('key_id').notNull(),
  signedAt: text('signed_at').notNull(),
  digest: text('digest').notNull(),
  signature: text('signature').notNull(),
});

export const qualityBuyers = sqliteTable('quality_buyers', {
  listingId: text('listing_id').notNull(),
  buyer: text('buyer').notNull(),
  day: text('day').notNull(),
  attempts: integer('attempts').notNull(),
});

export const qualityDays = sqliteTable('quality_days', {
  listingId: text('listing_id').notNull(),
  day: text('day').notNull(),
  sellerId: text('seller_id').notNull(),
  attempts: integer('attempts').notNull(),
  delivered: integer('delivered').notNull(),
  unavailable: integer('unavailable').notNull(),
  timedOut: integer('timed_out').notNull(),
  failed: integer('failed').notNull(),
  invalid: integer('invalid').notNull(),
  declined: integer('declined').notNull(),
  schemaChecked: integer('schema_checked').notNull(),
  schemaValid: integer('schema_valid').notNull(),
  latency: text('latency', { mode: 'json' }).$type<Readonly<Record<string, number>>>().notNull(),
  upHours: integer('up_hours').notNull(),
  downHours: integer('down_hours').notNull(),
  /** No longer written, as is the next: the hours say it. */
  answeredAt: text('answered_at'),
  silentAt: text('silent_at'),
  measuredAttempts: integer('measured_attempts').notNull().default(0),
});

export const probeDays = sqliteTable('probe_days', {
  sellerId: text('seller_id').notNull(),
  day: text('day').notNull(),
  upHours: integer('up_hours').notNull(),
  downHours: integer('down_hours').notNull(),
});

export const listingMeasures = sqliteTable('listing_measures', {
  listingId: text('listing_id').notNull(),
  successRate: real('success_rate'),
  p95Ms: integer('p95_ms'),
  /** A signed statement. */
  statement: text('statement', { mode: 'json' }).$type<object>().notNull(),
  measuredAt: text('measured_at').notNull(),
});
