import type { JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import { and, eq, gt, sql } from 'drizzle-orm';
import { asInteger, build } from '../../db/build.ts';
import { type Params, query } from '../../db/query.ts';
import { agentEventCounts, agentEvents } from '../../db/tables/events.ts';
import type { Database } from '../../kernel/ports/database.ts';
import type { IsoTime } from '../../kernel/time.ts';
import type { AgentEventType } from './agent-event.ts';

/** An event as its agent reads it. */
export interface NumberedEvent {
  readonly id: string;
  readonly sequence: number;
  readonly type: AgentEventType;
  readonly data: JsonObject;
  readonly createdAt: IsoTime;
}

export interface EventPage {
  readonly events: readonly NumberedEvent[];
  /** The number of the newest event there ever was; 0: there was none. */
  readonly lastSequence: number;
  /** How many events after the position are no longer kept. */
  readonly missed: number;
}

const page = query((p: Params<{ agentId: string; after: number; limit: number }>) =>
  build
    .select({
      id: agentEvents.id,
      sequence: sql<number>`${agentEvents.sequence}`,
      type: agentEvents.type,
      data: agentEvents.data,
      createdAt: agentEvents.createdAt,
    })
    .from(agentEvents)
    .where(and(eq(agentEvents.agentId, p.agentId), gt(agentEvents.sequence, asInteger(p.after))))
    .orderBy(agentEvents.sequence)
    .limit(p.limit),
);

const count = query((p: Params<{ agentId: string }>) =>
  build
    .select({ last: agentEventCounts.lastSequence })
    .from(agentEventCounts)
    .where(eq(agentEventCounts.agentId, p.agentId)),
);

/** The events after a number, in sequence, as they are at one moment. */
export async function readEventPage(
  market: Database,
  agentId: string,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<EventPage> {
  const [events, counted] = await Promise.all([
    page.all(market, { agentId, after, limit }),
    count.first(market, { agentId }),
  ]);
  const lastSequence = counted?.last ?? 0;
  const missed = Math.max(0, (events[0]?.sequence ?? lastSequence + 1) - after - 1);
  return { events, lastSequence, missed };
}
