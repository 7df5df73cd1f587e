import type { Hex } from '@agent-marketplace/protocol/chain/chain-token.ts';
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { BalanceEntryKind } from '../../kernel/ports/card-processor.ts';

export type PostingKind =
  | 'top_up'
  | 'reserve'
  | 'release_reserve'
  | 'capture'
  | 'refund'
  | 'payout'
  | 'chargeback'
  | PlatformPostingKind;

/** Movements of the platform's own money, which no sale explains. */
export type PlatformPostingKind =
  | 'processor_fee'
  | 'dispute_fee'
  | 'gas'
  | 'bank_payout'
  | 'funding'
  | 'transfer_reversal'
  | 'adjustment';

export const ledgerPostings = sqliteTable('ledger_postings', {
  id: text('id').notNull(),
  kind: text('kind').$type<PostingKind>().notNull(),
  reference: text('reference').notNull(),
  legs: text('legs', { mode: 'json' })
    .$type<readonly { readonly account: string; readonly amountCents: number }[]>()
    .notNull(),
  createdAt: text('created_at').notNull(),
});

export const ledgerAccounts = sqliteTable('ledger_accounts', {
  account: text('account').notNull(),
  balanceCents: integer('balance_cents').notNull(),
});

export const ledgerEntries = sqliteTable('ledger_entries', {
  id: integer('id').notNull(),
  postingId: text('posting_id').notNull(),
  account: text('account').notNull(),
  amountCents: integer('amount_cents').notNull(),
  balanceCents: integer('balance_cents').notNull(),
});

export const ledgerPeriods = sqliteTable('ledger_periods', {
  month: text('month').notNull(),
  lastEntryId: integer('last_entry_id').notNull(),
  endedAt: text('ended_at').notNull(),
  closedAt: text('closed_at'),
  closingNote: text('closing_note'),
  balances: text('balances', { mode: 'json' }).$type<Readonly<Record<string, number>>>(),
  carried: text('carried', { mode: 'json' }).$type<Readonly<Record<string, number>>>(),
});

export const openSubjects = sqliteTable('open_subjects', { subject: text('subject').notNull() });

export const carriedSubjects = sqliteTable('carried_subjects', {
  subject: text('subject').notNull(),
  legs: text('legs', { mode: 'json' })
    .$type<readonly (readonly [account: string, cents: number])[]>()
    .notNull(),
});

export const carriedSums = sqliteTable('carried_sums', {
  account: text('account').notNull(),
  cents: integer('cents').notNull(),
});

export const processorEntries = sqliteTable('processor_entries', {
  entryId: text('entry_id').notNull(),
  kind: text('kind').$type<BalanceEntryKind>().notNull(),
  type: text('type').notNull(),
  objectId: text('object_id'),
  paymentId: text('payment_id'),
  transferId: text('transfer_id'),
  amountCents: integer('amount_cents').notNull(),
  feeCents: integer('fee_cents').notNull(),
  currency: text('currency').notNull(),
  createdAt: text('created_at').notNull(),
});

export const processorReadings = sqliteTable('processor_readings', {
  id: integer('id').notNull(),
  readUntil: text('read_until'),
  lookedBackAt: text('looked_back_at'),
  since: text('since'),
  beganAt: text('began_at'),
  afterEntry: text('after_entry'),
});

export const gasCosts = sqliteTable('gas_costs', {
  chainId: integer('chain_id').notNull(),
  entryId: integer('entry_id').notNull(),
  transactionHash: text('transaction_hash').notNull(),
  wei: text('wei').notNull(),
  bookedAt: text('booked_at').notNull(),
});

export const ledgerAdjustments = sqliteTable('ledger_adjustments', {
  id: text('id').notNull(),
  kind: text('kind').$type<'adjustment' | 'funding' | 'bank_payout'>().notNull(),
  account: text('account').notNull(),
  counterAccount: text('counter_account').notNull(),
  amountCents: integer('amount_cents').notNull(),
  reason: text('reason').notNull(),
  reference: text('reference').notNull(),
  operator: text('operator').notNull(),
  createdAt: text('created_at').notNull(),
});

export const chainTransfers = sqliteTable('chain_transfers', {
  chainId: integer('chain_id').notNull(),
  account: text('account').$type<Hex>().notNull(),
  transactionHash: text('transaction_hash').$type<Hex>().notNull(),
  logIndex: integer('log_index').notNull(),
  block: integer('block').notNull(),
  sender: text('sender').$type<Hex>().notNull(),
  recipient: text('recipient').$type<Hex>().notNull(),
  units: text('units').notNull(),
  createdAt: text('created_at').notNull(),
});

export const chainReadings = sqliteTable('chain_readings', {
  chainId: integer('chain_id').notNull(),
  account: text('account').$type<Hex>().notNull(),
  readBlock: integer('read_block').notNull(),
  readUnits: text('read_units').notNull(),
  checkedBlock: integer('checked_block').notNull(),
  checkedUnits: text('checked_units').notNull(),
  checkedUntil: text('checked_until').notNull(),
});

export const ledgerComparisons = sqliteTable('ledger_comparisons', {
  id: integer('id').notNull(),
  afterEntryId: integer('after_entry_id').notNull(),
  comparedUntil: text('compared_until'),
});

export const comparedObjects = sqliteTable('compared_objects', {
  rail: text('rail').$type<'card' | 'usdc'>().notNull(),
  id: text('id').notNull(),
  currency: text('currency').notNull(),
  outsideCents: integer('outside_cents').notNull(),
  ledgerCents: integer('ledger_cents').notNull(),
  isOutside: integer('is_outside', { mode: 'boolean' }).notNull(),
  isInLedger: integer('is_in_ledger', { mode: 'boolean' }).notNull(),
  firstAt: text('first_at').notNull(),
  lastAt: text('last_at').notNull(),
});

export const comparedCounts = sqliteTable('compared_counts', {
  month: text('month').notNull(),
  rail: text('rail').$type<'card' | 'usdc'>().notNull(),
  kind: text('kind').notNull(),
  currency: text('currency').notNull(),
  objects: integer('objects').notNull(),
});

export const endedRecords = sqliteTable('ended_records', {
  name: text('name').notNull(),
  walk: text('walk').notNull(),
  afterRow: integer('after_row').notNull(),
});

export const endingRecords = sqliteTable('ending_records', {
  kind: text('kind').notNull(),
  id: text('id').notNull(),
  cents: integer('cents'),
});
