import { recordAgentEvent } from '../agents/index.ts';
import type { Statement } from '../kernel/ports/database.ts';
import type { Ports } from '../kernel/ports/ports.ts';
import type { IsoTime } from '../kernel/time.ts';
import { viewDecision } from './cases.schema.ts';
import type { ModerationCase } from './cases.store.ts';

/** Tells those whom a decision concerns. Nobody learns who reported. */
export function decisionEvents(
  { ids }: Pick<Ports, 'ids'>,
  decided: ModerationCase,
  agentIds: readonly string[],
  at: IsoTime,
): Statement[] {
  const data = viewDecision(decided);
  return [...new Set(agentIds)].flatMap((agentId) =>
    recordAgentEvent(agentId, 'moderation.decided', data, ids.uuid(), at),
  );
}
