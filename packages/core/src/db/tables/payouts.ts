import type { Hex } from '@agent-marketplace/protocol/chain/chain-token.ts';
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

export const payoutAccounts = sqliteTable('payout_accounts', {
  sellerId: text('seller_id').notNull(),
  accountId: text('account_id').notNull(),
  country: text('country').notNull(),
  payoutsEnabled: integer('payouts_enabled', { mode: 'boolean' }).notNull().default(false),
  detailsSubmitted: integer('details_submitted', { mode: 'boolean' }).notNull().default(false),
  createdAt: text('created_at').notNull(),
  enabledAt: text('enabled_at'),
  waitHours: integer('wait_hours').notNull().default(0),
  setBy: text('set_by').$type<PayoutChannel>().notNull().default('key'),
  checkedAt: text('checked_at').notNull().default(''),
});

/** Kept by triggers. */
export const payoutTotals = sqliteTable('payout_totals', {
  sellerId: text('seller_id').notNull(),
  day: text('day').notNull(),
  sentCents: integer('sent_cents').notNull().default(0),
  disputedCents: integer('disputed_cents').notNull().default(0),
});

/** What a destination of payouts may be set with. */
export type PayoutChannel = 'key' | 'claim_link';

export const payoutWallets = sqliteTable('payout_wallets', {
  sellerId: text('seller_id').notNull(),
  chainId: integer('chain_id').notNull(),
  address: text('address').$type<Hex>().notNull(),
  boundAt: text('bound_at').notNull(),
  bearsGas: integer('bears_gas', { mode: 'boolean' }).notNull().default(false),
});

export const payoutChallenges = sqliteTable('payout_challenges', {
  nonce: text('nonce').notNull(),
  sellerId: text('seller_id').notNull(),
  chainId: integer('chain_id').notNull(),
  address: text('address').$type<Hex>().notNull(),
  message: text('message').notNull(),
  expiresAt: text('expires_at').notNull(),
  usedAt: text('used_at'),
});

export const payoutChanges = sqliteTable('payout_changes', {
  id: text('id').notNull(),
  sellerId: text('seller_id').notNull(),
  kind: text('kind').$type<'wallet' | 'account'>().notNull(),
  destination: text('destination').notNull(),
  chainId: integer('chain_id'),
  previous: text('previous'),
  previousChainId: integer('previous_chain_id'),
  previousSince: text('previous_since'),
  requestedBy: text('requested_by').$type<PayoutChannel>().notNull(),
  requestedAt: text('requested_at').notNull(),
  effectiveAt: text('effective_at').notNull(),
  cancelledAt: text('cancelled_at'),
  cancelledBy: text('cancelled_by').$type<'key' | 'wallet' | 'mail'>(),
  announcedAt: text('announced_at'),
});

export const payoutBatches = sqliteTable('payout_batches', {
  id: text('id').notNull(),
  sellerId: text('seller_id').notNull(),
  chainId: integer('chain_id').notNull(),
  address: text('address').$type<Hex>().notNull(),
  amountCents: integer('amount_cents').notNull(),
  status: text('status').$type<'sending' | 'paid' | 'refused'>().notNull(),
  transactionHash: text('transaction_hash').$type<Hex>(),
  attempts: integer('attempts').notNull().default(0),
  dueAt: text('due_at'),
  createdAt: text('created_at').notNull(),
  endedAt: text('ended_at'),
  gasCents: integer('gas_cents').notNull().default(0),
});

export const sellerTaxDetails = sqliteTable('seller_tax_details', {
  sellerId: text('seller_id').notNull(),
  country: text('country').notNull(),
  taxNumber: text('tax_number').notNull(),
  updatedAt: text('updated_at').notNull(),
});
