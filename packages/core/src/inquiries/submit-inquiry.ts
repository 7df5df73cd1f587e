import * as z from 'zod';
import { fileReport, readReport, reportErrors } from '../cases/index.ts';
import { commonErrors, Refusal } from '../kernel/errors.ts';
import { defineOperation, type OperationContext } from '../kernel/operation/operation.ts';
import type { Statement } from '../kernel/ports/database.ts';
import { RULES } from '../kernel/rules.data.ts';
import { lineOf } from '../kernel/text-schema.ts';
import { isoTime } from '../kernel/time.ts';
import { attachToMessage, checkAttachments } from './attachments/attachments.ts';
import {
  ATTACHMENTS_OF_BODY,
  attachments,
  attachmentView,
  inquiryView,
  messageText,
} from './inquiries.schema.ts';
import { type InquiryRow, insertInquiry, type MessageRow } from './inquiries.store.ts';
import { viewAttachment, viewInquiry } from './inquiry-view.rules.ts';
import { afterMessage } from './thread.rules.ts';

/** Clause: POST /inquiries; MCP contact_marketplace. */
export const submitInquiry = defineOperation({
  name: 'submitInquiry',
  summary: 'Write to the people who run the marketplace.',
  description:
    'Opens a thread. Whoever has its id reads it and writes to it, so keep the id to yourself. With `email` ' +
    'you get a mail when somebody replies; with an API key whose agent has a callbackUrl, an event.',
  area: 'Inquiries',
  auth: 'optional',
  scope: ['buy', 'sell', 'manage'],
  input: z.object({
    subject: lineOf(200).describe('One line.'),
    message: messageText.describe('What you want to say.'),
    name: lineOf(200).optional().describe('Your name.'),
    email: z.email().max(254).optional().describe('Where replies are announced.'),
    category: lineOf(64)
      .optional()
      .describe(
        '`report`: what breaks a rule. `subject` names it: "listing <id> <rule>"; or rating, or agent.',
      ),
    submittedBy: lineOf(200).optional().describe('Who writes: an agent, a person, a company.'),
    attachments,
  }),
  output: z.object({
    attachments: z.array(attachmentView),
    id: z.uuid().describe('The same as `inquiry.id`.'),
    inquiry: inquiryView,
    thread: z.object({
      followUp: z.url().describe('POST `{message}` here to write again.'),
      read: z.url().describe('GET it to see replies.'),
    }),
  }),
  errors: reportErrors,
  http: { method: 'post', path: '/inquiries', status: 201, ...ATTACHMENTS_OF_BODY },
  mcp: {
    tool: 'contact_marketplace',
    title: 'Contact the marketplace',
    description:
      'Write to the people who run the marketplace: a question, a problem, a complaint. Free, no key. Keep the id ' +
      'in the answer, and GET its `thread.read` URL later for replies. To report what ' +
      'breaks a rule: category `report`. For ideas: submit_idea.',
    names: { submittedBy: 'submittedBy' },
    unlisted: ['attachments'],
    hints: { readOnly: false, destructive: false, idempotent: false },
  },
  openToSuspended: true,
  rate: 'inquiry',
  replay: 'stored_link',
  async handle(ctx, { subject, message: body, name, email, category, submittedBy, attachments }) {
    const { ports, caller, now, baseUrl } = ctx;
    const report = category === REPORT ? await reportStatements(ctx, subject, body) : [];
    const files = await checkAttachments(ctx, attachments);
    const createdAt = isoTime(now);
    const inquiry: InquiryRow = {
      id: ports.ids.uuid(),
      subject,
      category: category ?? 'general',
      name: name ?? null,
      email: email ?? null,
      submittedBy: submittedBy ?? name ?? 'anonymous',
      agentId: caller?.agentId ?? null,
      ...afterMessage('inquirer', now),
      messageCount: 1,
      closedBy: null,
      closedReason: null,
      closedAt: null,
      createdAt,
    };
    const message: MessageRow = {
      id: ports.ids.uuid(),
      author: 'inquirer',
      authorName: name ?? null,
      body,
      emailStatus: 'none',
      createdAt,
    };
    const owner = { inquiryId: inquiry.id, messageId: message.id };
    const attach = await attachToMessage(ctx, owner, files);
    const answer = {
      attachments: files.map(({ row }) => viewAttachment(row)),
      id: inquiry.id,
      inquiry: viewInquiry(inquiry, body, now),
      thread: {
        followUp: `${baseUrl}/inquiries/${inquiry.id}/messages`,
        read: `${baseUrl}/inquiries/${inquiry.id}/thread`,
      },
    };
    await ctx.commit([...insertInquiry(inquiry, message), ...attach, ...report], answer);
    return answer;
  },
});

/** The category of an inquiry that is a report as well, as `POST /reports` takes it. */
const REPORT = 'report';

function reportStatements(
  ctx: OperationContext<'optional'>,
  subject: string,
  text: string,
): Promise<Statement[]> {
  const read = readReport(subject, text);
  if (read === null) {
    const message =
      'Name what you report and the rule that it breaks: "listing <id> <rule>", "rating <id> <rule>" or "agent <id> <rule>". ' +
      `The rules are ${Object.keys(RULES).join(', ')}.`;
    throw new Refusal(commonErrors.validation_failed, { fields: [{ message, path: 'subject' }] });
  }
  return fileReport(ctx, read.subject, read.report);
}
