import * as z from 'zod';
import { id } from '../kernel/id.ts';
import { defineOperation } from '../kernel/operation/operation.ts';
import { ruleField } from '../kernel/rule-field.ts';
import { linesOf } from '../kernel/text-schema.ts';
import { subjectType } from './cases.schema.ts';
import { fileReport, reportErrors } from './file-report.ts';
import { reporterWithoutKey, reportStatusUrl } from './report-link.ts';

/** A report by anybody: it decides nothing, and an operator looks at it. */
export const createReport = defineOperation({
  name: 'createReport',
  summary: 'Report a listing, a rating or an agent that breaks a published rule.',
  description:
    'With or without a key. An operator decides; nothing happens by itself. Reported again, by the same person or from ' +
    'the same network, it is answered alike and changes nothing. With a key you are told what was decided; without one `statusUrl` is where you see it.',
  area: 'Inquiries',
  auth: 'optional',
  scope: ['buy', 'sell', 'manage'],
  input: z.object({
    subjectType,
    subjectId: id,
    reason: ruleField,
    text: linesOf(2000).optional().describe('What you saw. Operators alone read it.'),
  }),
  output: z.object({
    received: z.literal(true),
    statusUrl: z
      .url()
      .nullable()
      .describe('What became of it, for whoever has no key: its code is behind `#`. Null with a key.'),
    subjectId: z.uuid(),
    subjectType,
  }),
  errors: reportErrors,
  http: { method: 'post', path: '/reports', status: 202 },
  openToSuspended: true,
  rate: 'inquiry',
  replay: 'stored',
  async handle(ctx, { subjectType, subjectId, reason, text = null }) {
    const subject = { type: subjectType, id: subjectId };
    const statements = await fileReport(ctx, subject, { reason, text });
    const statusUrl =
      ctx.caller === null
        ? await reportStatusUrl(ctx, {
            subject,
            reporter: await reporterWithoutKey(ctx.ports, subject, ctx.network),
          })
        : null;
    const answer = { received: true as const, statusUrl, subjectId, subjectType };
    await ctx.commit(statements, answer);
    return answer;
  },
});
