import type { Statement } from '../kernel/ports/database.ts';
import type { Ids } from '../kernel/ports/ids.ts';
import type { IsoTime } from '../kernel/time.ts';
import { limitKnownAgent } from './agents.store.ts';
import { recordAgentEvent } from './events/agent-events.store.ts';

/** An operator limits an agent to what costs nothing, or lifts that; the agent is told. Aborts for one that is unknown. */
export function limitByOperator(ids: Ids, agentId: string, limited: boolean, at: IsoTime): Statement[] {
  const reason = 'operator';
  return [
    ...limitKnownAgent(agentId, limited ? { since: at, reason } : null),
    ...recordAgentEvent(agentId, 'account.limited', { limited, reason }, ids.uuid(), at),
  ];
}
