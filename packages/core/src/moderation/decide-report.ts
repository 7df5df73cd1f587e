import * as z from 'zod';
import { isSuspensionUnchanged } from '../agents/index.ts';
import {
  action,
  caseErrors,
  caseView,
  decideCase,
  decisionNotices,
  decisionReason,
  findCase,
  isDecided,
  type Subject,
  subjectOf,
  viewCase,
} from '../cases/index.ts';
import { commonErrors, Refusal } from '../kernel/errors.ts';
import { id } from '../kernel/id.ts';
import { defineOperation } from '../kernel/operation/operation.ts';
import { ruleField } from '../kernel/rule-field.ts';
import { isoTime } from '../kernel/time.ts';
import { listingErrors } from '../listings/index.ts';
import { carryOut, measureOf } from './carry-out.ts';

/** For operators: what becomes of something that was reported. */
export const decideReport = defineOperation({
  name: 'decideReport',
  summary: 'Decide about something that was reported.',
  description:
    'For operators. `dismiss` changes nothing; `block` is for a listing, or for a rating, which is removed; `limit` and `suspend` are of the agent whose listing, ' +
    'rating or account it is. The owner and those who reported with a key are recipients, and either may appeal once.',
  area: 'Meta',
  auth: 'operator',
  leastRole: 'support',
  input: z.object({
    caseId: id,
    action,
    rule: ruleField.optional().describe('Required, unless it is dismissed.'),
    reason: decisionReason.describe('Shown to those whom it concerns; that of a block to everybody.'),
  }),
  publicFields: ['reason'],
  output: caseView,
  errors: [
    caseErrors.case_not_found,
    caseErrors.case_decided,
    caseErrors.suspension_unchanged,
    listingErrors.listing_not_found,
    listingErrors.listing_block_unchanged,
    listingErrors.listing_changed,
  ],
  http: { method: 'post', path: '/admin/reports/{id}/decision', status: 200, names: { caseId: 'id' } },
  rate: 'write',
  replay: 'stored',
  audit: ({ caseId, reason }) => ({ subject: { type: 'moderation_case', id: caseId }, reason }),
  async handle(ctx, { caseId, action, rule = null, reason }) {
    const { ports, now, operator } = ctx;
    const found = await findCase(ports.market, caseId);
    if (found === null) throw new Refusal(caseErrors.case_not_found);
    if (found.action !== null) throw new Refusal(caseErrors.case_decided);
    const subject = subjectOf(found);
    requireFitting(subject.type, action, rule);
    const at = isoTime(now);
    const by = operator?.id ?? '';
    const decided = {
      ...found,
      state: 'decided' as const,
      action,
      rule,
      reason,
      decidedAt: at,
      decidedBy: by,
    };
    const answer = viewCase(decided, []);
    const statements = [
      ...decideCase(caseId, { action, rule, reason, by, at }),
      ...(await decisionNotices(ctx, decided)),
    ];
    try {
      if (action === 'dismiss') await ctx.commit(statements, answer);
      else {
        const measure = measureOf(found, action);
        await carryOut(ctx, { ...measure, rule, reason }, { statements, answer });
      }
    } catch (error) {
      if (isDecided(error)) throw new Refusal(caseErrors.case_decided);
      throw isSuspensionUnchanged(error) ? new Refusal(caseErrors.suspension_unchanged) : error;
    }
    return answer;
  },
});

function requireFitting(subjectType: Subject['type'], action: string, rule: string | null): void {
  const wrong = (path: string, message: string) =>
    new Refusal(commonErrors.validation_failed, { fields: [{ message, path }] });
  if ((action === 'dismiss') !== (rule === null))
    throw wrong('rule', 'Name the rule, unless you dismiss the report.');
  if (action === 'block' && subjectType === 'agent')
    throw wrong('action', 'Only a listing or a rating can be blocked.');
}
