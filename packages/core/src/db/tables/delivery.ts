import { sqliteTable, text } from 'drizzle-orm/sqlite-core';

export const deliveryEndpoints = sqliteTable('delivery_endpoints', {
  sellerId: text('seller_id').notNull(),
  callbackUrl: text('callback_url').notNull(),
  callbackType: text('callback_type').$type<'webhook' | 'polling' | 'mcp'>().notNull(),
  callbackKey: text('callback_key'),
  verifiedAt: text('verified_at').notNull(),
});
