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
