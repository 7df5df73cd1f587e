import { sqliteTable, text } from 'drizzle-orm/sqlite-core';

export const messages = sqliteTable('messages', {
  id: text('id').notNull(),
  recipientId: text('recipient_id').notNull(),
  senderId: text('sender_id').notNull(),
  text: text('text').notNull(),
  createdAt: text('created_at').notNull(),
});
