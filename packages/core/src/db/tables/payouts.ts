import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

export const payoutAccounts = sqliteTable('payout_accounts', {
  sellerId: text('seller_id').notNull(),
  accountId: text('account_id').notNull(),
  country: text('country').notNull(),
  payoutsEnabled: integer('payouts_enabled').notNull().default(0),
  detailsSubmitted: integer('details_submitted').notNull().default(0),
  createdAt: text('created_at').notNull(),
});
