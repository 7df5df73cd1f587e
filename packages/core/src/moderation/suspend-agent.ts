import * as z from 'zod';
import { isSuspensionUnchanged } from '../agents/index.ts';
import { caseErrors, findSubject } from '../cases/index.ts';
import { commonErrors, Refusal } from '../kernel/errors.ts';
import { id } from '../kernel/id.ts';
import { defineOperation } from '../kernel/operation/operation.ts';
import { ruleField } from '../kernel/rule-field.ts';
import { linesOf } from '../kernel/text-schema.ts';
import { carryOut } from './carry-out.ts';
import { ownDecision } from './own-decision.ts';

/** For the operator: an agent that neither buys nor sells any more, or does again. */
export const suspendAgent = defineOperation({
  name: 'suspendAgent',
  summary: 'Suspend an agent under a published rule, or lift its suspension.',
  description:
    'For the operator. A suspended agent reads its own records, collects what it paid for, answers for what it sold, and ' +
    'does nothing else. Its active listings wait as `pending`, and are active again when the suspension is lifted. ' +
    'It is told the rule and the reason.',
  area: 'Meta',
  auth: 'operator',
  leastRole: 'support',
  input: z.object({
    agentId: id,
    suspended: z.boolean(),
    rule: ruleField.optional().describe('Required to suspend; left out to lift the suspension.'),
    reason: linesOf(500).describe('Shown to the agent, and kept in the audit chain.'),
  }),
  output: z.object({
    agentId: z.uuid(),
    reason: z.string(),
    rule: ruleField.nullable(),
    suspended: z.boolean(),
  }),
  errors: [caseErrors.suspended_agent_not_found, caseErrors.suspension_unchanged],
  http: { method: 'post', path: '/admin/agents/{id}/suspension', status: 200, names: { agentId: 'id' } },
  rate: 'write',
  replay: 'stored',
  audit: ({ agentId, reason }) => ({ subject: { type: 'agent', id: agentId }, reason }),
  async handle(ctx, { agentId, suspended, rule = null, reason }) {
    if (suspended !== (rule !== null)) {
      const message = 'Name the rule to suspend an agent, and only then.';
      throw new Refusal(commonErrors.validation_failed, { fields: [{ message, path: 'rule' }] });
    }
    const answer = { agentId, reason, rule, suspended };
    const agent = { type: 'agent' as const, id: agentId };
    const subject = { ...agent, ownerId: agentId, listingId: null };
    const statements =
      rule === null ? [] : await ownDecision(ctx, subject, { action: 'suspend', rule, reason });
    try {
      await carryOut(
        ctx,
        { kind: 'suspend', id: agentId, listingId: null, rule, reason },
        { answer, statements },
      );
    } catch (error) {
      if (!isSuspensionUnchanged(error)) throw error;
      const isKnown = (await findSubject(ctx.ports.market, agent)) !== null;
      throw new Refusal(caseErrors[isKnown ? 'suspension_unchanged' : 'suspended_agent_not_found']);
    }
    return answer;
  },
});
