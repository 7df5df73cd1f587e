import type { EpochMs } from '../kernel/time.ts';
import type { AttachmentRow } from './attachments/attachments.store.ts';
import type { InquiryRow, MessageRow, ThreadRecord } from './inquiries.store.ts';
import { threadAt } from './thread.rules.ts';

export function viewAttachment(
  { contentType, filename, id, sha256, sizeBytes }: AttachmentRow,
  url = `/relay/attachments/${id}`,
) {
  return { contentType, filename, id, sha256, sizeBytes, url };
}

export function viewMessage(row: MessageRow, attachments: readonly AttachmentRow[]) {
  const { author, authorName, body, createdAt, emailStatus, id } = row;
  return {
    attachments: attachments.map((row) => viewAttachment(row)),
    authorName,
    body,
    createdAt,
    emailStatus,
    from: author,
    id,
  };
}

export function viewInquiry(row: InquiryRow, message: string, now: EpochMs) {
  const { category, createdAt, email, id, subject, submittedBy } = row;
  const { status } = threadAt(row, now);
  return { category, createdAt, email, id, message, status, subject, submittedBy };
}

/** The whole of what the holder of its id sees. */
export function viewThread({ inquiry, messages, attachments }: ThreadRecord, now: EpochMs) {
  const byMessage = Map.groupBy(attachments, ({ messageId }) => messageId);
  return {
    inquiry: viewInquiry(inquiry, messages[0]?.body ?? '', now),
    messages: messages.map((message) => viewMessage(message, byMessage.get(message.id) ?? [])),
    thread: threadAt(inquiry, now),
  };
}
