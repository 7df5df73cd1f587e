import { sql } from 'drizzle-orm';
import { guardOneChange } from '../db/guard.ts';
import { insertInto, prepared, statement } from '../db/statement.ts';
import { inquiries, inquiryAttachments, inquiryMessages } from '../db/tables/inquiries.ts';
import { type Database, DatabaseError, type Statement } from '../kernel/ports/database.ts';
import type { IsoTime } from '../kernel/time.ts';
import type { AttachmentRow } from './attachments.store.ts';
import { type afterMessage, MAX_MESSAGES, QUIET_REASON, type ThreadStatus } from './thread.rules.ts';

export type InquiryRow = Readonly<typeof inquiries.$inferSelect>;
export type MessageRow = Readonly<Omit<typeof inquiryMessages.$inferSelect, 'inquiryId' | 'position'>>;

/** An inquiry with all that was written in it. */
export interface ThreadRecord {
  readonly inquiry: InquiryRow;
  readonly messages: readonly MessageRow[];
  readonly attachments: readonly (AttachmentRow & { readonly messageId: string })[];
}

const COLUMNS = sql`id, subject, category, name, email, submitted_by AS submittedBy, agent_id AS agentId, status,
  message_count AS messageCount, closes_at AS closesAt, closes_at_set_by AS closesAtSetBy, closed_by AS closedBy,
  closed_reason AS closedReason, closed_at AS closedAt, created_at AS createdAt`;
const one = prepared<{ id: string }>(
  sql`SELECT ${COLUMNS} FROM ${inquiries} WHERE id = ${sql.placeholder('id')}`,
);
const messagesOf = prepared<{
  id: string;
}>(sql`SELECT id, author, author_name AS authorName, body, email_status AS emailStatus, created_at AS createdAt
  FROM ${inquiryMessages} WHERE inquiry_id = ${sql.placeholder('id')} ORDER BY position`);
const attachmentsOf = prepared<{ id: string }>(sql`SELECT content_type AS contentType, filename, id,
  message_id AS messageId, position, sha256, size_bytes AS sizeBytes
  FROM ${inquiryAttachments} WHERE inquiry_id = ${sql.placeholder('id')} ORDER BY position`);

export async function findInquiry(market: Database, id: string): Promise<InquiryRow | null> {
  return market.first<InquiryRow>(one({ id }));
}

export async function findThread(market: Database, id: string): Promise<ThreadRecord | null> {
  const [inquiry, messages, attachments] = await Promise.all([
    findInquiry(market, id),
    market.all<MessageRow>(messagesOf({ id })),
    market.all<AttachmentRow & { messageId: string }>(attachmentsOf({ id })),
  ]);
  return inquiry && { inquiry, messages, attachments };
}

export function insertInquiry(row: InquiryRow, message: MessageRow): Statement[] {
  return [
    insertInto(inquiries, row),
    insertInto(inquiryMessages, { ...message, inquiryId: row.id, position: 1 }),
  ];
}

/** Adds a message to a thread that takes one: not closed, not past its end, not full. */
export function insertMessage(
  inquiryId: string,
  message: MessageRow,
  { status, closesAt, closesAtSetBy }: ReturnType<typeof afterMessage>,
): Statement[] {
  const { id, author, authorName, body, emailStatus, createdAt } = message;
  return [
    statement(sql`UPDATE ${inquiries} SET status = ${status}, closes_at = ${closesAt},
        closes_at_set_by = ${closesAtSetBy}, message_count = message_count + 1
      WHERE id = ${inquiryId} AND status <> 'closed' AND closes_at > ${createdAt}
        AND message_count < ${sql.raw(String(MAX_MESSAGES))}`),
    guardOneChange('inquiry_writable'),
    statement(sql`INSERT INTO ${inquiryMessages}
        (id, inquiry_id, position, author, author_name, body, email_status, created_at)
      SELECT ${id}, id, message_count, ${author}, ${authorName}, ${body}, ${emailStatus}, ${createdAt}
      FROM ${inquiries} WHERE id = ${inquiryId}`),
  ];
}

/** Closes a thread that is not closed yet. */
export function closeInquiryRow(inquiryId: string, reason: string, at: IsoTime): Statement[] {
  return [
    statement(sql`UPDATE ${inquiries} SET status = 'closed', closed_by = 'team', closed_reason = ${reason},
        closed_at = ${at} WHERE id = ${inquiryId} AND status <> 'closed' AND closes_at > ${at}`),
    guardOneChange('inquiry_writable'),
  ];
}

export const isNotWritable = (error: unknown): boolean =>
  error instanceof DatabaseError && error.constraint === 'guard inquiry_writable';

/** Writes down, for a number of threads, what their time has already made of them. */
export async function closeQuietInquiries(market: Database, now: IsoTime, limit: number): Promise<void> {
  await market.commit([
    statement(sql`UPDATE ${inquiries} SET status = 'closed', closed_by = 'policy',
        closed_reason = ${QUIET_REASON}, closed_at = closes_at
      WHERE id IN (SELECT id FROM ${inquiries} WHERE status <> 'closed' AND closes_at <= ${now}
        ORDER BY closes_at LIMIT ${limit})`),
  ]);
}

/** Newest first. Threads past their end count as closed. */
export async function listInquiryRows(
  market: Database,
  status: ThreadStatus | null,
  now: IsoTime,
  page: { readonly limit: number; readonly offset: number },
): Promise<{ rows: InquiryRow[]; total: number }> {
  const isOver = sql`(status = 'closed' OR closes_at <= ${now})`;
  const where =
    status === null ? sql`TRUE` : status === 'closed' ? isOver : sql`status = ${status} AND NOT ${isOver}`;
  const [rows, count] = await Promise.all([
    market.all<InquiryRow>(
      statement(sql`SELECT ${COLUMNS} FROM ${inquiries} WHERE ${where}
        ORDER BY created_at DESC, id LIMIT ${page.limit} OFFSET ${page.offset}`),
    ),
    market.first<{ total: number }>(
      statement(sql`SELECT COUNT(*) AS total FROM ${inquiries} WHERE ${where}`),
    ),
  ]);
  return { rows, total: count?.total ?? 0 };
}
