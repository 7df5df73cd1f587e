import * as z from 'zod';
import { DESIGNATIONS, designate, isUnknownAgent, undesignate } from '../demand/index.ts';
import { Refusal } from '../kernel/errors.ts';
import { id } from '../kernel/id.ts';
import { defineOperation } from '../kernel/operation/operation.ts';
import { linesOf } from '../kernel/text-schema.ts';
import { isoTime } from '../kernel/time.ts';
import { adminErrors } from './admin.errors.ts';

const output = z.object({
  agentId: z.uuid(),
  designatedAt: z.iso.datetime(),
  note: z.string().nullable(),
  party: z.enum(DESIGNATIONS).nullable(),
});

/** For the operator: sets whose agent an agent is. Its past sales are reclassified at once. */
export const setDesignation = defineOperation({
  name: 'setDesignation',
  summary: 'Say whose agent an agent is, or take it back.',
  description:
    'For the operator. house_buyer and house_seller are its own agents, internal those of its tests and staff, ' +
    'affiliated those of related parties; null takes the designation back. All rows of the agent in the demand ledger ' +
    'are recounted in the same transaction.',
  area: 'Meta',
  auth: 'operator',
  leastRole: 'admin',
  input: z.object({
    agentId: id,
    party: z.enum(DESIGNATIONS).nullable(),
    note: linesOf(500).optional().describe('For the operator; never public.'),
  }),
  output,
  errors: [adminErrors.designated_agent_not_found],
  http: { method: 'post', path: '/admin/designations', status: 200 },
  rate: 'write',
  replay: 'stored',
  audit: ({ agentId, note }) => ({ subject: { type: 'agent', id: agentId }, reason: note }),
  async handle(ctx, { agentId, party, note }) {
    const answer = { agentId, designatedAt: isoTime(ctx.now), note: note ?? null, party };
    try {
      await ctx.commit(party === null ? undesignate(agentId) : designate({ ...answer, party }), answer);
    } catch (error) {
      throw isUnknownAgent(error) ? new Refusal(adminErrors.designated_agent_not_found) : error;
    }
    return answer;
  },
});
