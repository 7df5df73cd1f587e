import { sql } from 'drizzle-orm';
import { prepared } from '../db/statement.ts';
import { agents } from '../db/tables/agents.ts';
import { agentEvents } from '../db/tables/sales.ts';
import type { JsonObject } from '../kernel/json.ts';
import type { Statement } from '../kernel/ports.ts';
import type { IsoTime } from '../kernel/time.ts';

/** What an agent with a callback URL is told of its purchases and sales. */
export interface AgentEvent {
  readonly agentId: string;
  readonly type:
    | 'purchase.authorized'
    | 'purchase.delivered'
    | 'purchase.refunded'
    | 'sale.held'
    | 'sale.released'
    | 'payout.failed';
  /** Never a deliverable. */
  readonly data: JsonObject;
}

const insertEvent = prepared<{
  id: string;
  agentId: string;
  type: string;
  data: string;
  createdAt: IsoTime;
}>(sql`INSERT INTO ${agentEvents} (id, agent_id, type, data, created_at)
  SELECT ${sql.placeholder('id')}, id, ${sql.placeholder('type')}, ${sql.placeholder('data')}, ${sql.placeholder('createdAt')}
  FROM ${agents} WHERE id = ${sql.placeholder('agentId')} AND callback_url IS NOT NULL`);

/**
 * Notes an event in the transaction that it tells of; agents without a callback URL get none. Sending is
 * the work of whoever reads `agent_events`.
 */
export function enqueueAgentEvent({ agentId, type, data }: AgentEvent, id: string, at: IsoTime): Statement {
  return insertEvent({ id, agentId, type, data: JSON.stringify(data), createdAt: at });
}
