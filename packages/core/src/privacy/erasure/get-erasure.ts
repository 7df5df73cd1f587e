import * as z from 'zod';
import { defineOperation } from '../../kernel/operation/operation.ts';
import { erasureView, viewErasure } from './erasure.schema.ts';
import { findErasure } from './erasures.store.ts';
import { readErasureTerms } from './read-erasure-terms.ts';

export const getErasure = defineOperation({
  name: 'getErasure',
  summary: 'Whether your account is to be erased, and what has to end before it can be.',
  area: 'Agents',
  auth: 'agent',
  scope: 'read',
  input: z.object({}),
  output: erasureView,
  errors: [],
  http: { method: 'get', path: '/agents/me/erasure', status: 200 },
  rate: 'read',
  async handle({ ports, caller: { agentId } }) {
    const [erasure, terms] = await Promise.all([
      findErasure(ports.market, agentId),
      readErasureTerms(ports, agentId, { givesUpBalance: false }),
    ]);
    return viewErasure(erasure, terms);
  },
});
