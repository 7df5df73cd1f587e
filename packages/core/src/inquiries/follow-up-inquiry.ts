import * as z from 'zod';
import { defineOperation } from '../kernel/operation/operation.ts';
import { lineOf } from '../kernel/text-schema.ts';
import { addMessage } from './add-message.ts';
import { inquiryErrors } from './inquiries.errors.ts';
import {
  ATTACHMENTS_OF_BODY,
  attachments,
  inquiryId,
  messageText,
  messageView,
  threadView,
} from './inquiries.schema.ts';
import { findInquiry } from './inquiries.store.ts';

/** What `thread.followUp` points to. */
export const followUpInquiry = defineOperation({
  name: 'followUpInquiry',
  summary: 'Write again in the thread of an inquiry.',
  description:
    'The rules for attachments are those of POST /inquiries. Every message puts off the closing of the thread.',
  area: 'Inquiries',
  auth: 'none',
  input: z.object({ inquiryId, message: messageText, name: lineOf(200).optional(), attachments }),
  output: z.object({ message: messageView, thread: threadView }),
  errors: [inquiryErrors.inquiry_not_found, inquiryErrors.inquiry_closed, inquiryErrors.inquiry_full],
  http: {
    method: 'post',
    path: '/inquiries/{id}/messages',
    status: 201,
    names: { inquiryId: 'id' },
    ...ATTACHMENTS_OF_BODY,
  },
  rate: 'inquiry',
  replay: 'stored',
  prefetch: ({ market }, { inquiryId }) => findInquiry(market, inquiryId),
  handle: (ctx, { message: body, name, attachments }, inquiry) =>
    addMessage(ctx, inquiry, {
      author: 'inquirer',
      authorName: name ?? inquiry?.name ?? null,
      body,
      attachments,
      emailStatus: 'none',
    }),
});
