import * as z from 'zod';
import { recordAgentEvent } from '../agents/index.ts';
import { defineOperation } from '../kernel/operation/operation.ts';
import { lineOf } from '../kernel/text-schema.ts';
import { isoTime } from '../kernel/time.ts';
import { queueMail } from '../mail/index.ts';
import { addMessage, requireWritable } from './add-message.ts';
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
import { replyMail } from './reply-mail.rules.ts';

/** For the operator: an answer, announced by mail and to the agent that asked. */
export const replyToInquiry = defineOperation({
  name: 'replyToInquiry',
  summary: 'Answer an inquiry.',
  description:
    'For the operator. Goes into the thread, by mail to the address that the inquirer gave, and as the event ' +
    '`inquiry.replied` to the agent whose key came with the inquiry.',
  area: 'Inquiries',
  auth: 'operator',
  leastRole: 'support',
  input: z.object({
    inquiryId,
    authorName: lineOf(200).describe('Shown to the inquirer.'),
    body: messageText,
    closesInDays: z
      .int()
      .min(1)
      .max(365)
      .optional()
      .describe('When the thread closes if the inquirer does not write; 30 where it is left out.'),
    attachments,
  }),
  output: z.object({ message: messageView, thread: threadView }),
  errors: [inquiryErrors.inquiry_not_found, inquiryErrors.inquiry_closed, inquiryErrors.inquiry_full],
  http: {
    method: 'post',
    path: '/admin/inquiries/{id}/reply',
    status: 201,
    names: { inquiryId: 'id' },
    ...ATTACHMENTS_OF_BODY,
  },
  rate: 'write',
  replay: 'stored',
  audit: ({ inquiryId }) => ({ subject: { type: 'inquiry', id: inquiryId } }),
  async handle(ctx, { inquiryId, authorName, body, closesInDays, attachments }) {
    const { ports, now, settings, baseUrl } = ctx;
    const inquiry = await findInquiry(ports.market, inquiryId);
    requireWritable(inquiry, ctx);
    const { agentId, email, subject } = inquiry;
    const at = isoTime(now);
    // A person reads it: a page of the site, never the API's JSON.
    const threadUrl = `${settings.siteUrl ?? new URL(baseUrl).origin}/inquiries/${inquiryId}`;
    const recipient = settings.sendsMail ? email : null;
    const answer = await addMessage(
      ctx,
      inquiry,
      {
        author: 'team',
        authorName,
        body,
        attachments,
        emailStatus: recipient === null ? 'none' : 'queued',
        closesInDays,
      },
      ({ id: messageId }) => [
        ...(recipient === null
          ? []
          : [
              queueMail(
                {
                  purpose: 'inquiry_reply',
                  reference: messageId,
                  recipient,
                  ...replyMail({ subject, authorName, body, threadUrl, attachmentCount: attachments.length }),
                },
                at,
              ),
            ]),
        ...(agentId === null
          ? []
          : recordAgentEvent(agentId, 'inquiry.replied', { inquiryId, messageId }, ports.ids.uuid(), at)),
      ],
    );
    if (recipient !== null || agentId !== null) ports.background.run(ports.jobs.send({ kind: 'outbox' }));
    return answer;
  },
});
