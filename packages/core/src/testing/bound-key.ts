import { insertPolicy } from '../budgets/index.ts';
import type { Ports } from '../kernel/ports/ports.ts';
import type { SpendPolicy } from '../kernel/spend-policy.ts';
import { isoTime } from '../kernel/time.ts';
import type { RegisteredAgent } from './new-seller.ts';

/**
 * Bounds the keys of an agent by a policy; `above`, by one above it as well. Returns their ids, the keys' own first.
 */
export async function boundKey(
  { market, ids, clock }: Pick<Ports, 'market' | 'ids' | 'clock'>,
  { id: agentId }: Pick<RegisteredAgent, 'id'>,
  limits: Partial<SpendPolicy>,
  above?: Partial<SpendPolicy>,
): Promise<readonly string[]> {
  const at = isoTime(clock.now());
  const row = { agentId, createdAt: at, changedAt: at };
  const parentId = above ? ids.uuid() : null;
  const id = ids.uuid();
  await market.commit([
    ...(parentId ? [insertPolicy({ ...above, ...row, id: parentId })] : []),
    insertPolicy({ ...limits, ...row, id, parentId }),
    { sql: 'UPDATE agent_keys SET policy_id = ? WHERE agent_id = ?', params: [id, agentId] },
  ]);
  return parentId ? [id, parentId] : [id];
}
