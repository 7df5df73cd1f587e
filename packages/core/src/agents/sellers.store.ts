import { sql } from 'drizzle-orm';
import { prepared, statement, updateSet } from '../db/statement.ts';
import { agents, sellers } from '../db/tables/agents.ts';
import type { Database, Statement } from '../kernel/ports/database.ts';
import type { IsoTime } from '../kernel/time.ts';

const claimExpiry = prepared<{ sellerId: string }>(
  sql`SELECT claim_expires_at AS expiresAt FROM ${sellers} WHERE agent_id = ${sql.placeholder('sellerId')}`,
);

const payoutsConnected = prepared<{ sellerId: string }>(
  sql`SELECT payouts = 'connected' AS connected FROM ${sellers} WHERE agent_id = ${sql.placeholder('sellerId')}`,
);

/** Until when the seller's claim link is in force; null if there is none. */
export async function getClaimExpiry(db: Database, sellerId: string): Promise<IsoTime | null> {
  const row = await db.first<{ expiresAt: IsoTime | null }>(claimExpiry({ sellerId }));
  return row?.expiresAt ?? null;
}

/** False, too, for who is not a seller yet. */
export async function arePayoutsConnected(db: Database, sellerId: string): Promise<boolean> {
  const row = await db.first<{ connected: number }>(payoutsConnected({ sellerId }));
  return row?.connected === 1;
}

export function setClaimExpiry(sellerId: string, expiresAt: IsoTime): Statement {
  return updateSet(sellers, { claimExpiresAt: expiresAt }, sql`agent_id = ${sellerId}`);
}

/** A seller may correct its country until payouts are connected, which fixes it. */
export function setSellerCountry(sellerId: string, country: string): Statement {
  return updateSet(sellers, { country }, sql`agent_id = ${sellerId} AND payouts = 'not_connected'`);
}

/** Keeps an e-mail address for an agent that has none; one that was given before stays. */
export function addMissingEmail(agentId: string, email: string): Statement {
  return statement(sql`UPDATE ${agents} SET email = ${email} WHERE id = ${agentId} AND email IS NULL`);
}
