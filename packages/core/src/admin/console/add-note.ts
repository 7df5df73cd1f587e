import * as z from 'zod';
import { Refusal } from '../../kernel/errors.ts';
import { id } from '../../kernel/id.ts';
import { defineOperation } from '../../kernel/operation/operation.ts';
import { linesOf } from '../../kernel/text-schema.ts';
import { isoTime } from '../../kernel/time.ts';
import { adminErrors } from '../admin.errors.ts';
import { isMissing, requireRecord } from './noted-record.store.ts';

/** For the operator: a note on an agent, a listing or a purchase, for whoever looks at it next. */
export const addNote = defineOperation({
  name: 'addNote',
  summary: 'Write a note on an agent, a listing or a purchase, for other operators.',
  description:
    'For the operator. The note is the reason of an entry of the audit chain: GET /admin/audit with the subject lists notes among ' +
    'what was decided of it. A note on an account or a listing is in the export of its owner.',
  area: 'Meta',
  auth: 'operator',
  leastRole: 'support',
  input: z.object({
    subjectType: z.enum(['agent', 'listing', 'purchase']),
    subjectId: id,
    note: linesOf(1000).describe('Kept in the audit chain; ends with what is held of its subject.'),
  }),
  output: z.object({
    notedAt: z.iso.datetime(),
    subjectId: z.uuid(),
    subjectType: z.enum(['agent', 'listing', 'purchase']),
  }),
  errors: [adminErrors.note_subject_not_found],
  http: { method: 'post', path: '/admin/notes', status: 201 },
  rate: 'write',
  replay: 'stored',
  audit: ({ subjectType, subjectId, note }) => ({
    subject: { type: subjectType, id: subjectId },
    reason: note,
  }),
  async handle(ctx, { subjectType, subjectId }) {
    const answer = { notedAt: isoTime(ctx.now), subjectId, subjectType };
    try {
      await ctx.commit([requireRecord(subjectType, subjectId)], answer);
    } catch (error) {
      throw isMissing(error) ? new Refusal(adminErrors.note_subject_not_found) : error;
    }
    return answer;
  },
});
