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

/** The last requests of a seller's endpoint: as many as are shown, in one row. */
export const endpointRequests = sqliteTable('endpoint_requests', {
  sellerId: text('seller_id').notNull(),
  requests: text('requests', { mode: 'json' }).$type<readonly EndpointRequestEntry[]>().notNull(),
});

/** As few characters as say it: the row is written with each sale. */
export type EndpointRequestEntry = readonly [
  at: string,
  listingId: string,
  verdict: string,
  latencyMs: number | null,
  redelivery: number,
];
