import * as z from 'zod';
import { isSuspensionUnchanged } from '../agents/index.ts';
import {
  caseErrors,
  caseView,
  decisionNotices,
  decisionReason,
  endAppeal,
  findCase,
  isAppealed,
  outcome,
  reopenCase,
  viewCase,
} from '../cases/index.ts';
import { Refusal } from '../kernel/errors.ts';
import { id } from '../kernel/id.ts';
import { defineOperation } from '../kernel/operation/operation.ts';
import type { Database } from '../kernel/ports/database.ts';
import { isoTime } from '../kernel/time.ts';
import { listingErrors } from '../listings/index.ts';
import { readOperators } from '../operators/index.ts';
import { carryOut, measureOf } from './carry-out.ts';

/** For operators: the end of an appeal. */
export const decideAppeal = defineOperation({
  name: 'decideAppeal',
  summary: 'Decide an appeal: uphold the decision, or overturn it.',
  description:
    'For operators, and for another one than decided first, where there is one. `overturned` lifts what was decided; of a ' +
    'dismissal, it puts the report before operators again.',
  area: 'Meta',
  auth: 'operator',
  leastRole: 'support',
  input: z.object({
    caseId: id,
    outcome,
    reason: decisionReason.describe('Shown to those whom it concerns.'),
  }),
  publicFields: ['reason'],
  output: caseView,
  errors: [
    caseErrors.case_not_found,
    caseErrors.no_open_appeal,
    caseErrors.own_decision,
    listingErrors.listing_not_found,
    listingErrors.listing_blocked,
    listingErrors.listing_changed,
    listingErrors.health_declaration_rejected,
  ],
  http: { method: 'post', path: '/admin/reports/{id}/appeal', status: 200, names: { caseId: 'id' } },
  rate: 'write',
  replay: 'stored',
  audit: ({ caseId, reason }) => ({ subject: { type: 'moderation_case', id: caseId }, reason }),
  async handle(ctx, { caseId, outcome, reason }) {
    const { ports, now, operator } = ctx;
    const found = await findCase(ports.market, caseId);
    if (found === null) throw new Refusal(caseErrors.case_not_found);
    if (found.state !== 'appealed' || found.action === null) throw new Refusal(caseErrors.no_open_appeal);
    const by = operator?.id ?? '';
    if (found.decidedBy === by && (await hasOthers(ports.market, by)))
      throw new Refusal(caseErrors.own_decision);
    const at = isoTime(now);
    const ended = {
      ...found,
      state: 'decided' as const,
      outcome,
      outcomeReason: reason,
      outcomeBy: by,
      outcomeAt: at,
    };
    const answer = viewCase(ended, []);
    const statements = [
      ...endAppeal(caseId, { outcome, reason, by, at }),
      ...(await decisionNotices(ctx, ended)),
      ...(found.action === 'dismiss' && outcome === 'overturned'
        ? [reopenCase(ports.ids.uuid(), found, at)]
        : []),
    ];
    try {
      if (outcome === 'upheld' || found.action === 'dismiss') await ctx.commit(statements, answer);
      else {
        const measure = { ...measureOf(found, found.action), rule: null, reason };
        await carryOut(ctx, measure, { statements, answer }).catch((error: unknown) => {
          // What was appealed against was lifted meanwhile: the appeal still has its outcome.
          if (!isLiftedAlready(error)) throw error;
          return ctx.commit(statements, answer).then(() => {});
        });
      }
    } catch (error) {
      throw isAppealed(error) ? new Refusal(caseErrors.no_open_appeal) : error;
    }
    return answer;
  },
});

function isLiftedAlready(error: unknown): boolean {
  if (isSuspensionUnchanged(error)) return true;
  return error instanceof Refusal && error.definition === listingErrors.listing_block_unchanged;
}

/** Whether another operator could decide. */
async function hasOthers(market: Database, by: string): Promise<boolean> {
  const operators = await readOperators(market);
  return operators.some(({ id, role, revokedAt }) => id !== by && revokedAt === null && role !== 'viewer');
}
