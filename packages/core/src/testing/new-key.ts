import { sha256Hex } from '@agent-marketplace/protocol/crypto/digest.ts';
import { insertKey, type NewKey } from '../agents/keys/agent-keys.store.ts';
import { testBindings } from './workers-bindings.ts';
import type { TestMarketplace } from './workers-harness.ts';

/** Another key of the agent that has this one, straight into the database: its text and its id. */
export async function addKeyBeside(
  market: TestMarketplace,
  apiKey: string,
  fields: Partial<NewKey> = {},
): Promise<{ apiKey: string; id: string }> {
  const { ids, market: db, clock } = market.newPorts();
  const [id, text] = [ids.uuid(), `mkt_live_${ids.uuid()}`];
  const agentId = await testBindings.DB.prepare('SELECT agent_id FROM agent_keys WHERE key_hash = ?')
    .bind(await sha256Hex(apiKey))
    .first<string>('agent_id');
  const createdAt = new Date(clock.now()).toISOString();
  const row = { id, agentId: String(agentId), label: 'another', scopes: ['all'], createdAt } as const;
  await db.commit([insertKey({ ...row, keyHash: await sha256Hex(text), ...fields })]);
  return { apiKey: text, id };
}
