import type { JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

export const purchases = sqliteTable('purchases', {
  id: text('id').notNull(),
  listingId: text('listing_id').notNull(),
  sellerId: text('seller_id').notNull(),
  buyerId: text('buyer_id'),
  status: text('status')
    .$type<
      'pending_payment' | 'authorized' | 'held' | 'releasing' | 'released' | 'refunded' | 'expired' | 'failed'
    >()
    .notNull(),
  /** A column that a migration added has a default; nobody relies on it. */
  rail: text('rail').notNull().default(''),
  amountCents: integer('amount_cents').notNull(),
  platformFeeCents: integer('platform_fee_cents').notNull(),
  feeScheduleVersion: integer('fee_schedule_version').notNull(),
  listingVersion: integer('listing_version').notNull(),
  query: text('query', { mode: 'json' }).$type<JsonObject>(),
  /** Of a purchase without a key, in place of `query`. */
  sealedQuery: text('sealed_query', { mode: 'json' }).$type<{
    readonly digest: string;
    readonly text: string;
  }>(),
  email: text('email'),
  contentDigest: text('content_digest'),
  deliveredAt: text('delivered_at'),
  receipt: text('receipt', { mode: 'json' }).$type<object>(),
  healthAttestation: text('health_attestation', { mode: 'json' }).$type<object>(),
  createdAt: text('created_at').notNull(),
  /** Null: the buyer's request had no Idempotency-Key, or there was none of the buyer. */
  idempotencyDigest: text('idempotency_digest'),
  /** Kept by a trigger: the seller's share is kept after the time in escrow. Of a `held` sale it says `releasing` to its parties. */
  inReserve: integer('in_reserve', { mode: 'boolean' }).notNull().default(false),
  /** Kept by triggers: a buyer or a bank disputes it, or did. */
  isDisputed: integer('is_disputed', { mode: 'boolean' }).notNull().default(false),
});
