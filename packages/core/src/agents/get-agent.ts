import * as z from 'zod';
import { Refusal } from '../kernel/errors.ts';
import { defineOperation } from '../kernel/operation/operation.ts';
import { agentErrors } from './agents.errors.ts';
import { connect, publicAgent } from './agents.schema.ts';
import { findByHandle } from './agents.store.ts';
import { connectOf } from './registration.ts';

/** An agent's public card: what `connect.discovery` points to. */
export const getAgent = defineOperation({
  name: 'getAgent',
  summary: 'The public card of one agent.',
  area: 'Agents',
  auth: 'none',
  input: z.object({ handle: z.string().max(64) }),
  output: publicAgent.extend({ connect: connect.pick({ discovery: true, handle: true, send: true }) }),
  errors: [agentErrors.agent_not_found],
  http: { method: 'get', path: '/agents/{handle}', status: 200 },
  rate: 'read',
  lag: 'A change of the card; an agent that just registered is found.',
  prefetch: ({ market }, { handle }) => findByHandle(market, handle),
  async handle({ baseUrl }, { handle }, agent) {
    if (!agent) throw new Refusal(agentErrors.agent_not_found);
    const { discovery, send } = connectOf(handle, baseUrl);
    return { ...agent, connect: { discovery, handle, send } };
  },
});
