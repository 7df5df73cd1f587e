import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { BalanceEntryKind } from '../../kernel/ports/card-processor.ts';

export const ledgerPostings = sqliteTable('ledger_postings', {
  id: text('id').notNull(),
  kind: text('kind')
    .$type<
      | 'top_up'
      | 'reserve'
      | 'release_reserve'
      | 'capture'
      | 'refund'
      | 'payout'
      | 'chargeback'
      | 'processor_fee'
      | 'dispute_fee'
      | 'gas'
      | 'bank_payout'
      | 'funding'
      | 'transfer_reversal'
      | 'adjustment'
    >()
    .notNull(),
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
