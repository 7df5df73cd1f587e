import * as z from 'zod';
import { defineOperation } from '../../kernel/operation/operation.ts';
import { isoTime } from '../../kernel/time.ts';
import { viewKey } from './change-keys.ts';
import { readKeys } from './key-changes.store.ts';
import { keyId, keyView } from './keys.schema.ts';

/** The API keys of the agent, without their texts. */
export const listKeys = defineOperation({
  name: 'listKeys',
  summary: 'The API keys of your agent: those that are live, then the latest that ended, a hundred in all.',
  area: 'Agents',
  auth: 'agent',
  scope: 'manage',
  input: z.object({}),
  output: z.object({
    callerKeyId: keyId.describe('The key that you call with.'),
    keys: z.array(keyView),
  }),
  errors: [],
  http: { method: 'get', path: '/agents/me/keys', status: 200 },
  rate: 'read',
  async handle({ ports, caller, now }) {
    const keys = await readKeys(ports.market, caller.agentId, isoTime(now));
    return { callerKeyId: caller.keyId, keys: keys.map((key) => viewKey(key, now)) };
  },
});
