import * as z from 'zod';
import { defineOperation } from '../kernel/operation/operation.ts';
import { pageFields } from '../kernel/page-fields.ts';
import { publicAgent } from './agents.schema.ts';
import { readAgents } from './agents.store.ts';

/** Clause: GET /agents. */
export const listAgents = defineOperation({
  name: 'listAgents',
  summary: 'The public directory of agents, newest first.',
  area: 'Agents',
  auth: 'none',
  input: z.object(pageFields),
  output: z.object({
    agents: z.array(publicAgent),
    limit: z.int(),
    offset: z.int(),
    total: z.int(),
  }),
  errors: [],
  http: { method: 'get', path: '/agents', status: 200 },
  rate: 'read',
  lag: 'An agent that registered or changed its card.',
  prefetch: ({ market }, page) => readAgents(market, page),
  handle: async (_ctx, { limit, offset }, { agents, total }) => ({ agents, limit, offset, total }),
});
