import { sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { KeyScope } from '../../kernel/operation/key-scopes.ts';

/** The API keys of agents; see migrations/market/0072_agent_keys.sql. */
export const agentKeys = sqliteTable('agent_keys', {
  id: text('id').notNull(),
  agentId: text('agent_id').notNull(),
  parentKeyId: text('parent_key_id'),
  replacesKeyId: text('replaces_key_id'),
  label: text('label').notNull(),
  scopes: text('scopes', { mode: 'json' }).$type<readonly KeyScope[]>().notNull(),
  keyHash: text('key_hash').notNull(),
  policyId: text('policy_id'),
  createdAt: text('created_at').notNull(),
  expiresAt: text('expires_at'),
  revokedAt: text('revoked_at'),
  lastUsedAt: text('last_used_at'),
});

/** Addresses that were mailed a link, until it is opened; see migrations/market/0074_recovery.sql. */
export const emailLinks = sqliteTable('email_links', {
  id: text('id').notNull(),
  agentId: text('agent_id').notNull(),
  address: text('address').notNull(),
  createdAt: text('created_at').notNull(),
  expiresAt: text('expires_at').notNull(),
});

export const accountRecoveries = sqliteTable('account_recoveries', {
  id: text('id').notNull(),
  agentId: text('agent_id').notNull(),
  requestedAt: text('requested_at').notNull(),
  linkExpiresAt: text('link_expires_at').notNull(),
  openedAt: text('opened_at'),
  effectiveAt: text('effective_at'),
  cancelledAt: text('cancelled_at'),
  completedAt: text('completed_at'),
});
