import { and, eq, isNotNull, sql } from 'drizzle-orm';
import { asBoolean, build } from '../../db/build.ts';
import { isGuard } from '../../db/constraint.ts';
import { guardOneChange } from '../../db/guard.ts';
import { type Params, query, write } from '../../db/query.ts';
import { agents } from '../../db/tables/agents.ts';
import { agentEvents } from '../../db/tables/events.ts';
import type { Database, Statement } from '../../kernel/ports/database.ts';
import type { IsoTime } from '../../kernel/time.ts';
import { isOpen } from './agent-events.store.ts';

/** Of one event. */
export const MAX_REDELIVERIES = 10;

const NOT_REDELIVERED = 'event_not_redelivered';

const own = query((p: Params<{ agentId: string; id: string }>) =>
  build
    .select({ redeliveries: agentEvents.redeliveries, hasCallback: asBoolean(isNotNull(agents.callbackUrl)) })
    .from(agentEvents)
    .innerJoin(agents, eq(agents.id, agentEvents.agentId))
    .where(and(eq(agentEvents.id, p.id), eq(agentEvents.agentId, p.agentId))),
);

/** Null: it is another agent's, or there is none. */
export function findOwnEvent(
  market: Database,
  agentId: string,
  id: string,
): Promise<{ readonly redeliveries: number; readonly hasCallback: boolean } | null> {
  return own.first(market, { agentId, id });
}

/** What is sent with its content just now, for the first time, is left to end that by itself. */
const beginAnew = write((p: Params<{ agentId: string; id: string; known: number; at: IsoTime }>) =>
  build
    .update(agentEvents)
    .set({
      redeliveries: sql`${agentEvents.redeliveries} + 1`,
      isPushed: true,
      attempts: 0,
      deliveredAt: null,
      givenUpAt: null,
      nextAttemptAt: sql`CASE WHEN ${isOpen} AND ${agentEvents.attempts} = 0
          THEN ${agentEvents.nextAttemptAt} ELSE ${p.at} END`,
    })
    .where(
      and(
        eq(agentEvents.id, p.id),
        eq(agentEvents.agentId, p.agentId),
        eq(agentEvents.redeliveries, p.known),
      ),
    ),
);

/** Aborts if it was redelivered since it was read. */
export function redeliverEvent(agentId: string, id: string, known: number, at: IsoTime): Statement[] {
  return [beginAnew({ agentId, id, known, at }), guardOneChange(NOT_REDELIVERED)];
}

export function isRedeliveryConflict(error: unknown): boolean {
  return isGuard(error, NOT_REDELIVERED);
}
