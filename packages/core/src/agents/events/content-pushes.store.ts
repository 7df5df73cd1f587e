import { and, eq, isNotNull, isNull, sql } from 'drizzle-orm';
import { build, excluded } from '../../db/build.ts';
import { type Params, query, write } from '../../db/query.ts';
import { agents } from '../../db/tables/agents.ts';
import { agentEvents, contentPushPauses } from '../../db/tables/events.ts';
import type { Database, Statement } from '../../kernel/ports/database.ts';
import type { IsoTime } from '../../kernel/time.ts';
import { confirmCallbacks } from './agent-events.store.ts';

/** Where content may be sent. */
export interface ContentCallback {
  readonly callbackUrl: string;
  /** No content is sent before then; it may be past. */
  readonly pausedUntil: IsoTime | null;
}

const ofAgent = query((p: Params<{ agentId: string }>) =>
  build
    .select({ callbackUrl: sql<string>`${agents.callbackUrl}`, pausedUntil: contentPushPauses.pausedUntil })
    .from(agents)
    .leftJoin(contentPushPauses, eq(contentPushPauses.agentId, agents.id))
    .where(and(eq(agents.id, p.agentId), isNotNull(agents.callbackUrl))),
);

/** Null: the agent registered no callback URL. */
export async function findContentCallback(
  market: Database,
  agentId: string | null,
): Promise<ContentCallback | null> {
  return agentId === null ? null : ofAgent.first(market, { agentId });
}

const pause = write((p: Params<{ agentId: string; until: IsoTime }>) =>
  build
    .insert(contentPushPauses)
    .values({ agentId: p.agentId, pausedUntil: p.until })
    .onConflictDoUpdate({
      target: contentPushPauses.agentId,
      set: excluded(contentPushPauses, 'pausedUntil'),
    }),
);

/** The callback broke the connection, and may have read the content all the same. */
export function pauseContentPushes(agentId: string, until: IsoTime): Statement {
  return pause({ agentId, until });
}

const delay = write((p: Params<{ eventId: string; until: IsoTime }>) =>
  build.update(agentEvents).set({ nextAttemptAt: p.until }).where(eq(agentEvents.id, p.eventId)),
);

/** Its content is being sent: until then nobody else sends the event. */
export function beginContentPush(eventId: string, until: IsoTime): Statement {
  return delay({ eventId, until });
}

const end = write((p: Params<{ eventId: string; at: IsoTime; isAcknowledged: boolean }>) =>
  build
    .update(agentEvents)
    .set({
      nextAttemptAt: p.at,
      deliveredAt: sql`CASE WHEN ${p.isAcknowledged} THEN ${p.at} ELSE ${agentEvents.deliveredAt} END`,
    })
    .where(and(eq(agentEvents.id, p.eventId), isNull(agentEvents.deliveredAt))),
);

/** An event that was not acknowledged with its content is sent without it, as any other. */
export function endContentPush(eventId: string, at: IsoTime, isAcknowledged: boolean): Statement[] {
  return [end({ eventId, at, isAcknowledged }), confirmCallbacks(isAcknowledged ? [eventId] : [], at)];
}
