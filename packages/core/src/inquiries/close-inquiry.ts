import * as z from 'zod';
import { Refusal } from '../kernel/errors.ts';
import { defineOperation } from '../kernel/operation/operation.ts';
import { linesOf } from '../kernel/text-schema.ts';
import { isoTime } from '../kernel/time.ts';
import { inquiryErrors } from './inquiries.errors.ts';
import { inquiryId, threadView } from './inquiries.schema.ts';
import { closeInquiryRow, findInquiry, isNotWritable } from './inquiries.store.ts';
import { threadAt } from './thread.rules.ts';

/** For the operator: the end of a thread, for good. */
export const closeInquiry = defineOperation({
  name: 'closeInquiry',
  summary: 'Close an inquiry.',
  description: 'For the operator. It stays readable; nobody can write to it again.',
  area: 'Inquiries',
  auth: 'operator',
  leastRole: 'support',
  input: z.object({ inquiryId, reason: linesOf(1000).describe('Shown to the inquirer.') }),
  output: z.object({ inquiryId: z.uuid(), thread: threadView }),
  errors: [inquiryErrors.inquiry_not_found, inquiryErrors.inquiry_closed],
  http: { method: 'post', path: '/admin/inquiries/{id}/close', status: 200, names: { inquiryId: 'id' } },
  rate: 'write',
  replay: 'stored',
  audit: ({ inquiryId, reason }) => ({ subject: { type: 'inquiry', id: inquiryId }, reason }),
  async handle(ctx, { inquiryId, reason }) {
    const { ports, now } = ctx;
    const inquiry = await findInquiry(ports.market, inquiryId);
    if (!inquiry) throw new Refusal(inquiryErrors.inquiry_not_found);
    const closedAt = isoTime(now);
    const closed = { closedAt, closedBy: 'team', closedReason: reason, status: 'closed' } as const;
    const answer = { inquiryId, thread: threadAt({ ...inquiry, ...closed }, now) };
    try {
      await ctx.commit(closeInquiryRow(inquiryId, reason, closedAt), answer);
    } catch (error) {
      if (isNotWritable(error)) throw new Refusal(inquiryErrors.inquiry_closed);
      throw error;
    }
    return answer;
  },
});
