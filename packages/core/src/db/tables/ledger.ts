import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

export const ledgerPostings = sqliteTable('ledger_postings', {
  id: text('id').notNull(),
  kind: text('kind')
    .$type<'top_up' | 'reserve' | 'release_reserve' | 'capture' | 'refund' | 'payout' | 'chargeback'>()
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
