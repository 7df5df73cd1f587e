import type { JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** Each has a row in docs/agents.md. */
export const AGENT_EVENT_TYPES = [
  'listing.activated',
  'alert.matched',
  'purchase.authorized',
  'purchase.delivered',
  'purchase.refunded',
  'purchase.expired',
  'purchase.notice',
  'purchase.dispute_statement',
  'purchase.dispute_decided',
  'account.limited',
  'account.suspended',
  'moderation.decided',
  'account.erasure_requested',
  'sale.held',
  'sale.released',
  'sale.refunded',
  'sale.disputed',
  'sale.dispute_statement',
  'sale.dispute_decided',
  'sale.chargeback',
  'payout.failed',
  'payout.change_requested',
  'payout.change_cancelled',
  'payout.changed',
  'payout.account_restricted',
  'payout.account_restored',
  'message.received',
  'inquiry.replied',
  'endpoint.changed',
  'endpoint.displaced',
  'endpoint.host_shared',
  'endpoint.unreachable',
  'endpoint.reachable',
  'listing.blocked',
  'listing.unblocked',
  'account.email_verified',
  'account.callback_changed',
  'account.recovery_opened',
  'account.recovery_cancelled',
  'account.recovered',
  'key.created',
  'key.rotated',
  'key.revoked',
  'passkey.enrolled',
  'passkey.removed',
] as const;

export type AgentEventType = (typeof AGENT_EVENT_TYPES)[number];

export const agentEvents = sqliteTable('agent_events', {
  id: text('id').notNull(),
  agentId: text('agent_id').notNull(),
  type: text('type').$type<AgentEventType>().notNull(),
  data: text('data', { mode: 'json' }).$type<JsonObject>().notNull(),
  createdAt: text('created_at').notNull(),
  attempts: integer('attempts').notNull().default(0),
  nextAttemptAt: text('next_attempt_at').notNull().default(''),
  deliveredAt: text('delivered_at'),
  givenUpAt: text('given_up_at'),
  sequence: integer('sequence'),
  isPushed: integer('is_pushed', { mode: 'boolean' }).notNull().default(true),
  redeliveries: integer('redeliveries').notNull().default(0),
});

export const agentEventCounts = sqliteTable('agent_event_counts', {
  agentId: text('agent_id').notNull(),
  lastSequence: integer('last_sequence').notNull(),
});

export const callbackStandings = sqliteTable('callback_standings', {
  agentId: text('agent_id').notNull(),
  silences: integer('silences').notNull(),
  asideUntil: text('aside_until').notNull().default(''),
});

export const contentPushPauses = sqliteTable('content_push_pauses', {
  agentId: text('agent_id').notNull(),
  pausedUntil: text('paused_until').notNull(),
});

export const sellerNotifications = sqliteTable('seller_notifications', {
  id: text('id').notNull(),
  sellerId: text('seller_id').notNull(),
  type: text('type').notNull(),
  data: text('data', { mode: 'json' }).$type<JsonObject>().notNull(),
  createdAt: text('created_at').notNull(),
});
