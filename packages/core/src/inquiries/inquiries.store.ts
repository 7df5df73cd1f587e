import { and, count, desc, eq, getTableColumns, gt, inArray, lt, lte, ne, not, sql } from 'drizzle-orm';
import { build } from '../db/build.ts';
import { isGuard } from '../db/constraint.ts';
import { guardOneChange } from '../db/guard.ts';
import { insertFrom } from '../db/insert-from.ts';
import { insertInto } from '../db/insert-into.ts';
import { type Params, query, readAll, readFirst, write } from '../db/query.ts';
import { inquiries, inquiryAttachments, inquiryMessages } from '../db/tables/inquiries.ts';
import type { Database, Statement } from '../kernel/ports/database.ts';
import type { IsoTime } from '../kernel/time.ts';
import type { AttachmentRow } from './attachments/attachments.store.ts';
import { type afterMessage, MAX_MESSAGES, QUIET_REASON, type ThreadStatus } from './thread.rules.ts';

export type InquiryRow = Readonly<typeof inquiries.$inferSelect>;
export type MessageRow = Readonly<Omit<typeof inquiryMessages.$inferSelect, 'inquiryId' | 'position'>>;

/** An inquiry with all that was written in it. */
export interface ThreadRecord {
  readonly inquiry: InquiryRow;
  readonly messages: readonly MessageRow[];
  readonly attachments: readonly (AttachmentRow & { readonly messageId: string })[];
}

const byId = query((p: Params<{ id: string }>) =>
  build.select(getTableColumns(inquiries)).from(inquiries).where(eq(inquiries.id, p.id)),
);

const { inquiryId: _ofMessage, position: _inThread, ...messageColumns } = getTableColumns(inquiryMessages);
const messagesOf = query((p: Params<{ id: string }>) =>
  build
    .select(messageColumns)
    .from(inquiryMessages)
    .where(eq(inquiryMessages.inquiryId, p.id))
    .orderBy(inquiryMessages.position),
);

const { inquiryId: _ofAttachment, ...attachmentColumns } = getTableColumns(inquiryAttachments);
const attachmentsOf = query((p: Params<{ id: string }>) =>
  build
    .select(attachmentColumns)
    .from(inquiryAttachments)
    .where(eq(inquiryAttachments.inquiryId, p.id))
    .orderBy(inquiryAttachments.position),
);

export function findInquiry(market: Database, id: string): Promise<InquiryRow | null> {
  return byId.first(market, { id });
}

export async function findThread(market: Database, id: string): Promise<ThreadRecord | null> {
  const [inquiry, messages, attachments] = await Promise.all([
    findInquiry(market, id),
    messagesOf.all(market, { id }),
    attachmentsOf.all(market, { id }),
  ]);
  return inquiry && { inquiry, messages, attachments };
}

export function insertInquiry(row: InquiryRow, message: MessageRow): Statement[] {
  return [
    insertInto(inquiries, row),
    insertInto(inquiryMessages, { ...message, inquiryId: row.id, position: 1 }),
  ];
}

const INQUIRY_WRITABLE = 'inquiry_writable';

type ThreadAfter = ReturnType<typeof afterMessage>;

const advanceThread = write((p: Params<ThreadAfter & { inquiryId: string; at: IsoTime }>) =>
  build
    .update(inquiries)
    .set({
      status: p.status,
      closesAt: p.closesAt,
      closesAtSetBy: p.closesAtSetBy,
      messageCount: sql`${inquiries.messageCount} + 1`,
    })
    .where(
      and(
        eq(inquiries.id, p.inquiryId),
        ne(inquiries.status, 'closed'),
        gt(inquiries.closesAt, p.at),
        lt(inquiries.messageCount, MAX_MESSAGES),
      ),
    ),
);

const appendMessage = write((p: Params<MessageRow & { inquiryId: string }>) =>
  insertFrom(
    inquiryMessages,
    {
      id: p.id,
      inquiryId: inquiries.id,
      position: inquiries.messageCount,
      author: p.author,
      authorName: p.authorName,
      body: p.body,
      emailStatus: p.emailStatus,
      createdAt: p.createdAt,
    },
    (select) => select.from(inquiries).where(eq(inquiries.id, p.inquiryId)),
  ),
);

/** Adds a message to a thread that takes one: not closed, not past its end, not full. */
export function insertMessage(inquiryId: string, message: MessageRow, thread: ThreadAfter): Statement[] {
  return [
    advanceThread({ inquiryId, at: message.createdAt, ...thread }),
    guardOneChange(INQUIRY_WRITABLE),
    appendMessage({ inquiryId, ...message }),
  ];
}

const closeOpen = write((p: Params<{ inquiryId: string; reason: string; at: IsoTime }>) =>
  build
    .update(inquiries)
    .set({ status: 'closed', closedBy: 'team', closedReason: p.reason, closedAt: p.at })
    .where(and(eq(inquiries.id, p.inquiryId), ne(inquiries.status, 'closed'), gt(inquiries.closesAt, p.at))),
);

/** Closes a thread that is not closed yet. */
export function closeInquiryRow(inquiryId: string, reason: string, at: IsoTime): Statement[] {
  return [closeOpen({ inquiryId, reason, at }), guardOneChange(INQUIRY_WRITABLE)];
}

export const isNotWritable = (error: unknown): boolean => isGuard(error, INQUIRY_WRITABLE);

const closeExpired = write((p: Params<{ now: IsoTime; limit: number }>) =>
  build
    .update(inquiries)
    .set({ status: 'closed', closedBy: 'policy', closedReason: QUIET_REASON, closedAt: inquiries.closesAt })
    .where(
      inArray(
        inquiries.id,
        build
          .select({ id: inquiries.id })
          .from(inquiries)
          .where(and(ne(inquiries.status, 'closed'), lte(inquiries.closesAt, p.now)))
          .orderBy(inquiries.closesAt)
          .limit(p.limit),
      ),
    ),
);

/** Stores as closed, for a number of threads, what is shown as closed already. */
export async function closeExpiredThreads(market: Database, now: IsoTime, limit: number): Promise<void> {
  await market.commit([closeExpired({ now, limit })]);
}

/** Newest first. Threads past their end count as closed. */
export async function listInquiryRows(
  market: Database,
  status: ThreadStatus | null,
  now: IsoTime,
  page: { readonly limit: number; readonly offset: number },
): Promise<{ rows: InquiryRow[]; total: number }> {
  const isClosed = sql`(${eq(inquiries.status, 'closed')} OR ${lte(inquiries.closesAt, now)})`;
  const hasStatus =
    status === null
      ? undefined
      : status === 'closed'
        ? isClosed
        : and(eq(inquiries.status, status), not(isClosed));
  const [rows, counted] = await Promise.all([
    readAll(
      market,
      build
        .select(getTableColumns(inquiries))
        .from(inquiries)
        .where(hasStatus)
        .orderBy(desc(inquiries.createdAt), inquiries.id)
        .limit(page.limit)
        .offset(page.offset),
    ),
    readFirst(market, build.select({ total: count() }).from(inquiries).where(hasStatus)),
  ]);
  return { rows, total: counted?.total ?? 0 };
}
