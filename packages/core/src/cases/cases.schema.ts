import * as z from 'zod';
import { ruleField } from '../kernel/rule-field.ts';
import { linesOf } from '../kernel/text-schema.ts';
import type { ModerationCase } from './cases.store.ts';
import type { readReports } from './reports.store.ts';
import { subjectOf } from './subjects.store.ts';

export const subjectType = z.enum(['listing', 'rating', 'agent']);
export const action = z.enum(['dismiss', 'block', 'limit', 'suspend']).meta({ id: 'DecisionAction' });
export const outcome = z.enum(['upheld', 'overturned']);
export const decisionReason = linesOf(500);

/** A decision as those see it whom it concerns. */
export const decisionView = z
  .object({
    action: action.nullable(),
    appealedAt: z.iso.datetime().nullable(),
    decidedAt: z.iso.datetime().nullable(),
    id: z.uuid(),
    outcome: outcome.nullable(),
    outcomeReason: z.string().nullable(),
    reason: z.string().nullable(),
    rule: ruleField.nullable(),
    subjectId: z.uuid(),
    subjectType,
  })
  .meta({ id: 'Decision' });

/** The same as operators see it. */
export const caseView = decisionView
  .extend({
    agentId: z.uuid().describe('Whose listing, rating or account it is.'),
    appealBy: z.uuid().nullable(),
    appealText: z.string().nullable(),
    decidedBy: z.string().nullable(),
    firstReports: z.array(
      z
        .object({ createdAt: z.iso.datetime(), reason: ruleField, text: z.string().nullable() })
        .meta({ id: 'Report' }),
    ),
    listingId: z.uuid().nullable().describe('Of a listing, and of a rating.'),
    openedAt: z.iso.datetime(),
    reports: z.int().describe('How many persons or networks reported it.'),
    state: z.enum(['open', 'decided', 'appealed']),
  })
  .meta({ id: 'Case' });

export function viewDecision(one: ModerationCase): z.output<typeof decisionView> {
  const { action, appealedAt, decidedAt, id, outcome, outcomeReason, reason, rule } = one;
  const { type: subjectType, id: subjectId } = subjectOf(one);
  return { action, appealedAt, decidedAt, id, outcome, outcomeReason, reason, rule, subjectId, subjectType };
}

export function viewCase(
  one: ModerationCase,
  firstReports: Awaited<ReturnType<typeof readReports>>,
): z.output<typeof caseView> {
  const { agentId, appealBy, appealText, decidedBy, openedAt, reports, state } = one;
  const more = {
    agentId,
    appealBy,
    appealText,
    decidedBy,
    firstReports: [...firstReports],
    listingId: one.subjectType === 'listing' ? one.subjectId : null,
    openedAt,
    reports,
    state,
  };
  return { ...viewDecision(one), ...more };
}
