import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

export const deliveryEndpoints = sqliteTable('delivery_endpoints', {
  sellerId: text('seller_id').notNull(),
  callbackUrl: text('callback_url').notNull(),
  callbackType: text('callback_type').$type<'webhook' | 'polling' | 'mcp'>().notNull(),
  callbackKey: text('callback_key'),
  callbackHost: text('callback_host'),
  /** The revision of MCP that its server answered in when it was verified. */
  mcpRevision: text('mcp_revision'),
  namesSeller: integer('names_seller', { mode: 'boolean' }).notNull().default(false),
  verifiedAt: text('verified_at').notNull(),
  /** Null: it is not probed. */
  probeAt: text('probe_at'),
  silentSince: text('silent_since'),
  failedProbes: integer('failed_probes').notNull().default(0),
  unreachableSince: text('unreachable_since'),
  recoveredAt: text('recovered_at'),
});
