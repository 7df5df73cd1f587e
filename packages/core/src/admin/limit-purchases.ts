import { z } from 'zod';
import { isNoAgent, limitByOperator } from '../agents/index.ts';
import { Refusal } from '../kernel/errors.ts';
import { id } from '../kernel/id.ts';
import { reasonField } from '../kernel/operation/audit-trail.ts';
import { defineOperation } from '../kernel/operation/operation.ts';
import { isoTime } from '../kernel/time.ts';
import { adminErrors } from './admin.errors.ts';

/** For the operator: freezes what an agent buys, or lifts that. */
export const limitPurchases = defineOperation({
  name: 'limitPurchases',
  summary: 'Keep an agent from buying what is priced, or let it buy again.',
  description:
    'For the operator. An agent is limited by itself when a bank takes back what topped up its wallet; that ends only ' +
    'here. What it has bought, sells and holds in its wallet stays.',
  area: 'Meta',
  auth: 'operator',
  leastRole: 'support',
  input: z.object({ agentId: id, limited: z.boolean(), reason: reasonField.optional() }),
  output: z.object({ agentId: z.uuid(), limited: z.boolean() }),
  errors: [adminErrors.limited_agent_not_found],
  http: { method: 'post', path: '/admin/agents/{id}/purchases', status: 200, names: { agentId: 'id' } },
  rate: 'write',
  replay: 'stored',
  audit: ({ agentId, reason }) => ({ subject: { type: 'agent', id: agentId }, reason }),
  async handle(ctx, { agentId, limited }) {
    const answer = { agentId, limited };
    try {
      await ctx.commit(limitByOperator(ctx.ports.ids, agentId, limited, isoTime(ctx.now)), answer);
    } catch (error) {
      throw isNoAgent(error) ? new Refusal(adminErrors.limited_agent_not_found) : error;
    }
    ctx.ports.log.info('purchases_limited', { agentId, limited });
    return answer;
  },
});
