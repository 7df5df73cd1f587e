import { z } from 'zod';
import { Refusal } from '../kernel/errors.ts';
import { id } from '../kernel/id.ts';
import { defineOperation } from '../kernel/operation/operation.ts';
import { ruleField } from '../kernel/rule-field.ts';
import { linesOf } from '../kernel/text-schema.ts';
import { isoTime } from '../kernel/time.ts';
import { findNetwork, findSubject, insertReport } from './cases.store.ts';
import { moderationErrors } from './moderation.errors.ts';
import { subjectType } from './moderation.schema.ts';

/** A report by anybody: it decides nothing, and an operator looks at it. */
export const createReport = defineOperation({
  name: 'createReport',
  summary: 'Report a listing, a rating or an agent that breaks a published rule.',
  description:
    'With or without a key. An operator decides; nothing happens by itself. Reported again, by the same person or from ' +
    'the same network, it is answered alike and changes nothing. With a key you are told what was decided.',
  area: 'Inquiries',
  auth: 'optional',
  scope: ['buy', 'sell', 'manage'],
  input: z.object({
    subjectType,
    subjectId: id,
    reason: ruleField,
    text: linesOf(2000).optional().describe('What you saw. Operators alone read it.'),
  }),
  output: z.object({ received: z.literal(true), subjectId: z.uuid(), subjectType }),
  errors: [moderationErrors.report_subject_not_found, moderationErrors.own_subject],
  http: { method: 'post', path: '/reports', status: 202 },
  rate: 'inquiry',
  replay: 'stored',
  async handle(ctx, { subjectType, subjectId, reason, text = null }) {
    const { ports, caller, now, network } = ctx;
    const [subject, registeredFrom] = await Promise.all([
      findSubject(ports.market, { type: subjectType, id: subjectId }),
      caller && findNetwork(ports.market, caller.agentId),
    ]);
    if (subject === null) throw new Refusal(moderationErrors.report_subject_not_found);
    if (subject.ownerId === caller?.agentId) throw new Refusal(moderationErrors.own_subject);
    const agentId = caller?.agentId ?? null;
    const from = registeredFrom ?? agentId ?? (await ports.keyedHash.hex('registered_from', network));
    const report = { caseId: ports.ids.uuid(), subject, reporter: from, agentId, reason, text };
    const answer = { received: true as const, subjectId, subjectType };
    await ctx.commit(insertReport({ ...report, at: isoTime(now) }), answer);
    return answer;
  },
});
