import * as z from 'zod';
import { Refusal } from '../kernel/errors.ts';
import { id } from '../kernel/id.ts';
import { defineOperation } from '../kernel/operation/operation.ts';
import { ruleField } from '../kernel/rule-field.ts';
import { caseErrors } from './cases.errors.ts';
import { action, outcome, subjectType, viewDecision } from './cases.schema.ts';
import { reportOfToken } from './report-link.ts';
import { findReportedCase } from './reports.store.ts';

/** For whoever reported without a key: nobody can be told, so that it asks. */
export const getReportStatus = defineOperation({
  name: 'getReportStatus',
  summary: 'What became of your report, by the link that you were given for it.',
  description:
    'With the token of the `statusUrl` that POST /reports answers to whoever has no key. Whether it is decided, and what ' +
    'was; not who else reported it, nor what operators or others wrote. It ends with the report: 365 days after it, once ' +
    'it is decided.',
  area: 'Inquiries',
  auth: 'none',
  input: z.object({
    subjectId: id.describe('Of what you reported.'),
    token: z.string().max(200).describe('Of `statusUrl`, behind `#token=`.'),
  }),
  output: z.object({
    action: action.nullable(),
    appealedAt: z.iso.datetime().nullable(),
    decidedAt: z.iso.datetime().nullable(),
    outcome: outcome.nullable().describe('Of the appeal against the decision.'),
    rule: ruleField.nullable(),
    state: z.enum(['open', 'decided', 'appealed']),
    subjectId: z.uuid(),
    subjectType,
  }),
  errors: [caseErrors.report_not_found],
  http: { method: 'get', path: '/reports/{id}', status: 200, names: { subjectId: 'id' } },
  openToSuspended: true,
  rate: 'read',
  async handle({ ports }, { subjectId, token }) {
    const report = await reportOfToken(ports, subjectId, token);
    const found = report && (await findReportedCase(ports.market, report));
    if (!found) throw new Refusal(caseErrors.report_not_found);
    const { action, appealedAt, decidedAt, outcome, rule, subjectType } = viewDecision(found);
    return { action, appealedAt, decidedAt, outcome, rule, state: found.state, subjectId, subjectType };
  },
});
