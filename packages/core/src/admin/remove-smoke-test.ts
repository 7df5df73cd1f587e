import * as z from 'zod';
import { Refusal } from '../kernel/errors.ts';
import { id } from '../kernel/id.ts';
import { defineOperation } from '../kernel/operation/operation.ts';
import { adminErrors } from './admin.errors.ts';
import { deleteSmokeTest, isNoSmokeTest, isStillReferredTo } from './smoke-tests.store.ts';

const output = z.object({ agentId: z.uuid(), removed: z.literal(true) });

/** For the operator. Clause: smokeTest of POST /agents/register, "removable". */
export const removeSmokeTest = defineOperation({
  name: 'removeSmokeTest',
  summary: 'Remove a smoke-test agent with its listings, its purchases and all else that it left.',
  description:
    'For the operator. Its key is dead from then on. Agents that are no smoke test are never removed.',
  area: 'Meta',
  auth: 'operator',
  leastRole: 'admin',
  input: z.object({ agentId: id }),
  output,
  errors: [adminErrors.smoke_test_not_found, adminErrors.smoke_test_in_use],
  http: { method: 'delete', path: '/admin/smoke-tests/{agentId}', status: 200 },
  rate: 'write',
  replay: 'stored',
  audit: ({ agentId }) => ({ subject: { type: 'agent', id: agentId } }),
  async handle(ctx, { agentId }) {
    const answer = { agentId, removed: true as const };
    try {
      await ctx.commit(deleteSmokeTest(agentId), answer);
    } catch (error) {
      if (isNoSmokeTest(error)) throw new Refusal(adminErrors.smoke_test_not_found);
      throw isStillReferredTo(error) ? new Refusal(adminErrors.smoke_test_in_use) : error;
    }
    return answer;
  },
});
