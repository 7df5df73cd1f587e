import { sql } from 'drizzle-orm';
import { guardOneChange } from '../db/guard.ts';
import { prepared, statement } from '../db/statement.ts';
import { agents } from '../db/tables/agents.ts';
import { designationState, partyDesignations } from '../db/tables/statistics.ts';
import { type Database, DatabaseError, type Statement } from '../kernel/ports/database.ts';
import type { IsoTime } from '../kernel/time.ts';

export const DESIGNATIONS = ['affiliated', 'house_buyer', 'house_seller', 'internal'] as const;

export type Designation = Readonly<typeof partyDesignations.$inferSelect>;

const page = prepared<{ limit: number; offset: number }>(sql`SELECT agent_id AS agentId,
    designated_at AS designatedAt, note, party FROM ${partyDesignations}
  ORDER BY designated_at DESC, agent_id LIMIT ${sql.placeholder('limit')} OFFSET ${sql.placeholder('offset')}`);
const count =
  prepared(sql`SELECT COUNT(*) AS total, (SELECT configured_at FROM ${designationState}) AS configuredAt
  FROM ${partyDesignations}`);

export async function listDesignations(
  market: Database,
  asked: { limit: number; offset: number },
): Promise<{ designations: Designation[]; total: number; configuredAt: IsoTime | null }> {
  const [designations, counted] = await Promise.all([
    market.all<Designation>(page(asked)),
    market.first<{ total: number; configuredAt: IsoTime | null }>(count({})),
  ]);
  return { designations, total: counted?.total ?? 0, configuredAt: counted?.configuredAt ?? null };
}

const AGENT_KNOWN = 'designated_agent_known';

/** Says whose agent it is. Triggers recount its rows in the same transaction. */
export function designate({ agentId, party, note, designatedAt }: Designation): Statement[] {
  return [
    statement(sql`INSERT INTO ${partyDesignations} (agent_id, party, note, designated_at)
      SELECT id, ${party}, ${note}, ${designatedAt} FROM ${agents} WHERE id = ${agentId} AND is_smoke_test = 0
      ON CONFLICT (agent_id) DO UPDATE SET party = excluded.party, note = excluded.note,
        designated_at = excluded.designated_at`),
    guardOneChange(AGENT_KNOWN),
  ];
}

/** Takes back what was said of an agent; nothing may have been. */
export function undesignate(agentId: string): Statement[] {
  return [
    // Changes nothing, but counts the agent, so that an unknown one is refused here as well.
    statement(sql`UPDATE ${agents} SET handle = handle WHERE id = ${agentId} AND is_smoke_test = 0`),
    guardOneChange(AGENT_KNOWN),
    statement(sql`DELETE FROM ${partyDesignations} WHERE agent_id = ${agentId}`),
  ];
}

export const isUnknownAgent = (error: unknown): boolean =>
  error instanceof DatabaseError && error.constraint === `guard ${AGENT_KNOWN}`;

/** Whether all that is known has been designated; the time of the first yes stays. */
export function setConfigured(isConfigured: boolean, at: IsoTime): Statement {
  return isConfigured
    ? statement(sql`UPDATE ${designationState} SET configured_at = COALESCE(configured_at, ${at})`)
    : statement(sql`UPDATE ${designationState} SET configured_at = NULL`);
}
