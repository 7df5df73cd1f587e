import * as z from 'zod';
import { defineOperation } from '../../kernel/operation/operation.ts';
import { isoTime } from '../../kernel/time.ts';
import { recordAgentEvent } from '../events/agent-events.store.ts';
import { cancelRecoveries, findOpenedRecovery } from './recoveries.store.ts';

/** Whoever has a live key needs no recovery, and may not have asked for one. */
export const cancelRecovery = defineOperation({
  name: 'cancelRecovery',
  summary: 'Cancel every recovery of your account that is under way, with any key.',
  area: 'Agents',
  auth: 'agent',
  scope: ['read', 'buy', 'sell', 'manage'],
  input: z.object({}),
  output: z.object({ wasOpen: z.boolean().describe('Somebody had opened the mailed link.') }),
  errors: [],
  http: { method: 'post', path: '/agents/me/recovery/cancel', status: 200 },
  rate: 'write',
  replay: 'stored',
  async handle(ctx) {
    const { ports, caller, now } = ctx;
    const at = isoTime(now);
    const answer = { wasOpen: (await findOpenedRecovery(ports.market, caller.agentId)) !== null };
    const data = { byKeyId: caller.keyId };
    const event = recordAgentEvent(caller.agentId, 'account.recovery_cancelled', data, ports.ids.uuid(), at);
    await ctx.commit([cancelRecoveries(caller.agentId, at), ...(answer.wasOpen ? event : [])], answer);
    return answer;
  },
});
