import type { Hex } from '@agent-marketplace/protocol/chain/chain-token.ts';
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

export const usdcPayments = sqliteTable('usdc_payments', {
  purchaseId: text('purchase_id').notNull(),
  chainId: integer('chain_id').notNull(),
  payer: text('payer').$type<Hex>().notNull(),
  payTo: text('pay_to').$type<Hex>().notNull(),
  units: text('units').notNull(),
  validAfter: text('valid_after').notNull(),
  validBefore: text('valid_before').notNull(),
  nonce: text('nonce').$type<Hex>().notNull(),
  binding: text('binding').notNull(),
  paymentIdentifier: text('payment_identifier'),
  contentDigest: text('content_digest'),
  deliveredAt: text('delivered_at'),
  transactionHash: text('transaction_hash').$type<Hex>(),
  isLive: integer('is_live', { mode: 'boolean' }).notNull().default(true),
  checkAt: text('check_at'),
  network: text('network'),
  settledBy: text('settled_by').$type<Hex>(),
  outputSchemaDigest: text('output_schema_digest'),
  parametersDigest: text('parameters_digest'),
  provedAt: text('proved_at'),
  latencyMs: integer('latency_ms'),
});

export const tabs = sqliteTable('tabs', {
  purchaseId: text('purchase_id').notNull(),
  payer: text('payer').$type<Hex>().notNull(),
  chainId: integer('chain_id').notNull(),
  limitMicros: integer('limit_micros').notNull(),
  reservedMicros: integer('reserved_micros').notNull().default(0),
  chargedMicros: integer('charged_micros').notNull().default(0),
  sequence: integer('sequence').notNull().default(0),
  ceilingMicros: integer('ceiling_micros').notNull().default(0),
  expiresAt: text('expires_at'),
  closedAt: text('closed_at'),
  talliedAt: text('tallied_at'),
  restCents: integer('rest_cents').notNull().default(0),
  returnId: text('return_id'),
  returnGasCents: integer('return_gas_cents'),
  returnTransaction: text('return_transaction').$type<Hex>(),
  returnAttempts: integer('return_attempts').notNull().default(0),
  returnDueAt: text('return_due_at'),
  creditMicros: integer('credit_micros').notNull().default(0),
});

export const tabQueries = sqliteTable('tab_queries', {
  id: text('id').notNull(),
  tabId: text('tab_id').notNull(),
  sequence: integer('sequence').notNull(),
  queryDigest: text('query_digest').notNull(),
  priceMicros: integer('price_micros').notNull(),
  status: text('status').$type<'reserved' | 'charged' | 'released'>().notNull().default('reserved'),
  leasedUntil: text('leased_until').notNull(),
  contentDigest: text('content_digest'),
  receipt: text('receipt', { mode: 'json' }).$type<object>(),
});
