import { and, eq } from 'drizzle-orm';
import { build } from '../../db/build.ts';
import { type Params, write } from '../../db/query.ts';
import { agents } from '../../db/tables/agents.ts';
import { agentEvents, callbackStandings } from '../../db/tables/events.ts';
import type { Statement } from '../../kernel/ports/database.ts';
import type { IsoTime } from '../../kernel/time.ts';
import { isOpen } from './agent-events.store.ts';

const setUrl = write((p: Params<{ agentId: string; url: string | null; confirmedAt: IsoTime | null }>) =>
  build
    .update(agents)
    .set({ callbackUrl: p.url, callbackConfirmedAt: p.confirmedAt })
    .where(eq(agents.id, p.agentId)),
);

const forgetStanding = write((p: Params<{ agentId: string }>) =>
  build.delete(callbackStandings).where(eq(callbackStandings.agentId, p.agentId)),
);

const endPushes = write((p: Params<{ agentId: string }>) =>
  build
    .update(agentEvents)
    .set({ isPushed: false })
    .where(and(eq(agentEvents.agentId, p.agentId), isOpen)),
);

/**
 * Where events are sent from now on, those that wait included: a URL that answered a challenge for this agent, and so
 * agreed to be called. Null: nowhere. Content that may not be pushed for a day is not pushed to another URL either.
 */
export function setCallbackUrl(agentId: string, url: string | null, at: IsoTime): Statement[] {
  const confirmedAt = url === null ? null : at;
  return [
    setUrl({ agentId, url, confirmedAt }),
    forgetStanding({ agentId }),
    ...(url === null ? [endPushes({ agentId })] : []),
  ];
}
