import type { JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import { and, desc, eq, inArray, isNotNull, isNull, lt, max, not, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import { asBoolean, asJson, build, isOneOf, named } from '../../db/build.ts';
import { countCalls } from '../../db/daily-calls.ts';
import { insertFrom } from '../../db/insert-from.ts';
import { type Params, query, write } from '../../db/query.ts';
import { agents } from '../../db/tables/agents.ts';
import { agentEventCounts, agentEvents, callbackStandings } from '../../db/tables/events.ts';
import { type Due, MAX_TRIES } from '../../kernel/outbox.ts';
import type { Database, Statement } from '../../kernel/ports/database.ts';
import { DAY_MS, type EpochMs, epochOf, type IsoTime, isoTime } from '../../kernel/time.ts';
import type { AgentEventType, ClaimedEvent, EventsSummary } from './agent-event.ts';

/** It is still to be sent, or to be sent again. */
export const isOpen = sql`(${agentEvents.deliveredAt} IS NULL AND ${agentEvents.givenUpAt} IS NULL
  AND ${agentEvents.isPushed} = 1)`;

/** After so many tries in a row without an answer, nothing is sent to the agent for a while. */
const FAILURES_BEFORE_BACKOFF = 3;
/** The longest backoff, as an index into `nextTries`: 36 minutes, so that an agent that is back waits no longer. */
const LONGEST_BACKOFF = 3;

/** Host and port of a callback URL, as one text. */
const AFTER_SCHEME = sql`substr(${agents.callbackUrl}, instr(${agents.callbackUrl}, '://') + 3)`;
const HOST = sql`lower(substr(${AFTER_SCHEME}, 1, instr(${AFTER_SCHEME} || '/', '/') - 1))`;

/** Of the agent in `agents`: whether it has where events are sent. */
export const IS_PUSHED = sql`${agents.callbackUrl} IS NOT NULL`;

/** The number that its next event has; a trigger counts it. */
export const NEXT_SEQUENCE = sql`1 + COALESCE((SELECT ${agentEventCounts.lastSequence} FROM ${agentEventCounts}
  WHERE ${agentEventCounts.agentId} = ${agents.id}), 0)`;

interface NewEvent {
  readonly id: string;
  readonly agentId: string;
  readonly type: AgentEventType;
  readonly data: JsonObject;
  readonly at: IsoTime;
}

const insertEvent = query((p: Params<NewEvent>) =>
  insertFrom(
    agentEvents,
    {
      id: p.id,
      agentId: agents.id,
      type: p.type,
      data: p.data,
      createdAt: p.at,
      nextAttemptAt: p.at,
      isPushed: IS_PUSHED,
      sequence: NEXT_SEQUENCE,
    },
    (select) => select.from(agents).where(and(eq(agents.id, p.agentId), eq(agents.isPlatform, false))),
  ).returning(named({ isPushed: agentEvents.isPushed, sequence: agentEvents.sequence })),
);

/**
 * Records an event for an agent. Commit it with the change that it reports. It never holds a deliverable or what another
 * agent wrote. The statement returns whether the event is sent to a callback URL: whoever commits it then wakes the sender,
 * or leaves it to the next minute.
 */
export function recordAgentEvent(
  agentId: string,
  type: AgentEventType,
  data: JsonObject,
  id: string,
  at: IsoTime,
): Statement[] {
  return [{ ...insertEvent.statement({ id, agentId, type, data, at }), wakes: agentId }];
}

/** Whether the event that a statement recorded is sent to a callback URL. */
export function isPushed(rows: readonly unknown[] | undefined): boolean {
  return insertEvent.rows(rows)[0]?.isPushed ?? false;
}

/** How the tries of a run ended. */
export interface Outcomes {
  readonly deliveredIds: readonly string[];
  readonly givenUpIds: readonly string[];
  /** Events that were not sent: nothing more is until tomorrow, to the callbacks of their agents. */
  readonly heldBackIds: readonly string[];
  /** Agents whose callback answered, even with an error. */
  readonly reachable: readonly string[];
  /** Agents whose callback did not answer in time. */
  readonly unreachable: readonly string[];
  readonly at: IsoTime;
}

const markDelivered = write((p: Params<{ ids: readonly string[]; at: IsoTime }>) =>
  build
    .update(agentEvents)
    .set({ deliveredAt: p.at, givenUpAt: null })
    .where(and(isOneOf(agentEvents.id, p.ids), isNull(agentEvents.deliveredAt))),
);

const confirm = write((p: Params<{ ids: readonly string[]; at: IsoTime }>) =>
  build
    .update(agents)
    .set({ callbackConfirmedAt: p.at })
    .where(
      and(
        isNull(agents.callbackConfirmedAt),
        sql`${agents.id} IN (SELECT agent_id FROM ${agentEvents} WHERE ${isOneOf(agentEvents.id, p.ids)})`,
      ),
    ),
);

/** The callbacks that acknowledged these events have agreed to be called. */
export function confirmCallbacks(eventIds: readonly string[], at: IsoTime): Statement {
  return confirm({ ids: eventIds, at });
}

/** A try that was not made is none; what waited for a day is given up, or it would never have an end. */
const holdBack = write(
  (p: Params<{ ids: readonly string[]; until: IsoTime; before: IsoTime; now: IsoTime }>) => {
    const held = alias(agentEvents, 'held');
    const ofThese = build.select({ agentId: held.agentId }).from(held).where(isOneOf(held.id, p.ids));
    return build
      .update(agentEvents)
      .set({
        attempts: sql`${agentEvents.attempts} - (${isOneOf(agentEvents.id, p.ids)})`,
        nextAttemptAt: sql`max(${agentEvents.nextAttemptAt}, ${p.until})`,
        givenUpAt: sql`CASE WHEN ${agentEvents.createdAt} <= ${p.before} THEN ${p.now} END`,
      })
      .where(and(isOpen, inArray(agentEvents.agentId, ofThese)));
  },
);

/** Also those whose last try was begun and never ended. */
const markGivenUp = write((p: Params<{ ids: readonly string[]; now: IsoTime }>) =>
  build
    .update(agentEvents)
    .set({ givenUpAt: p.now })
    .where(
      and(
        isOpen,
        sql`(${isOneOf(agentEvents.id, p.ids)}
          OR (${agentEvents.nextAttemptAt} <= ${p.now} AND ${agentEvents.attempts} >= ${MAX_TRIES}))`,
      ),
    ),
);

const endBackoff = write((p: Params<{ agentIds: readonly string[] }>) =>
  build.delete(callbackStandings).where(isOneOf(callbackStandings.agentId, p.agentIds)),
);

/** Reads the agents' rows, because an agent may be gone by now. */
const countFailures = write((p: Params<{ agentIds: readonly string[]; nextTries: readonly IsoTime[] }>) =>
  insertFrom(callbackStandings, { agentId: agents.id, silences: 1 }, (select) =>
    select.from(agents).where(isOneOf(agents.id, p.agentIds)),
  ).onConflictDoUpdate({
    target: callbackStandings.agentId,
    set: {
      silences: sql`${callbackStandings.silences} + 1`,
      asideUntil: sql`CASE WHEN ${callbackStandings.silences} + 1 >= ${FAILURES_BEFORE_BACKOFF}
          THEN ${asJson(p.nextTries)} ->> min(${callbackStandings.silences}, ${LONGEST_BACKOFF}) ELSE '' END`,
    },
  }),
);

/**
 * One event an agent and one a host at a time, agents that ever answered first, then those that did last time: an endpoint
 * that does not answer holds up nobody else.
 */
const claimDue = query((p: Params<{ now: IsoTime; nextTries: readonly IsoTime[]; limit: number }>) =>
  build
    .update(agentEvents)
    .set({
      attempts: sql`${agentEvents.attempts} + 1`,
      nextAttemptAt: sql`${asJson(p.nextTries)} ->> ${agentEvents.attempts}`,
    })
    .where(
      sql`${agentEvents.id} IN (
        WITH due AS (SELECT id, agent_id, MIN(next_attempt_at) AS due_at FROM ${agentEvents}
            WHERE ${isOpen} AND next_attempt_at <= ${p.now} GROUP BY agent_id),
          ranked AS (SELECT due.id, due_at, coalesce(silences, 0) AS silences,
              ROW_NUMBER() OVER (PARTITION BY coalesce(${HOST}, due.agent_id)
                ORDER BY callback_confirmed_at IS NULL, coalesce(silences, 0), due_at, due.id) AS place,
              callback_confirmed_at IS NULL AS is_unconfirmed
            FROM due JOIN ${agents} ON ${agents.id} = due.agent_id
              LEFT JOIN ${callbackStandings} standing ON standing.agent_id = due.agent_id
            WHERE coalesce(aside_until, '') <= ${p.now})
        SELECT id FROM ranked WHERE place = 1 ORDER BY is_unconfirmed, silences, due_at, id LIMIT ${p.limit})`,
    )
    .returning(
      named({
        id: agentEvents.id,
        agentId: agentEvents.agentId,
        type: agentEvents.type,
        data: agentEvents.data,
        createdAt: agentEvents.createdAt,
        attempts: agentEvents.attempts,
        callbackUrl: sql<string | null>`(SELECT ${agents.callbackUrl} FROM ${agents}
          WHERE ${agents.id} = ${agentEvents.agentId})`,
        isConfirmed: asBoolean(sql`(SELECT callback_confirmed_at IS NOT NULL FROM ${agents}
          WHERE ${agents.id} = ${agentEvents.agentId})`),
      }),
    ),
);

/** What is counted by the day may be sent when the next one (UTC) begins. */
function waitOf(now: IsoTime): { until: IsoTime; before: IsoTime } {
  const today = epochOf(now) - (epochOf(now) % DAY_MS);
  return { until: isoTime(today + DAY_MS), before: isoTime(epochOf(now) - DAY_MS) };
}

const NO_OUTCOMES = { deliveredIds: [], givenUpIds: [], heldBackIds: [], reachable: [], unreachable: [] };

/**
 * Records how tries ended and begins the next ones. A claimed event is also put off until the time that `nextTries`
 * gives, so that no other run sends it meanwhile.
 */
export async function recordAndClaimBatch(
  market: Database,
  outcomes: Outcomes | null,
  { now, nextTries, limit }: Due,
): Promise<ClaimedEvent[]> {
  const { deliveredIds, givenUpIds, heldBackIds, reachable, unreachable, at } = outcomes ?? {
    ...NO_OUTCOMES,
    at: now,
  };
  const results = await market.commit([
    markDelivered({ ids: deliveredIds, at }),
    confirmCallbacks(deliveredIds, at),
    holdBack({ ids: heldBackIds, now, ...waitOf(now) }),
    markGivenUp({ ids: givenUpIds, now }),
    endBackoff({ agentIds: reachable }),
    countFailures({ agentIds: unreachable, nextTries }),
    claimDue.statement({ now, nextTries, limit }),
  ]);
  return claimDue.rows(results.at(-1));
}

/** The ids of events that must wait: a URL that never agreed to be called is called so often a day, and no more. */
export async function findHeldBack(
  market: Database,
  events: readonly ClaimedEvent[],
  now: EpochMs,
): Promise<string[]> {
  const calls = events.flatMap(({ id, agentId, callbackUrl: url, isConfirmed }) =>
    url === null || isConfirmed ? [] : [{ id, kind: 'callback' as const, agentId, url }],
  );
  const isWithin = await countCalls(market, calls, now);
  return calls.filter((_, index) => !isWithin[index]).map(({ id }) => id);
}

const summary = query((p: Params<{ agentId: string }>) => {
  const isOfAgent = eq(agentEvents.agentId, p.agentId);
  const isGivenUp = and(isOfAgent, isNull(agentEvents.deliveredAt), isNotNull(agentEvents.givenUpAt));
  const count = sql<number>`COUNT(*)`;
  const pending = build.select({ count }).from(agentEvents).where(and(isOfAgent, isOpen));
  const givenUp = build.select({ count }).from(agentEvents).where(isGivenUp);
  const lastDelivered = build
    .select({ at: max(agentEvents.deliveredAt) })
    .from(agentEvents)
    .where(isOfAgent);
  const lastGivenUp = build
    .select({
      event: sql`json_object('createdAt', ${agentEvents.createdAt}, 'givenUpAt', ${agentEvents.givenUpAt},
        'id', ${agentEvents.id}, 'type', ${agentEvents.type})`,
    })
    .from(agentEvents)
    .where(isGivenUp)
    .orderBy(desc(agentEvents.givenUpAt))
    .limit(1);
  return build
    .select({
      pending: sql<number>`${pending}`,
      givenUp: sql<number>`${givenUp}`,
      lastDeliveredAt: sql<IsoTime | null>`${lastDelivered}`,
      lastGivenUp: sql`${lastGivenUp}`.mapWith(parseLastGivenUp),
    })
    .from(sql`(SELECT 1)`);
});

function parseLastGivenUp(json: string): EventsSummary['lastGivenUp'] {
  return JSON.parse(json) as EventsSummary['lastGivenUp'];
}

export async function summariseEvents(market: Database, agentId: string): Promise<EventsSummary> {
  const row = await summary.first(market, { agentId });
  if (!row) throw new Error('A row without conditions is always there.');
  return row;
}

const deleteOld = write((p: Params<{ before: IsoTime; limit: number }>) => {
  const old = build
    .select({ id: agentEvents.id })
    .from(agentEvents)
    .where(and(lt(agentEvents.createdAt, p.before), not(isOpen)))
    .orderBy(agentEvents.createdAt)
    .limit(p.limit);
  return build.delete(agentEvents).where(sql`${agentEvents.id} IN ${old}`);
});

/** Deletes old events that are delivered or given up. Open ones stay however old they are. */
export async function deleteOldEvents(market: Database, before: IsoTime, limit: number): Promise<void> {
  await market.commit([deleteOld({ before, limit })]);
}
