import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

export const dailyQuotas = sqliteTable('daily_quotas', {
  holder: text('holder').notNull(),
  quota: text('quota').notNull(),
  day: text('day').notNull(),
  writes: integer('writes').notNull(),
  bytes: integer('bytes').notNull(),
});
