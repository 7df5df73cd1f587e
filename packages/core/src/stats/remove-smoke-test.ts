import { z } from 'zod';
import { Refusal } from '../kernel/errors.ts';
import { id } from '../kernel/id.ts';
import { defineOperation } from '../kernel/operation/operation.ts';
import { isNoSmokeTest, isStillReferredTo, removeSmokeTest as removal } from './smoke-tests.store.ts';
import { statsErrors } from './stats.errors.ts';

const output = z.object({ agentId: z.uuid(), removed: z.literal(true) });

/** For the operator. Clause: smokeTest of POST /agents/register, "removable". */
export const removeSmokeTest = defineOperation({
  name: 'removeSmokeTest',
  summary: 'Remove a smoke-test agent with its listings, its purchases and all else that it left.',
  description:
    'For the operator. Its key is dead from then on. Agents that are no smoke test are never removed.',
  area: 'Meta',
  auth: 'operator',
  input: z.object({ agentId: id }),
  output,
  errors: [statsErrors.smoke_test_not_found, statsErrors.smoke_test_in_use],
  http: { method: 'delete', path: '/admin/smoke-tests/{agentId}', status: 200 },
  rate: 'write',
  replay: 'stored',
  async handle(ctx, { agentId }) {
    const answer = { agentId, removed: true as const };
    try {
      await ctx.commit(removal(agentId), answer);
    } catch (error) {
      if (isNoSmokeTest(error)) throw new Refusal(statsErrors.smoke_test_not_found);
      throw isStillReferredTo(error) ? new Refusal(statsErrors.smoke_test_in_use) : error;
    }
    return answer;
  },
});
