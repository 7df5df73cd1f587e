import { z } from 'zod';
import { Refusal } from '../kernel/errors.ts';
import { id } from '../kernel/id.ts';
import { defineOperation } from '../kernel/operation/operation.ts';
import { linesOf } from '../kernel/text-schema.ts';
import { isoTime } from '../kernel/time.ts';
import { caseErrors } from './cases.errors.ts';
import { decisionView, viewDecision } from './cases.schema.ts';
import { appealCase, findCase, isAppealed } from './cases.store.ts';
import { isReporter } from './reports.store.ts';

/** One appeal for each decision, by whom it concerns. */
export const createAppeal = defineOperation({
  name: 'createAppeal',
  summary: 'Appeal against a decision about you or your listing, or against the dismissal of your report.',
  description:
    'Once for each decision; its id is in the event `moderation.decided`. Another operator looks at it, where there is one. ' +
    'A suspended agent may appeal.',
  area: 'Inquiries',
  auth: 'agent',
  scope: ['buy', 'sell', 'manage'],
  input: z.object({ decisionId: id, text: linesOf(2000).describe('Why the decision is wrong.') }),
  output: decisionView,
  errors: [caseErrors.decision_not_found, caseErrors.decision_appealed],
  http: { method: 'post', path: '/appeals', status: 201 },
  openToSuspended: true,
  rate: 'write',
  replay: 'stored',
  async handle(ctx, { decisionId, text }) {
    const { ports, caller, now } = ctx;
    const found = await findCase(ports.market, decisionId);
    const concerns =
      found?.action === 'dismiss'
        ? await isReporter(ports.market, decisionId, caller.agentId)
        : found?.agentId === caller.agentId;
    // Whom it does not concern learns nothing of it.
    if (found === null || found.action === null || !concerns) {
      throw new Refusal(caseErrors.decision_not_found);
    }
    if (found.appealedAt !== null) throw new Refusal(caseErrors.decision_appealed);
    const at = isoTime(now);
    const answer = viewDecision({ ...found, appealedAt: at });
    try {
      await ctx.commit(appealCase(decisionId, caller.agentId, text, at), answer);
    } catch (error) {
      throw isAppealed(error) ? new Refusal(caseErrors.decision_appealed) : error;
    }
    return answer;
  },
});
