import { Refusal } from '../kernel/errors.ts';
import type { OperationContext } from '../kernel/operation/operation.ts';
import type { Statement } from '../kernel/ports/database.ts';
import { isoTime } from '../kernel/time.ts';
import { checkAttachments, keepAttachments } from './attachments.ts';
import { inquiryErrors } from './inquiries.errors.ts';
import type { GivenAttachment } from './inquiries.schema.ts';
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
  readonly attachments: readonly GivenAttachment[];
  readonly emailStatus: 'none' | 'queued';
  /** Where the team says how long the thread stays. */
  readonly closesInDays?: number | undefined;
}

/** Adds a message to a thread, together with what `alongside` makes of it, and gives both as they then are. */
export async function addMessage(
  ctx: OperationContext,
  inquiry: InquiryRow | null,
  { attachments, closesInDays, ...written }: NewMessage,
  alongside: (message: MessageRow) => readonly Statement[] = () => [],
) {
  const { ports, now } = ctx;
  requireWritable(inquiry, ctx);
  const checked = await checkAttachments(ports, attachments);
  const message: MessageRow = { id: ports.ids.uuid(), ...written, createdAt: isoTime(now) };
  const next = afterMessage(message.author, now, closesInDays ?? null);
  const owner = { inquiryId: inquiry.id, messageId: message.id };
  const owned = await keepAttachments(ports, owner, checked, now);
  const answer = {
    message: viewMessage(
      message,
      checked.map(({ row }) => row),
    ),
    thread: threadAt({ ...inquiry, ...next }, now),
  };
  try {
    const statements = [...insertMessage(inquiry.id, message, next), ...owned, ...alongside(message)];
    await ctx.commit(statements, answer);
    return answer;
  } catch (error) {
    if (!isNotWritable(error)) throw error;
    // Somebody was quicker: closed it, or wrote its last message.
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
