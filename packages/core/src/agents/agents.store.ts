import { sql } from 'drizzle-orm';
import { insertInto, prepared } from '../db/statement.ts';
import { agents, sellers } from '../db/tables/agents.ts';
import type { AgentCaller } from '../kernel/operation/operation.ts';
import type { Database, Statement } from '../kernel/ports/database.ts';
import type { IsoTime } from '../kernel/time.ts';
import type { PublicAgent } from './agent.ts';

export type NewAgent = typeof agents.$inferInsert;

export interface OwnRecord extends PublicAgent {
  readonly hasEmail: boolean;
  readonly callbackUrl: string | null;
  readonly buyerLabel: string;
  readonly sellerLabel: string;
}

const PUBLIC_COLUMNS = sql`${agents}.id, handle, display_name AS displayName, ${agents}.created_at AS createdAt,
  EXISTS (SELECT 1 FROM ${sellers} WHERE agent_id = ${agents}.id) AS isSeller`;

const byKeyHash = prepared<{ hash: string }>(sql`SELECT id AS agentId,
  EXISTS (SELECT 1 FROM ${sellers} WHERE agent_id = id) AS isSeller, is_smoke_test AS isSmokeTest
  FROM ${agents} WHERE api_key_hash = ${sql.placeholder('hash')}`);

const directory = prepared<{ limit: number; offset: number }>(sql`SELECT ${PUBLIC_COLUMNS} FROM ${agents}
  WHERE is_smoke_test = 0 ORDER BY ${agents}.created_at DESC, ${agents}.id
  LIMIT ${sql.placeholder('limit')} OFFSET ${sql.placeholder('offset')}`);

const total = prepared(sql`SELECT value FROM totals WHERE name = 'agents'`);

const byHandle = prepared<{ handle: string }>(sql`SELECT ${PUBLIC_COLUMNS} FROM ${agents}
  WHERE handle = ${sql.placeholder('handle')} AND is_smoke_test = 0`);

const ownRecord = prepared<{
  id: string;
}>(sql`SELECT ${PUBLIC_COLUMNS}, email IS NOT NULL AS hasEmail, callback_url AS callbackUrl,
  buyer_label AS buyerLabel, seller_label AS sellerLabel FROM ${agents} WHERE ${agents}.id = ${sql.placeholder('id')}`);

/** The agent whose API key has this SHA-256, or null. */
export async function findByKeyHash(db: Database, apiKeyHash: string): Promise<AgentCaller | null> {
  const row = await db.first<{ agentId: string; isSeller: number; isSmokeTest: number }>(
    byKeyHash({ hash: apiKeyHash }),
  );
  return row && { agentId: row.agentId, isSeller: row.isSeller === 1, isSmokeTest: row.isSmokeTest === 1 };
}

export async function listAgents(
  db: Database,
  page: { limit: number; offset: number },
): Promise<{ agents: PublicAgent[]; total: number }> {
  const [rows, count] = await Promise.all([
    db.all<PublicAgent>(directory(page)),
    db.first<{ value: number }>(total({})),
  ]);
  return { agents: rows.map(withFlag), total: count?.value ?? 0 };
}

export async function findByHandle(db: Database, handle: string): Promise<PublicAgent | null> {
  const row = await db.first<PublicAgent>(byHandle({ handle }));
  return row && withFlag(row);
}

export async function getOwnRecord(db: Database, id: string): Promise<OwnRecord | null> {
  const row = await db.first<OwnRecord>(ownRecord({ id }));
  return row && { ...withFlag(row), hasEmail: Boolean(row.hasEmail) };
}

function withFlag<R extends PublicAgent>(row: R): R {
  return { ...row, isSeller: Boolean(row.isSeller) };
}

export function insertAgent(agent: NewAgent): Statement {
  return insertInto(agents, agent);
}

/** Makes an agent a seller; one that is already stays as it is. */
export function insertSeller(agentId: string, country: string | null, at: IsoTime): Statement {
  return insertInto(sellers, { agentId, country, registeredAt: at }, sql`ON CONFLICT (agent_id) DO NOTHING`);
}

/** The platform's own agent and seller rows; they stay as they are if they exist. */
export function insertPlatformRows(agent: NewAgent): Statement[] {
  return [
    insertInto(agents, { ...agent, isPlatform: 1 }, sql`ON CONFLICT (id) DO NOTHING`),
    insertSeller(agent.id, null, agent.createdAt),
  ];
}
