import { sql } from 'drizzle-orm';
import { prepared, statement } from '../../db/statement.ts';
import { agents } from '../../db/tables/agents.ts';
import { agentEvents, callbackStandings } from '../../db/tables/events.ts';
import type { JsonObject } from '../../kernel/json/json.ts';
import { type Due, MAX_TRIES } from '../../kernel/outbox.ts';
import type { Database, Statement } from '../../kernel/ports/database.ts';
import type { IsoTime } from '../../kernel/time.ts';
import type { AgentEventType, EventsSummary, TakenEvent } from './agent-event.ts';

const OPEN = sql`delivered_at IS NULL AND given_up_at IS NULL`;

/** So many tries in a row that nobody answered, and an agent is put aside for a while, whatever else it is to be told. */
const SILENCES_BEFORE_ASIDE = 3;
/** Of `nextTries`, from 0: 36 minutes, so that one that is back need not wait for long. */
const LONGEST_ASIDE = 3;

/** Host and port of a callback URL, as one text. */
const AFTER_SCHEME = sql`substr(callback_url, instr(callback_url, '://') + 3)`;
const HOST = sql`lower(substr(${AFTER_SCHEME}, 1, instr(${AFTER_SCHEME} || '/', '/') - 1))`;

const insertEvent = prepared<{
  id: string;
  agentId: string;
  type: string;
  data: string;
  at: IsoTime;
}>(sql`INSERT INTO ${agentEvents} (id, agent_id, type, data, created_at, next_attempt_at)
  SELECT ${sql.placeholder('id')}, id, ${sql.placeholder('type')}, ${sql.placeholder('data')},
    ${sql.placeholder('at')}, ${sql.placeholder('at')}
  FROM ${agents} WHERE id = ${sql.placeholder('agentId')} AND callback_url IS NOT NULL RETURNING id`);

/**
 * Notes an event for an agent that has a callback URL, and for no other: to be committed with what it tells
 * of. Never holds a deliverable or what another agent wrote. Returns its id if it was noted; whoever commits
 * it then wakes the sender, or leaves it to the next minute.
 */
export function recordAgentEvent(
  agentId: string,
  type: AgentEventType,
  data: JsonObject,
  id: string,
  at: IsoTime,
): Statement[] {
  return [insertEvent({ id, agentId, type, data: JSON.stringify(data), at })];
}

/** How the tries of a run ended. */
export interface Outcomes {
  readonly deliveredIds: readonly string[];
  readonly givenUpIds: readonly string[];
  /** Agents whose callback answered, with whatever; and those where none did in time. */
  readonly heardFrom: readonly string[];
  readonly silent: readonly string[];
  readonly at: IsoTime;
}

/**
 * Writes down how tries ended and begins the next ones: at most one an agent and one a host, those first
 * that have not been silent, so that one that does not listen holds up nobody else. An event that is taken is also put off, so no other run has it meanwhile;
 * `nextTries` says until when.
 */
const NONE = { deliveredIds: [], givenUpIds: [], heardFrom: [], silent: [] };

export async function settleAndTake(
  market: Database,
  outcomes: Outcomes | null,
  { now, nextTries, limit }: Due,
): Promise<TakenEvent[]> {
  const { deliveredIds, givenUpIds, heardFrom, silent, at } = outcomes ?? { ...NONE, at: now };
  const rows = await market.commit([
    statement(sql`UPDATE ${agentEvents} SET delivered_at = ${at}, given_up_at = NULL
      WHERE id IN (SELECT value FROM json_each(${JSON.stringify(deliveredIds)})) AND delivered_at IS NULL`),
    // Also those whose last try never came to an end.
    statement(sql`UPDATE ${agentEvents} SET given_up_at = ${now} WHERE ${OPEN}
      AND (id IN (SELECT value FROM json_each(${JSON.stringify(givenUpIds)}))
        OR (next_attempt_at <= ${now} AND attempts >= ${sql.raw(String(MAX_TRIES))}))`),
    statement(sql`DELETE FROM ${callbackStandings}
      WHERE agent_id IN (SELECT value FROM json_each(${JSON.stringify(heardFrom)}))`),
    // An agent may be gone by now.
    statement(sql`INSERT INTO ${callbackStandings} (agent_id, silences)
      SELECT id, 1 FROM ${agents} WHERE id IN (SELECT value FROM json_each(${JSON.stringify(silent)}))
      ON CONFLICT (agent_id) DO UPDATE SET silences = silences + 1,
        aside_until = CASE WHEN silences + 1 >= ${sql.raw(String(SILENCES_BEFORE_ASIDE))}
          THEN ${JSON.stringify(nextTries)} ->> min(silences, ${sql.raw(String(LONGEST_ASIDE))}) ELSE '' END`),
    statement(sql`UPDATE ${agentEvents}
      SET attempts = attempts + 1, next_attempt_at = ${JSON.stringify(nextTries)} ->> attempts
      WHERE id IN (
        WITH due AS (SELECT id, agent_id, MIN(next_attempt_at) AS due_at FROM ${agentEvents}
            WHERE ${OPEN} AND next_attempt_at <= ${now} GROUP BY agent_id),
          ranked AS (SELECT due.id, due_at, coalesce(silences, 0) AS silences,
              ROW_NUMBER() OVER (PARTITION BY coalesce(${HOST}, due.agent_id)
                ORDER BY coalesce(silences, 0), due_at, due.id) AS place
            FROM due JOIN ${agents} ON ${agents.id} = due.agent_id
              LEFT JOIN ${callbackStandings} standing ON standing.agent_id = due.agent_id
            WHERE coalesce(aside_until, '') <= ${now})
        SELECT id FROM ranked WHERE place = 1 ORDER BY silences, due_at, id LIMIT ${limit})
      RETURNING id, agent_id AS agentId, type, data, created_at AS createdAt, attempts,
        (SELECT callback_url FROM ${agents} WHERE ${agents.id} = agent_id) AS callbackUrl`),
  ]);
  const taken = rows[4] as (Omit<TakenEvent, 'data'> & { data: string })[];
  return taken.map((event) => ({ ...event, data: JSON.parse(event.data) as JsonObject }));
}

const summary = prepared<{ agentId: string }>(sql`SELECT
  (SELECT COUNT(*) FROM ${agentEvents} WHERE agent_id = ${sql.placeholder('agentId')} AND ${OPEN}) AS pending,
  (SELECT COUNT(*) FROM ${agentEvents} WHERE agent_id = ${sql.placeholder('agentId')}
    AND delivered_at IS NULL AND given_up_at IS NOT NULL) AS givenUp,
  (SELECT MAX(delivered_at) FROM ${agentEvents} WHERE agent_id = ${sql.placeholder('agentId')}) AS lastDeliveredAt,
  (SELECT json_object('createdAt', created_at, 'givenUpAt', given_up_at, 'id', id, 'type', type)
    FROM ${agentEvents} WHERE agent_id = ${sql.placeholder('agentId')} AND delivered_at IS NULL
      AND given_up_at IS NOT NULL ORDER BY given_up_at DESC LIMIT 1) AS lastGivenUp`);

export async function summariseEvents(market: Database, agentId: string): Promise<EventsSummary> {
  const row = await market.first<Omit<EventsSummary, 'lastGivenUp'> & { lastGivenUp: string | null }>(
    summary({ agentId }),
  );
  if (!row) throw new Error('A row without conditions is always there.');
  const { givenUp, lastDeliveredAt, lastGivenUp, pending } = row;
  const last = lastGivenUp === null ? null : (JSON.parse(lastGivenUp) as EventsSummary['lastGivenUp']);
  return { givenUp, lastDeliveredAt, lastGivenUp: last, pending };
}

/** Forgets what is over and older; what is not over stays however old it is. */
export async function deleteOldEvents(market: Database, before: IsoTime, limit: number): Promise<void> {
  await market.commit([
    statement(sql`DELETE FROM ${agentEvents} WHERE id IN (SELECT id FROM ${agentEvents}
      WHERE created_at < ${before} AND NOT (${OPEN}) ORDER BY created_at LIMIT ${limit})`),
  ]);
}
