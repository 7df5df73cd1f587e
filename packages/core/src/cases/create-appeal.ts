import * as z from 'zod';
import { commonErrors, Refusal } from '../kernel/errors.ts';
import { id } from '../kernel/id.ts';
import { ACTING_SCOPES } from '../kernel/operation/key-scopes.ts';
import { defineOperation, type OperationContext } from '../kernel/operation/operation.ts';
import { linesOf } from '../kernel/text-schema.ts';
import { isoTime } from '../kernel/time.ts';
import { agentOfToken } from './appeal-link.ts';
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
  auth: 'optional',
  scope: ACTING_SCOPES,
  input: z.object({
    decisionId: id,
    text: linesOf(2000).describe('Why the decision is wrong.'),
    token: z.string().max(200).optional().describe('Of the link in the notice, in place of a key.'),
  }),
  output: decisionView,
  errors: [caseErrors.decision_not_found, caseErrors.decision_appealed],
  http: { method: 'post', path: '/appeals', status: 201 },
  openToSuspended: true,
  rate: 'write',
  replay: 'stored',
  async handle(ctx, { decisionId, text, token }) {
    const { ports, now } = ctx;
    const agentId = await appellantOf(ctx, decisionId, token);
    const found = await findCase(ports.market, decisionId);
    const concerns =
      found?.action === 'dismiss'
        ? await isReporter(ports.market, decisionId, agentId)
        : found?.agentId === agentId;
    // Whom it does not concern learns nothing of it.
    if (found === null || found.action === null || !concerns) {
      throw new Refusal(caseErrors.decision_not_found);
    }
    if (found.appealedAt !== null) throw new Refusal(caseErrors.decision_appealed);
    const at = isoTime(now);
    const answer = viewDecision({ ...found, appealedAt: at });
    try {
      await ctx.commit(appealCase(decisionId, agentId, text, at), answer);
    } catch (error) {
      throw isAppealed(error) ? new Refusal(caseErrors.decision_appealed) : error;
    }
    return answer;
  },
});

/** Whoever appeals: the agent that the link was sent to, or the caller. */
async function appellantOf(
  { ports, caller }: OperationContext<'optional'>,
  decisionId: string,
  token: string | undefined,
): Promise<string> {
  if (token === undefined) {
    if (caller === null) throw new Refusal(commonErrors.missing_api_key);
    return caller.agentId;
  }
  const agentId = await agentOfToken(ports, decisionId, token);
  if (agentId === null) throw new Refusal(caseErrors.decision_not_found);
  return agentId;
}
