import { Refusal } from '../kernel/errors.ts';
import type { OperationContext } from '../kernel/operation/operation.ts';
import type { Statement } from '../kernel/ports/database.ts';
import { isoTime } from '../kernel/time.ts';
import { attachToMessage, checkAttachments } from './attachments/attachments.ts';
import { inquiryErrors } from './inquiries.errors.ts';
import type { AttachmentInput } from './inquiries.schema.ts';
import {
  findInquiry,
  type InquiryRow,
  insertMessage,
  isNotWritable,
  type MessageRow,
} from './inquiries.store.ts';
import { viewMessage } from './inquiry-view.rules.ts';
import { type Author, afterMessage, refusalToWrite, threadAt } from './thread.rules.ts';

export interface NewMessage {
  readonly author: Author;
  readonly authorName: string | null;
  readonly body: string;
  readonly attachments: readonly AttachmentInput[];
  readonly emailStatus: 'none' | 'queued';
  /** When the team sets after how many quiet days the thread closes. */
  readonly closesInDays?: number | undefined;
}

/** Adds a message to a thread, and commits with it the statements that `alongside` makes of the message. */
export async function addMessage(
  ctx: OperationContext,
  inquiry: InquiryRow | null,
  { attachments, closesInDays, ...fields }: NewMessage,
  alongside: (message: MessageRow) => readonly Statement[] = () => [],
) {
  const { ports, now } = ctx;
  requireWritable(inquiry, ctx);
  const files = await checkAttachments(ctx, attachments);
  const message: MessageRow = { id: ports.ids.uuid(), ...fields, createdAt: isoTime(now) };
  const next = afterMessage(message.author, now, closesInDays ?? null);
  const owner = { inquiryId: inquiry.id, messageId: message.id };
  const attach = await attachToMessage(ctx, owner, files);
  const answer = {
    message: viewMessage(
      message,
      files.map(({ row }) => row),
    ),
    thread: threadAt({ ...inquiry, ...next }, now),
  };
  try {
    const statements = [...insertMessage(inquiry.id, message, next), ...attach, ...alongside(message)];
    await ctx.commit(statements, answer);
    return answer;
  } catch (error) {
    if (!isNotWritable(error)) throw error;
    // Another request closed the thread or filled it in the meantime.
    requireWritable(await findInquiry(ports.market, inquiry.id), ctx);
    throw error;
  }
}

export function requireWritable(
  inquiry: InquiryRow | null,
  { now }: Pick<OperationContext, 'now'>,
): asserts inquiry is InquiryRow {
  if (!inquiry) throw new Refusal(inquiryErrors.inquiry_not_found);
  switch (refusalToWrite(inquiry, now)) {
    case 'closed':
      throw new Refusal(inquiryErrors.inquiry_closed);
    case 'full':
      throw new Refusal(inquiryErrors.inquiry_full);
    case null:
  }
}
