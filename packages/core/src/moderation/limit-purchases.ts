import * as z from 'zod';
import { isNoAgent } from '../agents/index.ts';
import { caseErrors, decisionReason } from '../cases/index.ts';
import { commonErrors, Refusal } from '../kernel/errors.ts';
import { id } from '../kernel/id.ts';
import { defineOperation } from '../kernel/operation/operation.ts';
import { ruleField } from '../kernel/rule-field.ts';
import { carryOut } from './carry-out.ts';
import { ownDecision } from './own-decision.ts';

/** For the operator: freezes what an agent buys, or lifts that. */
export const limitPurchases = defineOperation({
  name: 'limitPurchases',
  summary: 'Keep an agent from buying what is priced, or let it buy again.',
  description:
    'For the operator. An agent is limited by itself when a bank takes back what topped up its wallet; that ends only ' +
    'here. What it has bought, sells and holds in its wallet stays. It is told the rule and the reason, and may appeal.',
  area: 'Meta',
  auth: 'operator',
  leastRole: 'support',
  input: z.object({
    agentId: id,
    limited: z.boolean(),
    rule: ruleField.optional().describe('Required to limit; left out to lift the limit.'),
    reason: decisionReason
      .optional()
      .describe('Required to limit. Shown to the agent, and kept in the audit chain.'),
  }),
  output: z.object({ agentId: z.uuid(), limited: z.boolean() }),
  errors: [caseErrors.limited_agent_not_found],
  http: { method: 'post', path: '/admin/agents/{id}/purchases', status: 200, names: { agentId: 'id' } },
  rate: 'write',
  replay: 'stored',
  audit: ({ agentId, reason }) => ({ subject: { type: 'agent', id: agentId }, reason }),
  async handle(ctx, { agentId, limited, rule = null, reason = null }) {
    if (limited !== (rule !== null)) {
      const message = 'Name the rule to limit an agent, and only then.';
      throw new Refusal(commonErrors.validation_failed, { fields: [{ message, path: 'rule' }] });
    }
    if (limited && reason === null) {
      const message = 'Say why: the agent reads it.';
      throw new Refusal(commonErrors.validation_failed, { fields: [{ message, path: 'reason' }] });
    }
    const answer = { agentId, limited };
    const subject = { type: 'agent' as const, id: agentId, ownerId: agentId, listingId: null };
    const statements =
      rule === null || reason === null
        ? []
        : await ownDecision(ctx, subject, { action: 'limit', rule, reason });
    try {
      await carryOut(
        ctx,
        { kind: 'limit', id: agentId, listingId: null, rule, reason: reason ?? '' },
        { answer, statements },
      );
    } catch (error) {
      throw isNoAgent(error) ? new Refusal(caseErrors.limited_agent_not_found) : error;
    }
    ctx.ports.log.info('purchases_limited', { agentId, limited });
    return answer;
  },
});
